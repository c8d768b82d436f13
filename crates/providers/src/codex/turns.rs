//! Turns, and what a rollback takes back.
//!
//! A turn is a stretch of the log, from one border to the next. Newer versions say where a turn
//! begins (`task_started`), and a prompt typed while it runs belongs to it. Older ones say it only
//! by the prompt; a `turn_context` with another turn's id is a border in both.

use palimpsest_record::{Superseded, SupersededBy, Text, Timestamp};

/// The turn being read.
#[derive(Default)]
pub(super) struct Turn {
    /// Place of its first line.
    start: u64,
    /// Its id, once it is known.
    id: Option<Text>,
    /// A `turn_context` has been seen: another one with another id is another turn's.
    has_context: bool,
    /// It was opened by name, so a further prompt does not begin another one.
    is_explicit: bool,
    /// Prompts that a person typed.
    pub(super) typed: u32,
    /// The agent has said or done something.
    pub(super) is_answered: bool,
    /// The event stream shows this turn's messages: what a person typed has a twin in it.
    pub(super) is_mirrored: bool,
    /// The last record in which the agent says something.
    pub(super) last_answer: Option<usize>,
    /// The last error shown.
    pub(super) last_error: Option<Text>,
}

/// All turns of a thread.
#[derive(Default)]
pub(super) struct Turns {
    pub(super) current: Turn,
    closed: Vec<Stretch>,
    /// Indices into `closed` of what still stands.
    standing: Vec<usize>,
    /// How many of those have a prompt.
    prompts: u64,
    rollbacks: Vec<Superseded>,
}

/// A turn that is over.
struct Stretch {
    start: u64,
    has_prompt: bool,
    /// Index of the rollback that took it back.
    taken_back: Option<usize>,
}

impl Turns {
    /// `task_started`: a turn begins by name.
    pub(super) fn begin(&mut self, start: u64, id: Option<&str>) {
        self.close(start);
        self.current.id = id.map(Text::from);
        self.current.is_explicit = true;
    }

    /// Whether a `turn_context` with this id begins another turn.
    pub(super) fn is_other_turn(&self, id: Option<&str>) -> bool {
        let Some(id) = id else { return false };
        let current = &self.current;
        current.has_context && current.id.as_deref() != Some(id)
            // A turn that began without a name takes the first context's, if it comes before an answer.
            || !current.has_context && !current.is_explicit && current.is_answered
    }

    /// The number of the current turn.
    pub(super) fn number(&self) -> usize {
        self.closed.len()
    }

    /// A `turn_context` is read.
    pub(super) fn context(&mut self, id: Option<&str>) {
        self.current.has_context |= id.is_some();
        if let Some(id) = id {
            self.current.id = Some(Text::from(id));
        }
    }

    /// Whether a prompt typed now begins another turn.
    pub(super) fn prompt_begins_turn(&self) -> bool {
        !self.current.is_explicit && (self.current.is_answered || self.current.typed > 0)
    }

    /// `task_complete`: what is typed next begins another turn.
    pub(super) fn end(&mut self) {
        self.current.is_explicit = false;
        self.current.is_answered = true;
    }

    /// The current turn is over; another one begins at `start`.
    pub(super) fn close(&mut self, start: u64) {
        let turn = std::mem::replace(&mut self.current, Turn { start, ..Turn::default() });
        self.standing.push(self.closed.len());
        self.prompts += u64::from(turn.typed > 0);
        self.closed.push(Stretch { start: turn.start, has_prompt: turn.typed > 0, taken_back: None });
    }

    /// `thread_rolled_back`: the last `count` turns with a prompt are taken back, and whatever
    /// stands between and behind them. More than there are is all there are.
    pub(super) fn roll_back(&mut self, at: u64, count: u64, time: Option<Timestamp>, marker: &Text) {
        self.close(at);
        let rollback = self.rollbacks.len();
        self.rollbacks.push(Superseded { how: SupersededBy::RolledBack, at: time, by: Some(marker.clone()) });
        let left = self.prompts.saturating_sub(count);
        while self.prompts > left {
            let Some(index) = self.standing.pop() else { return };
            if let Some(turn) = self.closed.get_mut(index) {
                turn.taken_back = Some(rollback);
                self.prompts -= u64::from(turn.has_prompt);
            }
        }
    }

    /// Why what stands at `place` is superseded, if a rollback took it back.
    pub(super) fn superseded(&self, place: u64) -> Option<&Superseded> {
        let index = self.closed.partition_point(|turn| turn.start <= place).checked_sub(1)?;
        // Behind the last border is the turn that is still open, which nothing has taken back.
        if self.closed.len() == index + 1 && place >= self.current.start {
            return None;
        }
        self.rollbacks.get(self.closed.get(index)?.taken_back?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns with a prompt each at 10, 20, 30, …, written as letters; a digit rolls back as many.
    /// Gives what still stands of the letters at the end.
    fn standing(script: &str) -> String {
        let mut turns = Turns::default();
        let mut places = Vec::new();
        for (step, word) in (1..).zip(script.chars()) {
            let place = step * 10;
            match word.to_digit(10) {
                Some(count) => {
                    turns.roll_back(place, u64::from(count), None, &Text::from(format!("marker {place}")));
                }
                None => {
                    turns.begin(place, None);
                    turns.current.typed = u32::from(word != '-');
                    places.push((place + 1, word));
                }
            }
        }
        places
            .into_iter()
            .filter(|(place, _)| turns.superseded(*place).is_none())
            .map(|(_, word)| word)
            .collect()
    }

    #[test]
    fn rollbacks_take_the_last_turns_that_stand() {
        let check = |script: &str, want: &str| assert_eq!(standing(script), want, "{script}");
        check("abc", "abc");
        check("abc2d", "ad");
        check("abc1d1e", "abe");
        check("abc1d2e", "ae");
        check("ab9c", "c");
        check("abc0", "abc");
        // A turn without a prompt is not counted, and goes with those before it.
        check("ab-1c", "ac");
        check("a-b1c", "a-c");
    }

    #[test]
    fn what_took_a_turn_back_is_named_and_stays() {
        let mut turns = Turns::default();
        for place in [10, 20] {
            turns.begin(place, None);
            turns.current.typed = 1;
        }
        turns.roll_back(30, 1, None, &Text::from("L30"));
        let by = |place| turns.superseded(place).and_then(|why| why.by.as_deref());
        assert_eq!([by(15), by(25), by(30), by(99)], [None, Some("L30"), None, None]);
    }
}
