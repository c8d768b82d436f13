//! Tool calls and their results.
//!
//! A call's id is unique here also where a log uses one twice (`toolu_1`, `toolu_1~2`): a result
//! belongs to the last call of its id. A log made by other software may leave the id out; then
//! results come in the order of the calls.

use std::collections::{HashMap, VecDeque};

use palimpsest_record::{Text, ToolResult, TranscriptRecord};

use super::threads::ThreadId;
use crate::Batch;

/// Calls without an id that wait for a result, at most: no agent makes as many at once.
const UNNAMED: usize = 256;

/// A tool call, or a result of which the call is not known.
#[derive(Debug)]
pub(super) struct Call {
    /// Its id in our records.
    pub(super) id: Text,
    /// Record of the call; none for a result alone.
    pub(super) record: Option<usize>,
    /// Record of the result.
    result: Option<usize>,
    /// The API response that made it.
    response: Option<u32>,
    thread: ThreadId,
    /// Only a relayed line told of it.
    relayed: bool,
    /// What it started.
    pub(super) starts: Starts,
}

impl Call {
    /// What was only relayed is dropped when the agent's own lines come.
    fn gives_way_to(&self, made: Made) -> bool {
        self.relayed && !made.relayed && self.thread == made.thread
    }
}

/// What a tool call starts beyond itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Starts {
    /// Nothing.
    Nothing,
    /// A subagent.
    Agent,
    /// A workflow.
    Workflow,
    /// A skill.
    Skill,
}

/// Number of a call.
pub(super) type CallNumber = usize;

/// All calls.
#[derive(Debug, Default)]
pub(super) struct Calls {
    all: Vec<Call>,
    by_id: HashMap<Text, CallNumber>,
    /// Ids given so far where a log's own was taken.
    given: HashMap<Text, u32>,
    unnamed: VecDeque<CallNumber>,
}

/// Where a call was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) response: Option<u32>,
    pub(super) thread: ThreadId,
    pub(super) relayed: bool,
}

impl Calls {
    /// The call of that id that `made` repeats: the same response writes it again.
    pub(super) fn repeated(&self, id: &str, made: Made) -> Option<&Call> {
        let call = self.get(id)?;
        let same = made.response.is_some() && call.response == made.response;
        call.record.filter(|_| same).map(|_| call)
    }

    /// The record of the call of that id, where it was made in the same thread and has no result yet.
    pub(super) fn waiting(&self, id: &str, made: Made) -> Option<usize> {
        let call = self.get(id)?;
        call.record.filter(|_| call.result.is_none() && call.thread == made.thread)
    }

    /// Enters a call and gives it its id. `unnamed` is the id of one that the log gives none.
    pub(super) fn enter(&mut self, id: Option<&str>, unnamed: &str, made: Made) -> CallNumber {
        let number = self.all.len();
        if id.is_none() {
            self.unnamed.push_back(number);
            if self.unnamed.len() > UNNAMED {
                self.unnamed.pop_front();
            }
        }
        let id = self.take(id.unwrap_or(unnamed), number, made);
        let Made { response, thread, relayed } = made;
        self.all.push(Call {
            id,
            record: None,
            result: None,
            response,
            thread,
            relayed,
            starts: Starts::Nothing,
        });
        number
    }

    /// The id for a new call, or for a result of none, that the log calls `id`.
    fn take(&mut self, id: &str, number: CallNumber, made: Made) -> Text {
        let known = self.by_id.get(id).and_then(|&known| self.all.get(known));
        let free = known.is_none_or(|known| known.gives_way_to(made));
        let given = if free { Text::from(id) } else { self.another(id, number) };
        self.by_id.insert(Text::from(id), number);
        given
    }

    /// An id that no call has: `id~2`, `id~3`, …
    fn another(&mut self, id: &str, number: CallNumber) -> Text {
        let mut count = self.given.get(id).copied().unwrap_or(1);
        loop {
            count += 1;
            let candidate = Text::from(format!("{id}~{count}"));
            if !self.by_id.contains_key(&candidate) {
                self.given.insert(Text::from(id), count);
                self.by_id.insert(candidate.clone(), number);
                return candidate;
            }
        }
    }

    /// The last call of that id.
    pub(super) fn get(&self, id: &str) -> Option<&Call> {
        self.by_id.get(id).and_then(|&number| self.all.get(number))
    }

    pub(super) fn number(&self, number: CallNumber) -> Option<&Call> {
        self.all.get(number)
    }

    pub(super) fn number_mut(&mut self, number: CallNumber) -> Option<&mut Call> {
        self.all.get_mut(number)
    }

    /// The call that a result is of; the result is entered alone where there is none.
    pub(super) fn answered(&mut self, id: Option<&str>, unnamed: &str, made: Made) -> CallNumber {
        let known = match id {
            Some(id) => {
                let known = self.by_id.get(id).copied();
                known.filter(|&known| self.all.get(known).is_some_and(|known| !known.gives_way_to(made)))
            }
            None => {
                let waits =
                    |number: &CallNumber| self.all.get(*number).is_some_and(|c| c.thread == made.thread);
                self.unnamed.iter().position(waits).and_then(|at| self.unnamed.remove(at))
            }
        };
        known.unwrap_or_else(|| self.enter(Some(id.unwrap_or(unnamed)), unnamed, made))
    }

    /// Records the result of a call. True where it is a result of its own, false where it says what
    /// an earlier one said. The later of two holds; the earlier is kept, but is nobody's.
    pub(super) fn answer(&mut self, number: CallNumber, result: ToolResult, batch: &mut Batch) -> bool {
        let Some(call) = self.all.get(number) else { return false };
        let id = call.id.clone();
        if let Some(earlier) = call.result {
            match batch.records.get(earlier) {
                Some(TranscriptRecord::ToolResult(known)) if says_the_same(known, &result) => return false,
                _ => {}
            }
            let orphan = self.another(&id, number);
            if let Some(TranscriptRecord::ToolResult(known)) = batch.records.get_mut(earlier) {
                known.tool_call_id = orphan;
            }
        }
        let at = batch.push(ToolResult { tool_call_id: id, ..result });
        if let Some(call) = self.all.get_mut(number) {
            call.result = Some(at);
        }
        true
    }
}

fn says_the_same(a: &ToolResult, b: &ToolResult) -> bool {
    a.content == b.content
        && a.full_length == b.full_length
        && a.blocks == b.blocks
        && a.is_error == b.is_error
}
