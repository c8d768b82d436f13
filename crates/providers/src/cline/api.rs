//! What the model is given: messages with Anthropic's blocks, without ids or times.

use std::borrow::Cow;

use palimpsest_record::MessageType;

use crate::anthropic::parts;
use crate::notes::Notes;
use crate::parts::{Part, Voice, tell};
use crate::said::Said;
use crate::writing::Writer;
use crate::{Batch, Line, Object, Outcome};

/// What Cline's own tools call the file that they work on.
const FILE: &[&str] = &["path"];
/// How a text begins that the product adds to each prompt.
const ENVIRONMENT: &str = "<environment_details>";
/// What the first prompt, or an answer to the model's question, is wrapped into.
const WRAPPED: [&str; 4] = ["task", "feedback", "answer", "user_message"];

/// Whether an object is one of its messages.
pub(super) fn is_message(object: &Object<'_>) -> bool {
    let is_spoken = matches!(object.str("role").as_deref(), Some("user" | "assistant"));
    is_spoken && object.has("content") && !object.has("parts")
}

/// Writes a message.
pub(super) fn message(object: &Object<'_>, line: &Line<'_>, notes: &mut Notes, batch: &mut Batch) -> Outcome {
    let role = object.str("role").unwrap_or_default();
    // Roo notes the time in milliseconds.
    let place = notes.place(None, object.instant("ts"), line);
    let mut to = Writer::new(batch, *line, 0, place);
    let voice = match &*role {
        "user" => Voice::user(),
        "assistant" => Voice::assistant(None, None, FILE),
        "" => return to.batch.ledger.unknown(&["malformed"]),
        other => return to.batch.ledger.unknown(&[other]),
    };
    let mut said = parts(object.value("content"), to.batch);
    let mut context = None;
    if voice.who == MessageType::User {
        (said, context) = heard(said, to.batch);
    }
    let has_results = said.iter().any(|part| matches!(part, Part::Result { .. }));
    let is_shown = tell(said, voice, &mut notes.calls, &mut to);
    if let Some(context) = context {
        to.hidden(MessageType::User, &context);
    }
    match (is_shown, has_results) {
        (true, _) => Outcome::Read,
        (false, true) => Outcome::Merged,
        (false, false) => to.batch.ledger.not_shown(&[&role]),
    }
}

/// What a person wrote, and what the product says in a person's place: the context, and, where the model has no tools of its own, what its
/// calls gave: a text that says so, and the texts behind it.
fn heard<'a>(parts: Vec<Part<'a>>, batch: &Batch) -> (Vec<Part<'a>>, Option<Cow<'a, str>>) {
    let mut heard = Vec::new();
    let mut context = None;
    let mut result: Option<Said> = None;
    let done = |said: Said| Part::Result { id: None, name: None, said, is_error: false };
    for part in parts {
        match part {
            Part::Text(text) if text.trim_start().starts_with(ENVIRONMENT) => context = Some(text),
            Part::Text(text) if is_result(&text) => {
                heard.extend(result.take().map(done));
                result = Some(Said::of(&text));
            }
            Part::Text(text) => match (unwrapped(&text), &mut result) {
                (None, Some(said)) => said.push(&text, batch),
                (Some(inner), _) => heard.push(Part::Text(inner.to_owned().into())),
                (None, None) => heard.push(Part::Text(text)),
            },
            other => heard.push(other),
        }
    }
    heard.splice(0..0, result.map(done));
    (heard, context)
}

/// `[read_file for 'gate.py'] Result:`
fn is_result(text: &str) -> bool {
    let head = text.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("] Result:"));
    head.is_some_and(|(tool, _)| {
        tool.len() < 300 && tool.starts_with(|first: char| first.is_ascii_lowercase())
    })
}

fn unwrapped(text: &str) -> Option<&str> {
    WRAPPED.iter().find_map(|tag| {
        let inner = text.trim().strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?;
        let inner = inner.strip_suffix('>')?.strip_suffix(tag)?.strip_suffix("</")?;
        Some(inner.trim())
    })
}
