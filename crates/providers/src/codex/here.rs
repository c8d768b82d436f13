//! The line being read: its place, its ids, and where its records go.

use std::collections::HashMap;

use palimpsest_record::{Text, Timestamp};

use crate::{Batch, EntryId, Line, Outcome};

/// One line, and everything a handler of it may change beside the thread.
pub(super) struct Here<'x, 'l> {
    pub(super) batch: &'x mut Batch,
    pub(super) ids: &'x mut Ids,
    pub(super) line: Line<'l>,
    /// When, as written. Read as an instant only where a record needs it.
    pub(super) time: Option<&'l str>,
    /// Place of the line's first block. Counts the lines of a file in their true order, which in a
    /// paginated history is that of the ordinals.
    pub(super) place: u64,
    /// The line that was read before this one and understood; none for the first one.
    pub(super) previous: Option<EntryId>,
    /// How many records were read on this line before this one: a crash can leave several on one.
    pub(super) before_on_line: u32,
}

/// Room for the blocks of one line.
const BLOCKS: u64 = 1 << 12;

/// Place of the first block of the `count`-th line of a file.
pub(super) fn place(file: u32, count: u32) -> u64 {
    (u64::from(file) << 48) | (u64::from(count) * BLOCKS)
}

impl Here<'_, '_> {
    /// The line right before this one is damaged or unknown: it may have held this one's twin.
    pub(super) fn is_after_gap(&self) -> bool {
        let entry = self.line.entry;
        self.previous.is_none_or(|previous| entry > previous && !entry.follows(previous))
    }

    /// Place of a block of this line, counted from 0.
    pub(super) fn seq(&self, block: usize) -> u64 {
        self.place + (block as u64).min(BLOCKS - 1)
    }

    /// When.
    pub(super) fn timestamp(&self) -> Option<Timestamp> {
        self.time.and_then(Timestamp::parse)
    }

    /// A message's id: the item's own where it has one, else the line's; with the number of the
    /// block behind it from the second on.
    pub(super) fn message_id(&mut self, own: Option<&str>, block: usize) -> Text {
        let own = own.filter(|id| !id.is_empty());
        match (own, block) {
            (Some(own), 0) => self.ids.messages.unique(own),
            (Some(own), _) => self.ids.messages.unique(&format!("{own}#{block}")),
            (None, _) => Text::from(self.line_id(block)),
        }
    }

    /// A call's id, another one for each occurrence.
    pub(super) fn call_id(&mut self, key: Option<&str>) -> Text {
        match key {
            Some(key) => self.ids.calls.unique(key),
            None => Text::from(self.line_id(0)),
        }
    }

    /// What a summary or a model call is called that has no name of its own.
    pub(super) fn line_id(&self, block: usize) -> String {
        let span = self.line.span;
        let mut id = format!("L{}", span.line_first);
        if span.file > 0 {
            id = format!("F{}{id}", span.file);
        }
        if self.before_on_line > 0 {
            id = format!("{id}+{}", self.before_on_line);
        }
        if block > 0 {
            id = format!("{id}#{block}");
        }
        id
    }

    /// A known type with nothing to show.
    pub(super) fn not_shown(&mut self, names: [&str; 2]) -> Outcome {
        self.batch.ledger.not_shown(significant(&names))
    }

    /// A type or shape that this version does not know.
    pub(super) fn unknown(&mut self, names: [&str; 2]) -> Outcome {
        self.batch.ledger.unknown(significant(&names))
    }
}

/// Bare logs have no type around the item's own.
fn significant<'a>(names: &'a [&'a str; 2]) -> &'a [&'a str] {
    match names {
        ["", _] => names.get(1..).unwrap_or_default(),
        _ => names,
    }
}

/// Ids given out in a session, so that none is given twice.
#[derive(Default)]
pub(super) struct Ids {
    pub(super) messages: Names,
    pub(super) calls: Names,
    /// Agents by their thread: the record of each.
    pub(super) agents: HashMap<Text, usize>,
}

/// Names given out, and how often each was asked for.
#[derive(Default)]
pub(super) struct Names(HashMap<Text, u32>);

impl Names {
    /// `wanted`, or where it was given before `wanted~2`, `wanted~3`, …
    pub(super) fn unique(&mut self, wanted: &str) -> Text {
        if wanted.starts_with(['L', 'F']) {
            // It could be given out for a line's place, too.
            return self.unique(&format!("={wanted}"));
        }
        let mut id = Text::from(wanted);
        while self.0.contains_key(&id) {
            let asked = self.0.entry(Text::from(wanted)).or_insert(1);
            *asked += 1;
            id = Text::from(format!("{wanted}~{asked}"));
        }
        self.0.insert(id.clone(), 1);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names = Names::default();
        let given: Vec<String> = ["a", "a", "a~2", "a", "L7", "L7"]
            .into_iter()
            .map(|wanted| names.unique(wanted).to_string())
            .collect();
        assert_eq!(given, ["a", "a~2", "a~2~2", "a~3", "=L7", "=L7~2"]);
    }
}
