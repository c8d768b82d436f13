//! The messages that the log holds in the end. A message may be written again, and then its last copy counts at the
//! place of its first; a rewind or a checkpoint takes messages back, and they are kept as inactive.

use std::collections::{HashMap, HashSet};

use palimpsest_record::Text;

use crate::{Batch, Line, Outcome};

/// All messages so far, in the order of their first copies.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub(super) all: Vec<Kept>,
    /// The message that has an id now.
    current: HashMap<Text, usize>,
    /// Ids given away.
    taken: HashSet<Text>,
}

/// A message as its last copy says it.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) id: Text,
    /// The copy's JSON.
    pub(super) json: Text,
    pub(super) span: palimpsest_record::Span,
    pub(super) entry: crate::EntryId,
    /// It was taken back, and how many messages there were then.
    pub(super) taken_back: Option<usize>,
}

impl Messages {
    /// A copy of a message. `number` tells apart those of one line.
    pub(super) fn put(
        &mut self,
        id: Option<&str>,
        json: &str,
        line: &Line<'_>,
        number: usize,
        batch: &mut Batch,
    ) {
        let id = id.filter(|id| !id.is_empty());
        let log_id = match id {
            Some(id) => Text::from(id),
            None => Text::from(format!("line-{}-{}-{number}", line.span.file + 1, line.span.line_first)),
        };
        // Without an id it is a copy of none.
        let earlier = id.and_then(|_| self.current.get(&log_id).copied());
        if let Some(kept) = earlier.and_then(|at| self.all.get_mut(at)) {
            if kept.entry != line.entry {
                batch.ledger.settle(kept.entry, Outcome::Merged);
            }
            (kept.json, kept.span, kept.entry) = (Text::from(json), line.span, line.entry);
            return;
        }
        self.current.insert(log_id.clone(), self.all.len());
        let id = self.unique(&log_id);
        self.all.push(Kept {
            id,
            json: Text::from(json),
            span: line.span,
            entry: line.entry,
            taken_back: None,
        });
    }

    /// The session goes on from before a message. An id that is not there empties it.
    pub(super) fn rewind(&mut self, to: &str) {
        let first = self.current.get(to).copied().unwrap_or(0);
        self.take_back(|at, _| at >= first);
    }

    /// Messages that a checkpoint of all of them no longer holds are gone.
    pub(super) fn keep_only(&mut self, ids: &HashSet<Text>) {
        self.take_back(|_, log_id| !ids.contains(log_id));
    }

    fn take_back(&mut self, is_gone: impl Fn(usize, &Text) -> bool) {
        let there = self.all.len();
        let all = &mut self.all;
        self.current.retain(|log_id, at| {
            let gone = is_gone(*at, log_id);
            if let Some(kept) = all.get_mut(*at).filter(|_| gone) {
                kept.taken_back = Some(there);
            }
            !gone
        });
    }

    fn unique(&mut self, log_id: &Text) -> Text {
        let mut id = log_id.clone();
        let mut times = 1;
        while !self.taken.insert(id.clone()) {
            times += 1;
            id = Text::from(format!("{log_id}~{times}"));
        }
        id
    }
}
