//! The parts of what somebody said, in the terms that all products share, → records.

use std::borrow::Cow;

use palimpsest_record::{Block, ContentType, MessageType, Text, TranscriptRecord, Usage, Visibility};
use serde_json::value::RawValue;

use crate::calls::Calls;
use crate::said::Said;
use crate::writing::{Place, Writer, say};

/// One part.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A thought of the model.
    Thought(Cow<'a, str>),
    /// An image, a file, or something that this version does not know.
    Block(Block),
    /// A tool call.
    Call {
        /// As the log has it.
        id: Option<Cow<'a, str>>,
        /// The tool's name.
        name: Cow<'a, str>,
        /// An object, or a string that holds one.
        input: Option<&'a RawValue>,
    },
    /// What a call gave.
    Result {
        /// The call's, as the log has it.
        id: Option<Cow<'a, str>>,
        /// The tool's name.
        name: Option<Cow<'a, str>>,
        /// Its words.
        said: Said,
        /// It is a failure.
        is_error: bool,
    },
}

/// Who says it, and how.
#[derive(Debug, Default)]
pub(crate) struct Voice {
    /// Who.
    pub(crate) who: MessageType,
    /// The model that wrote it.
    pub(crate) model: Option<Text>,
    /// The model call that it came from.
    pub(crate) usage: Option<Usage>,
    /// It is injected.
    pub(crate) is_meta: bool,
    /// What the product's tools call the file that they work on.
    pub(crate) file: &'static [&'static str],
}

impl Voice {
    /// A person's.
    pub(crate) fn user() -> Voice {
        Voice::default()
    }

    /// A model's.
    pub(crate) fn assistant(
        model: Option<Text>,
        usage: Option<Usage>,
        file: &'static [&'static str],
    ) -> Voice {
        Voice { who: MessageType::Assistant, model, usage, is_meta: false, file }
    }
}

/// Writes the records of an entry: texts and images that stand together are a message, each thought is one, calls that stand
/// together are one, results join their calls. A result whose call is nowhere stands alone. Whether a message was written.
pub(crate) fn tell(parts: Vec<Part<'_>>, voice: Voice, calls: &mut Calls, to: &mut Writer<'_>) -> bool {
    let first = to.batch.records.len();
    let mut said = Said::default();
    // The message of the calls that stand together.
    let mut asking: Option<Place> = None;
    let mut number = 1;
    for part in parts {
        if !matches!(part, Part::Call { .. }) {
            asking = None;
        }
        match part {
            Part::Text(text) => {
                if !text.trim().is_empty() {
                    said.push(&text, to.batch);
                }
                continue;
            }
            Part::Block(block) => {
                said.push_block(block);
                continue;
            }
            _ => flush(&mut said, &voice, to),
        }
        match part {
            Part::Thought(text) if !text.trim().is_empty() => {
                message(ContentType::Thinking, &voice, to, Said::of(&text));
            }
            Part::Call { id, name, input } => {
                let place = asking.get_or_insert_with(|| {
                    let id = message(ContentType::ToolUse, &voice, to, Said::default());
                    Place { id, ..to.place.clone() }
                });
                let own = format!("{}-call-{number}", to.place.id);
                number += 1;
                let id = calls.ask(id.as_deref().filter(|id| !id.is_empty()).unwrap_or(&own), &name);
                let record = place.call(id, &name, input, voice.file, to.batch);
                to.batch.push(record);
            }
            Part::Result { id, name, said, is_error } => {
                result(id.as_deref(), name.as_deref(), said, is_error, calls, to);
            }
            _ => {}
        }
    }
    flush(&mut said, &voice, to);
    count(voice.usage, first, to)
}

/// Gives a model call to the first message from `first` on. Where there is none, a hidden one holds it: it was made and is counted.
/// Whether there is one that is shown.
pub(crate) fn count(usage: Option<Usage>, first: usize, to: &mut Writer<'_>) -> bool {
    let usage = usage.filter(|usage| !usage.is_empty());
    let mut messages = to.batch.records.iter_mut().skip(first).filter_map(|record| match record {
        TranscriptRecord::Message(message) => Some(message),
        _ => None,
    });
    match (messages.next(), usage) {
        (Some(message), usage) => {
            message.usage = usage;
            true
        }
        (None, Some(usage)) => {
            to.message(MessageType::Assistant, ContentType::Text, |message, _| {
                message.visibility = Visibility::Hidden;
                message.usage = Some(usage);
            });
            false
        }
        (None, None) => false,
    }
}

fn flush(said: &mut Said, voice: &Voice, to: &mut Writer<'_>) {
    let said = std::mem::take(said);
    if !said.is_empty() {
        message(said.content_type(), voice, to, said);
    }
}

fn message(content_type: ContentType, voice: &Voice, to: &mut Writer<'_>, said: Said) -> Text {
    to.message(voice.who, content_type, |message, batch| {
        said.fill(message, batch);
        message.model.clone_from(&voice.model);
        message.is_meta = voice.is_meta;
    })
}

/// Writes a result: to its call, or alone.
pub(crate) fn result(
    id: Option<&str>,
    name: Option<&str>,
    said: Said,
    is_error: bool,
    calls: &mut Calls,
    to: &mut Writer<'_>,
) {
    let text = said.text.clone();
    let mut record = said.result(is_error, &to.place, to.batch);
    match calls.answer(id, name) {
        Some(call) => record.tool_call_id = call,
        None => {
            let carrier = to.message(MessageType::System, ContentType::ToolResult, |message, batch| {
                say(&text, message, batch);
                message.is_error = is_error;
            });
            let named = id.filter(|id| !id.is_empty()).map(str::to_owned);
            record.tool_call_id = calls.lost(&named.unwrap_or_else(|| format!("call-of-{carrier}")));
            record.message_id = Some(carrier);
        }
    }
    to.batch.push(record);
}
