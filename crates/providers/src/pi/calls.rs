//! Which result belongs to which call. Some models reuse call ids, and a branch can answer a call
//! that another branch answered already, so the id alone does not tell.

use std::collections::{HashMap, HashSet};

use palimpsest_record::{Text, TranscriptRecord};

use super::fate::Fate;
use super::tree::Tree;
use crate::receipt::EntryId;
use crate::writing::Place;
use crate::{Batch, Outcome};

/// Occurrences of one id tried for a result, the latest first.
const MAX_TRIES: usize = 8;
/// Entries looked up from a result for its call: results follow within the turn.
const MAX_STEPS: usize = 256;

/// The calls and results read so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    by_log_id: HashMap<Text, Occurrences>,
    /// Ids given away.
    taken: HashSet<Text>,
    answers: Vec<Answer>,
}

#[derive(Debug)]
struct Call {
    node: usize,
    log_id: Text,
    id: Text,
}

/// What the log calls by one id.
#[derive(Debug, Default)]
struct Occurrences {
    calls: Vec<usize>,
    times: u32,
}

/// A result that a call has, for now.
#[derive(Debug)]
struct Answer {
    node: usize,
    call: usize,
    /// Its result record.
    record: usize,
    entry: EntryId,
    /// Where a message that shows it would stand.
    place: Place,
}

impl Calls {
    /// A call of the entry `node`: its id, unique in the session.
    pub(super) fn call(&mut self, log_id: &str, node: usize) -> Text {
        let id = self.unique(log_id);
        let log_id = Text::from(log_id);
        self.by_log_id.entry(log_id.clone()).or_default().calls.push(self.calls.len());
        self.calls.push(Call { node, log_id, id: id.clone() });
        id
    }

    /// `log_id`, or from its second use on `log_id~2` and so on.
    pub(super) fn unique(&mut self, log_id: &str) -> Text {
        let occurrences = self.by_log_id.entry(Text::from(log_id)).or_default();
        loop {
            occurrences.times = occurrences.times.saturating_add(1);
            let id = match occurrences.times {
                1 => Text::from(log_id),
                times => Text::from(format!("{log_id}~{times}")),
            };
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }

    /// The call that a result of the entry `node` answers: the latest of that id above it.
    pub(super) fn answered(&self, log_id: &str, node: usize, tree: &Tree) -> Option<(usize, Text)> {
        let is_above =
            |at: &&usize| self.calls.get(**at).is_some_and(|call| tree.is_above(call.node, node, MAX_STEPS));
        let found = match self.by_log_id.get(log_id)?.calls.as_slice() {
            [only] => Some(only),
            several => several.iter().rev().take(MAX_TRIES).find(is_above).or(several.last()),
        };
        let at = *found?;
        Some((at, self.calls.get(at)?.id.clone()))
    }

    /// Remembers which call a result record answers.
    pub(super) fn answer(&mut self, node: usize, call: usize, record: usize, entry: EntryId, place: Place) {
        self.answers.push(Answer { node, call, record, entry, place });
    }

    /// A call on the active path has the last result on the path; any other call the last at all.
    /// Results that lose are shown alone, at their own place: nothing that was logged is lost.
    pub(super) fn settle(&mut self, fates: &[Fate], batch: &mut Batch) {
        let is_left = |node: usize| fates.get(node).is_some_and(Fate::is_left);
        let mut winners: HashMap<usize, usize> = HashMap::new();
        for (at, answer) in self.answers.iter().enumerate() {
            let call_is_left = self.calls.get(answer.call).is_some_and(|call| is_left(call.node));
            if call_is_left || !is_left(answer.node) {
                winners.insert(answer.call, at);
            }
        }
        for (at, answer) in std::mem::take(&mut self.answers).into_iter().enumerate() {
            if winners.get(&answer.call) == Some(&at) {
                continue;
            }
            let Some(log_id) = self.calls.get(answer.call).map(|call| call.log_id.clone()) else { continue };
            let id = self.unique(&log_id);
            let Some(TranscriptRecord::ToolResult(result)) = batch.records.get_mut(answer.record) else {
                continue;
            };
            result.tool_call_id = id;
            let mut shown = TranscriptRecord::from(answer.place.alone(result));
            if let Some(fate) = fates.get(answer.node) {
                fate.settle(&mut shown);
            }
            batch.ledger.settle(answer.entry, Outcome::Read);
            batch.push(shown);
        }
    }
}
