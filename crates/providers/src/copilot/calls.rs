//! Calls and their results. A call is said twice: by the answer that asks for it, and when it starts. Either may
//! be missing, and they come in any order.

use std::collections::HashMap;

use palimpsest_record::{ContentType, MessageType, Text, ToolCall, ToolResult};
use serde_json::value::RawValue;

use super::timeline::Timeline;
use crate::receipt::EntryId;
use crate::writing::Place;
use crate::{Batch, Outcome};

/// What Copilot's own tools call the file that they work on.
pub(super) const FILE: &[&str] = &["path"];

/// The calls and results read so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    known: HashMap<Text, Known>,
    /// Calls that started and that no answer has asked for yet.
    started: Vec<Held<ToolCall>>,
    /// Results whose call is not there yet.
    results: Vec<Held<ToolResult>>,
}

/// What the log calls by one id: the last call of it.
#[derive(Debug)]
struct Known {
    id: Text,
    times: u32,
}

/// What waits for its other half.
#[derive(Debug)]
struct Held<T> {
    record: T,
    log_id: Text,
    /// Number of its event.
    event: usize,
    entry: EntryId,
    place: Place,
}

/// An event that says a call or a result.
pub(super) struct Said {
    pub(super) log_id: Text,
    pub(super) event: usize,
    pub(super) entry: EntryId,
    pub(super) place: Place,
}

impl Said {
    fn hold<T>(self, record: T) -> Held<T> {
        let Said { log_id, event, entry, place } = self;
        Held { record, log_id, event, entry, place }
    }
}

impl Calls {
    /// An answer asks for a call: its id, unique in the session.
    pub(super) fn asked(&mut self, log_id: &Text, batch: &mut Batch) -> Text {
        if let Some(at) = self.started.iter().position(|held| held.log_id == *log_id) {
            let held = self.started.swap_remove(at);
            batch.ledger.settle(held.entry, Outcome::Merged);
            return held.record.id;
        }
        self.new_id(log_id)
    }

    /// A call starts.
    pub(super) fn starts(&mut self, said: Said, name: &str, arguments: Option<&RawValue>, batch: &Batch) {
        if self.known.contains_key(&said.log_id) {
            return;
        }
        let id = self.new_id(&said.log_id);
        let call = said.place.call(id, name, arguments, FILE, batch);
        self.started.push(said.hold(call));
    }

    /// A result joins the last call of its id, also one that is only said later.
    pub(super) fn result(&mut self, said: Said, mut result: ToolResult, batch: &mut Batch) {
        match self.known.get(&said.log_id) {
            Some(known) => {
                result.tool_call_id = known.id.clone();
                batch.push(result);
            }
            None => self.results.push(said.hold(result)),
        }
    }

    /// The call's id, where it is a call of this session.
    pub(super) fn id(&self, log_id: &str) -> Option<Text> {
        self.known.get(log_id).map(|known| known.id.clone())
    }

    /// All is read: what still waits stands alone.
    pub(super) fn finish(&mut self, timeline: &Timeline, batch: &mut Batch) {
        for held in std::mem::take(&mut self.started) {
            let mut message = held.place.message(MessageType::Assistant, ContentType::ToolUse).into();
            timeline.settle_late(held.event, &mut message);
            batch.push(message);
            batch.push(held.record);
            batch.ledger.settle(held.entry, Outcome::Read);
        }
        for held in std::mem::take(&mut self.results) {
            let mut result = held.record;
            if let Some(known) = self.known.get(&held.log_id) {
                result.tool_call_id = known.id.clone();
            } else {
                result.tool_call_id = self.new_id(&held.log_id);
                let mut message = held.place.alone(&mut result).into();
                timeline.settle_late(held.event, &mut message);
                batch.push(message);
                batch.ledger.settle(held.entry, Outcome::Read);
            }
            batch.push(result);
        }
    }

    /// `log_id`, or from its second use on `log_id~2` and so on.
    fn new_id(&mut self, log_id: &Text) -> Text {
        let times = self.known.get(log_id).map_or(0, |known| known.times).saturating_add(1);
        let id = if times == 1 { log_id.clone() } else { Text::from(format!("{log_id}~{times}")) };
        self.known.insert(log_id.clone(), Known { id: id.clone(), times });
        id
    }
}
