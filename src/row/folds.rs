//! What is open. It is kept beside the rows, so that it stays open while its row is scrolled out of
//! the document.

use leptos::prelude::*;
use palimpsest_protocol::BodyPlace;
use palimpsest_record::Text;

/// Most bytes of one row that are in the document beyond what it shows at first. The worker draws
/// 24 KiB of a row unasked; together they keep to 64.
const MOST_BYTES: u64 = 40 * 1024;

/// Something that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldKey {
    /// The row that it is in; for one in a subagent's conversation the row of the call that started that.
    pub row: Text,
    /// The part of a row that it belongs to.
    pub place: BodyPlace,
    /// Which of the things that can be opened there.
    pub what: What,
}

/// The row of the list that everything below it is in.
#[derive(Debug, Clone)]
pub struct Outermost(pub Text);

impl FoldKey {
    /// Something that can be opened, in the row that is being drawn.
    pub fn new(place: BodyPlace, what: What) -> FoldKey {
        let Outermost(row) = use_context().unwrap_or_else(|| Outermost(Text::from(place.id.as_str())));
        FoldKey { row, place, what }
    }
}

/// What can be opened at one part of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The part's body.
    Body,
    /// What is beyond the first lines of a text.
    Rest(Side),
    /// The conversation of the subagent with this place in the call's list.
    Agent(usize),
}

/// Which of a part's texts: a call has two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What a call was given, or the only text there is.
    Input,
    /// What a call gave back.
    Output,
}

/// What is open, in the order in which it was opened, with the bytes that each adds to its row.
#[derive(Debug, Clone, Copy)]
pub struct Folds(RwSignal<Vec<(FoldKey, u64)>>);

impl Folds {
    /// Nothing is open.
    pub fn new() -> Folds {
        Folds(RwSignal::new(Vec::new()))
    }

    /// Closes all.
    pub fn close_all(self) {
        self.0.set(Vec::new());
    }

    /// Opens what is closed and closes what is open.
    pub fn toggle(self, key: &FoldKey, bytes: u64) {
        self.0.update(|open| {
            let before = open.len();
            open.retain(|(other, _)| other != key);
            if open.len() == before {
                open.push((key.clone(), bytes));
            }
        });
    }

    /// Says how many bytes something that is open turned out to add to its row.
    pub fn weigh(self, key: &FoldKey, bytes: u64) {
        self.0.maybe_update(|open| {
            let entry = open.iter_mut().find(|(other, known)| other == key && *known != bytes);
            entry.map(|entry| entry.1 = bytes).is_some()
        });
    }

    /// Whether it is open, and shown as such.
    pub fn state(self, key: FoldKey) -> Memo<Fold> {
        Memo::new(move |_| self.0.with(|open| fold(open, &key)))
    }
}

/// Whether something is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// It is not.
    Closed,
    /// It is.
    Open,
    /// It would be, were not too much open in its row already; it opens when that is folded.
    Full,
}

fn fold(open: &[(FoldKey, u64)], key: &FoldKey) -> Fold {
    let mut room = MOST_BYTES;
    for (other, bytes) in open.iter().filter(|(other, _)| other.row == key.row) {
        let left = room.checked_sub(*bytes);
        if other == key {
            return if left.is_some() { Fold::Open } else { Fold::Full };
        }
        room = left.unwrap_or(room);
    }
    Fold::Closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_opens_only_so_much() {
        let key = |id: &str, part| FoldKey {
            row: Text::from(id),
            place: BodyPlace { agent_id: None, id: id.to_owned(), part },
            what: What::Rest(Side::Output),
        };
        let check = |open: &[(FoldKey, u64)], key: FoldKey, want: Fold| assert_eq!(fold(open, &key), want);
        let open =
            [(key("a", 0), 32 * 1024), (key("b", 0), 32 * 1024), (key("a", 1), 32 * 1024), (key("a", 2), 1)];
        check(&open, key("a", 0), Fold::Open);
        check(&open, key("b", 0), Fold::Open);
        check(&open, key("a", 1), Fold::Full);
        check(&open, key("a", 2), Fold::Open);
        check(&open, key("a", 3), Fold::Closed);
        // What is too much opens as soon as there is room.
        check(open.get(1..).unwrap(), key("a", 1), Fold::Open);
    }
}
