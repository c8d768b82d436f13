//! Calls and their results. A call is said twice: by the answer that asks for it, and when it starts. Either may
//! be missing, and they come in any order.

use std::collections::HashMap;

use palimpsest_record::{ContentType, Json, MessageType, Text, ToolCall, ToolResult};
use serde_json::value::RawValue;

use super::timeline::Timeline;
use crate::json::{Lax, Nested, Str};
use crate::receipt::EntryId;
use crate::writing::Place;
use crate::{Batch, Outcome};

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
    agent: Option<Text>,
}

/// An event that says a call or a result.
pub(super) struct Said {
    pub(super) log_id: Text,
    pub(super) event: usize,
    pub(super) entry: EntryId,
    pub(super) place: Place,
    pub(super) agent: Option<Text>,
}

impl Said {
    fn hold<T>(self, record: T) -> Held<T> {
        let Said { log_id, event, entry, place, agent } = self;
        Held { record, log_id, event, entry, place, agent }
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
        let call = call(id, &said.place, name, arguments, batch);
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
            let mut message = held.place.message(MessageType::Assistant, ContentType::ToolUse);
            message.agent_id = held.agent;
            let mut message = message.into();
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
                let mut message = held.place.alone(&mut result);
                message.agent_id = held.agent;
                let mut message = message.into();
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

/// A call of the message at `place`.
pub(super) fn call(
    id: Text,
    place: &Place,
    name: &str,
    arguments: Option<&RawValue>,
    batch: &Batch,
) -> ToolCall {
    let (input, full_length) = match arguments {
        Some(arguments) => input(arguments, batch),
        None => (Json::parse("{}").unwrap_or_default(), None),
    };
    ToolCall {
        id,
        message_id: place.id.clone(),
        session_id: place.session_id.clone(),
        name: Text::from(name),
        file_path: file_path(input.get()),
        input,
        full_length,
        span: Some(place.span),
        ..ToolCall::default()
    }
}

/// Arguments are an object, or a string that holds one.
fn input(arguments: &RawValue, batch: &Batch) -> (Json, Option<u64>) {
    let inner = serde_json::from_str::<String>(arguments.get()).ok();
    match inner.filter(|inner| inner.trim_start().starts_with('{')).map(RawValue::from_string) {
        Some(Ok(inner)) => batch.cut_input(&inner),
        _ => batch.cut_input(arguments),
    }
}

/// The file that a call works on: Copilot's own tools call it `path`.
fn file_path(input: &str) -> Option<Text> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Named<'a> {
        #[serde(borrow)]
        path: Lax<Str<'a>>,
    }
    let Nested(named) = serde_json::from_str::<Nested<Named<'_>>>(input).ok()?;
    named?.path.text().map(Text::from)
}
