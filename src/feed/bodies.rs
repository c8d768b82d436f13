//! The rows' bodies that are at hand: those drawn, those about to be, and those just left.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use palimpsest_protocol::{Row, RowHint};

/// Most bodies that are kept.
const MOST: usize = 600;
/// How many are kept when there were too many: dropping them one by one would sort them each time.
const KEPT: usize = 450;
/// Most rows that are asked for at once: unpacking them must not hold up a frame.
const MOST_ASKED: usize = 24;

/// The bodies at hand, by key.
#[derive(Debug, Default)]
pub struct Bodies {
    by_key: BTreeMap<u64, Body>,
    /// Counts the uses.
    uses: u64,
}

#[derive(Debug)]
struct Body {
    row: Arc<Row>,
    /// The view it was told in. In a later one it may say more.
    view: u32,
    /// Which use was its last.
    used: u64,
}

impl Bodies {
    /// No body has come yet.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The body of a row, of whatever view.
    pub fn get(&mut self, key: u64) -> Option<Arc<Row>> {
        let body = self.by_key.get_mut(&key)?;
        self.uses += 1;
        body.used = self.uses;
        Some(body.row.clone())
    }

    /// The body of a row, without counting it as use.
    pub fn peek(&self, key: u64) -> Option<&Row> {
        self.by_key.get(&key).map(|body| &*body.row)
    }

    /// Takes rows of a view. A row that says what it said before stays the same one, so that it is
    /// not drawn again.
    pub fn insert(&mut self, view: u32, rows: Vec<Row>) {
        for row in rows {
            self.uses += 1;
            let used = self.uses;
            match self.by_key.get_mut(&row.key) {
                Some(body) if *body.row == row => (body.view, body.used) = (view, used),
                _ => {
                    self.by_key.insert(row.key, Body { row: Arc::new(row), view, used });
                }
            }
        }
        self.forget();
    }

    /// Drops what was used least recently.
    fn forget(&mut self) {
        if self.by_key.len() <= MOST {
            return;
        }
        let mut uses: Vec<u64> = self.by_key.values().map(|body| body.used).collect();
        uses.sort_unstable_by(|a, b| b.cmp(a));
        let oldest = uses.get(KEPT).copied().unwrap_or_default();
        self.by_key.retain(|_, body| body.used > oldest);
    }

    /// Which rows to ask for next, given those in sight and those about to be: first what is in
    /// sight, then what comes below, then what is above.
    pub fn missing(
        &self,
        view: u32,
        rows: &[RowHint],
        seen: Range<usize>,
        near: Range<usize>,
    ) -> Option<Range<usize>> {
        let is_missing = |&row: &usize| {
            rows.get(row).is_some_and(|hint| self.by_key.get(&hint.key).is_none_or(|body| body.view != view))
        };
        if let Some(first) = (seen.start..near.end).find(is_missing) {
            let limit = near.end.min(first + MOST_ASKED);
            let last = (first..limit).rev().find(is_missing).unwrap_or(first);
            return Some(first..last + 1);
        }
        let last = (near.start..seen.start).rev().find(is_missing)?;
        let limit = near.start.max((last + 1).saturating_sub(MOST_ASKED));
        let first = (limit..=last).find(is_missing).unwrap_or(last);
        Some(first..last + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_protocol::RowKind;

    fn row(key: u64) -> Row {
        Row { key, id: format!("m{key}").as_str().into(), kind: RowKind::Prompt, ..Row::default() }
    }

    fn hints(count: u64) -> Vec<RowHint> {
        (0..count).map(|key| RowHint { key, kind: RowKind::Prompt, height: 100, inactive: false }).collect()
    }

    #[test]
    fn an_unchanged_row_stays_the_same_one() {
        let mut bodies = Bodies::default();
        bodies.insert(1, vec![row(7), row(8)]);
        let (before, other) = (bodies.get(7), bodies.get(8));
        bodies.insert(2, vec![row(7), Row { time: Some(1), ..row(8) }]);
        let same = |a: &Option<Arc<Row>>, b: &Option<Arc<Row>>| matches!((a, b), (Some(a), Some(b)) if Arc::ptr_eq(a, b));
        assert!(same(&before, &bodies.get(7)));
        assert!(!same(&other, &bodies.get(8)));
    }

    #[test]
    fn only_so_many_are_kept_and_the_used_ones_first() {
        let mut bodies = Bodies::default();
        for key in 0..5_000 {
            bodies.insert(1, vec![row(key)]);
            bodies.get(3);
            assert!(bodies.by_key.len() <= MOST);
        }
        assert!(bodies.peek(3).is_some());
        assert!(bodies.peek(4_999).is_some());
        assert!(bodies.peek(4).is_none());
    }

    #[test]
    fn what_is_in_sight_comes_first() {
        let rows = hints(1_000);
        let mut bodies = Bodies::default();
        let mut asked = Vec::new();
        while let Some(range) = bodies.missing(1, &rows, 500..510, 460..560) {
            asked.push(range.clone());
            bodies.insert(1, range.map(|key| row(key as u64)).collect());
        }
        assert_eq!(asked, [500..524, 524..548, 548..560, 476..500, 460..476]);
        assert_eq!(
            bodies.missing(2, &rows, 500..510, 460..560),
            Some(500..524),
            "a newer view is asked again"
        );
        assert_eq!(bodies.missing(1, &rows, 0..0, 0..0), None);
    }
}
