//! A fork's inherited beginning.
//!
//! The file of a fork, or of an agent that was given its parent's history, begins with a copy of that
//! history, all of it stamped with the second of the fork. Its own part begins with its first own turn,
//! whose id is not older than the fork's (both are UUIDv7, which begin with the time); where there are
//! no such ids, with the first line that comes more than a second after the one before it.

use palimpsest_record::Timestamp;

/// A gap that no copy has.
const GAP_MS: i64 = 1000;

/// Where a thread's own part begins.
#[derive(Default)]
pub(super) struct Fork {
    /// When the thread itself began, from its id; `None` where the id does not say.
    born: Option<u64>,
    searching: bool,
    /// A turn of the copy has an id with a time: then ids decide, whatever the gaps.
    ids_decide: bool,
    last: Option<Timestamp>,
    /// Place of the first line that is the thread's own.
    own: Option<u64>,
}

impl Fork {
    /// The thread's own header is read.
    pub(super) fn of(id: &str) -> Fork {
        Fork { born: uuid_time(id), ..Fork::default() }
    }

    /// A copy of another thread's history follows.
    pub(super) fn begin(&mut self, at: Option<Timestamp>) {
        self.searching = true;
        self.last = self.last.or(at);
    }

    /// Whether what is read now is inherited.
    pub(super) fn is_inherited(&self) -> bool {
        self.searching
    }

    /// Looks at a line of the copy; true where the thread's own part begins with it. `turn` is the
    /// id of the turn that the line begins, if it begins one.
    pub(super) fn ends_at(&mut self, place: u64, time: Option<Timestamp>, turn: Option<&str>) -> bool {
        let began = turn.and_then(uuid_time).zip(self.born);
        self.ids_decide |= began.is_some();
        let own_turn = began.is_some_and(|(turn, born)| turn >= born);
        let gap = time.zip(self.last).is_some_and(|(now, last)| now.millis() - last.millis() > GAP_MS);
        self.last = time.or(self.last);
        let ends = own_turn || gap && !self.ids_decide;
        if ends {
            self.searching = false;
            self.own = Some(place);
        }
        ends
    }

    /// Whether what stands at `place` is inherited. Asked when all is read.
    pub(super) fn inherited(&self, place: u64) -> bool {
        self.searching || self.own.is_some_and(|own| place < own)
    }
}

/// The milliseconds that a UUIDv7 begins with.
fn uuid_time(id: &str) -> Option<u64> {
    const VERSION_AT: usize = 14;
    if id.len() != 36 || id.as_bytes().get(VERSION_AT) != Some(&b'7') {
        return None;
    }
    let hex: String = id.get(..13)?.chars().filter(char::is_ascii_hexdigit).collect();
    (hex.len() == 12).then(|| u64::from_str_radix(&hex, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BORN: &str = "019cadfd-8900-7000-8000-000000000001";
    const OLDER: &str = "019cadfd-0000-7000-8000-000000000002";
    const SAME: &str = "019cadfd-8900-7000-8000-000000000003";

    #[test]
    fn the_time_of_a_uuid() {
        let check = |id: &str, want: Option<u64>| assert_eq!(uuid_time(id), want, "{id}");
        check(BORN, Some(0x019c_adfd_8900));
        check("b9aa6ad2-cde3-5b9d-9e74-31c8fa808b41", None);
        check("turn-7", None);
        check("+19cadfd-8900-7000-8000-000000000001", None);
        check("019cadfd89007-0007-8000-000000000001", None);
    }

    /// Lines as milliseconds and the turn they begin; gives the number of the first own one.
    fn own_from(id: &str, lines: &[(i64, Option<&str>)]) -> Option<usize> {
        let mut fork = Fork::of(id);
        fork.begin(Some(Timestamp::from_millis(0)));
        lines.iter().position(|(ms, turn)| fork.ends_at(9, Some(Timestamp::from_millis(*ms)), *turn))
    }

    #[test]
    fn the_own_part_begins_with_the_first_own_turn() {
        let check = |id: &str, lines: &[(i64, Option<&str>)], want: Option<usize>| {
            assert_eq!(own_from(id, lines), want, "{lines:?}");
        };
        check(BORN, &[(1, None), (2, Some(OLDER)), (3, Some(SAME))], Some(2));
        // The copy took long to write: its ids decide.
        check(BORN, &[(1, Some(OLDER)), (5000, None), (9000, Some(SAME))], Some(2));
        check(BORN, &[(1, Some(OLDER)), (5000, None)], None);
        // No ids.
        check(BORN, &[(1, None), (900, None), (2000, None)], Some(2));
        check("s1", &[(1, Some(OLDER)), (2000, Some(OLDER))], Some(1));
        check("s1", &[(1, None), (2, None)], None);
    }
}
