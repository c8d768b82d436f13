//! The true order of a paginated history.
//!
//! Each of its lines has an ordinal, and lines may stand in the file before others that come first.
//! A line that comes early is kept until those before it are there, so that everything behind
//! this module reads lines in their true order. A damaged line leaves a hole in the ordinals that nothing
//! fills: what is kept is bounded, and then reading goes on behind the hole.

use std::collections::BTreeMap;

use palimpsest_record::Span;

use crate::{EntryId, Line};

/// Most lines kept. Writers of one thread overtake each other by a few lines at most.
const MAX_LINES: usize = 64;
/// Most bytes kept.
const MAX_BYTES: usize = 4 << 20;

/// Lines that came before their turn.
#[derive(Default)]
pub(super) struct Order {
    /// The ordinal whose turn it is; none before the first one.
    next: Option<u64>,
    early: BTreeMap<u64, Kept>,
    bytes: usize,
}

/// A line out of its place.
pub(super) struct Kept {
    text: String,
    span: Span,
    entry: EntryId,
}

impl Kept {
    /// The line as it was.
    pub(super) fn line(&self) -> Line<'_> {
        Line { text: &self.text, span: self.span, entry: self.entry }
    }
}

impl Order {
    /// Whether a line must wait. One without an ordinal, one that comes late, and one whose ordinal
    /// another line has too, are read where they stand.
    pub(super) fn is_early(&self, ordinal: Option<u64>) -> bool {
        let (Some(ordinal), Some(next)) = (ordinal, self.next) else { return false };
        ordinal > next && !self.early.contains_key(&ordinal)
    }

    /// Keeps a line until its turn.
    pub(super) fn keep(&mut self, ordinal: u64, line: &Line<'_>) {
        self.bytes += line.text.len();
        let kept = Kept { text: line.text.to_owned(), span: line.span, entry: line.entry };
        self.early.insert(ordinal, kept);
    }

    /// A line is read.
    pub(super) fn read(&mut self, ordinal: Option<u64>) {
        if let Some(ordinal) = ordinal {
            self.next = Some(self.next.unwrap_or_default().max(ordinal.saturating_add(1)));
        }
    }

    /// The next kept line whose turn it is, or which cannot be kept longer.
    pub(super) fn due(&mut self) -> Option<Kept> {
        let (&first, _) = self.early.first_key_value()?;
        let full = self.early.len() > MAX_LINES || self.bytes > MAX_BYTES;
        (full || self.next.is_none_or(|next| first <= next)).then(|| self.take_first()).flatten()
    }

    /// The next kept line, whatever is missing before it: the file is at its end.
    pub(super) fn take_first(&mut self) -> Option<Kept> {
        let (_, kept) = self.early.pop_first()?;
        self.bytes -= kept.text.len();
        Some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Batch;

    /// Reads lines with these ordinals and says in which order their turns come.
    fn order_of(ordinals: impl IntoIterator<Item = u64>) -> Vec<u64> {
        let mut batch = Batch::default();
        let mut order = Order::default();
        let mut read = Vec::new();
        let mut turn = |order: &mut Order, ordinal: u64| {
            read.push(ordinal);
            order.read(Some(ordinal));
        };
        for (number, ordinal) in (1..).zip(ordinals) {
            let span = Span { file: 0, line_first: number, line_last: number, byte_start: 0, byte_end: 0 };
            let text = ordinal.to_string();
            let line = Line { text: &text, span, entry: batch.ledger.enter(&span) };
            if order.is_early(Some(ordinal)) {
                order.keep(ordinal, &line);
            } else {
                turn(&mut order, ordinal);
            }
            while let Some(kept) = order.due() {
                turn(&mut order, kept.text.parse().unwrap());
            }
        }
        while let Some(kept) = order.take_first() {
            turn(&mut order, kept.text.parse().unwrap());
        }
        assert_eq!(order.bytes, 0);
        read
    }

    #[test]
    fn lines_wait_for_their_turn() {
        let check = |ordinals: &[u64], want: &[u64]| {
            assert_eq!(order_of(ordinals.iter().copied()), want, "{ordinals:?}");
        };
        check(&[0, 1, 2], &[0, 1, 2]);
        check(&[0, 2, 1, 3], &[0, 1, 2, 3]);
        check(&[5, 8, 7, 6, 9], &[5, 6, 7, 8, 9]);
        check(&[0, 0, 0], &[0, 0, 0]);
        check(&[4, 5, 0, 1], &[4, 5, 0, 1]);
        check(&[0, 2, 3], &[0, 2, 3]);
    }

    #[test]
    fn a_hole_does_not_hold_a_long_log_back() {
        let ordinals: Vec<u64> = (0..500).filter(|ordinal| *ordinal != 3).collect();
        assert_eq!(order_of(ordinals.clone()), ordinals);
        let with_steps: Vec<u64> = (0..500).map(|count| count * 2).collect();
        assert_eq!(order_of(with_steps.clone()), with_steps);
    }
}
