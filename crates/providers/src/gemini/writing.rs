//! A message → records.

use std::collections::{BTreeMap, HashMap};

use palimpsest_record::{
    Block, ContentType, Message as Record, MessageType, Subagent, Text, ToolResult, TranscriptRecord, Usage,
    Visibility,
};

use super::content::{Said, said, words};
use super::shapes::{Answer, Call, Message, Part, Thought, Tokens};
use crate::json::{Lax, objects};
use crate::writing::{Place, Writer, say};
use crate::{Batch, Outcome};

/// What Gemini's own tools call the file that they work on.
const FILE: &[&str] = &["file_path", "absolute_path", "path"];

/// How the first prompt begins that the person did not write.
const CONTEXT: [&str; 2] = ["<session_context>", "This is the Gemini CLI. We are setting up the context"];

/// Calls and subagents so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// How often each id was used, and the call that has it now.
    known: HashMap<Text, (u32, Text)>,
    /// Calls without a result, by the tool's name: a saved chat has no ids.
    open: HashMap<Text, Vec<Text>>,
    pub(super) agents: BTreeMap<Text, Subagent>,
}

/// Writes the records of a message and says what became of its lines.
pub(super) fn message(message: &Message<'_>, calls: &mut Calls, to: &mut Writer<'_>) -> Outcome {
    let kind = message.kind.text().or(message.role.text()).unwrap_or_default();
    let content = message.content.or(message.parts);
    match kind {
        _ if content.is_some_and(|content| !content.get().starts_with(['"', '['])) => {
            to.batch.ledger.unknown(&[if kind.is_empty() { "malformed" } else { kind }])
        }
        "user" => user(message, said(content, to.batch), calls, to),
        "gemini" => answer(message, said(content, to.batch), calls, to),
        // In a saved chat the model has its service's name for it.
        "model" if message.kind.is_none() => answer(message, said(content, to.batch), calls, to),
        "info" | "warning" => notice(&said(content, to.batch), kind, to),
        "error" => {
            let said = said(content, to.batch);
            to.message(MessageType::System, ContentType::Error, |record, batch| {
                say(&said.text, record, batch);
                record.is_error = true;
            });
            Outcome::Read
        }
        "" => to.batch.ledger.unknown(&["malformed"]),
        other => to.batch.ledger.unknown(&[other]),
    }
}

fn user(message: &Message<'_>, sent: Said<'_>, calls: &mut Calls, to: &mut Writer<'_>) -> Outcome {
    for answer in &sent.answers {
        result(answer, calls, to);
    }
    let is_result = !sent.answers.is_empty();
    let typed = said(message.display_content, to.batch);
    let said = if typed.is_empty() { sent } else { typed };
    if said.is_empty() {
        return match (is_result, to.written()) {
            (true, 0) => Outcome::Merged,
            (true, _) => Outcome::Read,
            _ => to.batch.ledger.not_shown(&["user"]),
        };
    }
    let is_context = CONTEXT.iter().any(|context| said.text.trim_start().starts_with(context));
    let is_command = said.text.starts_with(['/', '?']) && said.blocks.is_empty();
    let content_type = match said.blocks.as_slice() {
        [] if is_command => ContentType::Command,
        [] => ContentType::Text,
        [Block::Image { .. }] => ContentType::Image,
        _ => ContentType::Mixed,
    };
    to.message(MessageType::User, content_type, |record, batch| {
        fill(said, record, batch);
        if is_context {
            record.visibility = Visibility::Hidden;
        }
    });
    if is_context { to.batch.ledger.not_shown(&["user", "context"]) } else { Outcome::Read }
}

fn answer(message: &Message<'_>, said: Said<'_>, calls: &mut Calls, to: &mut Writer<'_>) -> Outcome {
    let model = message.model.text().map(Text::from);
    let first = to.batch.records.len();
    let mut thoughts: Vec<String> =
        objects::<Thought<'_>>(message.thoughts).iter().filter_map(thought).collect();
    if !said.thoughts.is_empty() {
        thoughts.push(said.thoughts.clone());
    }
    if !thoughts.is_empty() {
        to.message(MessageType::Assistant, ContentType::Thinking, |record, batch| {
            say(&thoughts.join("\n\n"), record, batch);
            record.model.clone_from(&model);
        });
    }
    let mut made: Vec<Call<'_>> = objects(message.tool_calls);
    let mut said = said;
    made.append(&mut said.calls);
    if !said.is_empty() {
        let content_type = if said.blocks.is_empty() { ContentType::Text } else { ContentType::Mixed };
        to.message(MessageType::Assistant, content_type, |record, batch| {
            fill(said, record, batch);
            record.model.clone_from(&model);
        });
    }
    if !made.is_empty() {
        let id = to.message(MessageType::Assistant, ContentType::ToolUse, |record, _| {
            record.model.clone_from(&model);
        });
        let place = Place { id, ..to.place.clone() };
        for (number, call) in made.iter().enumerate() {
            self::call(call, number, &place, calls, to);
        }
    }
    let usage = message.tokens.0.as_ref().map(|tokens| usage(tokens, &to.place.id));
    let usage = usage.filter(|usage| !usage.is_empty());
    if to.written() == 0 {
        // Nothing to show; but a model call was made and is counted.
        if usage.is_some() {
            to.message(MessageType::Assistant, ContentType::Text, |record, _| {
                record.visibility = Visibility::Hidden;
                record.usage = usage;
            });
        }
        return to.batch.ledger.not_shown(&["gemini"]);
    }
    if let Some(record) = to.batch.message_mut(first) {
        record.usage = usage;
    }
    Outcome::Read
}

fn notice(said: &Said<'_>, kind: &str, to: &mut Writer<'_>) -> Outcome {
    if said.is_empty() {
        return to.batch.ledger.not_shown(&[kind]);
    }
    to.message(MessageType::System, ContentType::Text, |record, batch| {
        say(&said.text, record, batch);
        record.is_meta = true;
    });
    Outcome::Read
}

fn thought(thought: &Thought<'_>) -> Option<String> {
    let subject = thought.subject.text().filter(|text| !text.trim().is_empty());
    let description = thought.description.text().filter(|text| !text.trim().is_empty());
    match (subject, description) {
        (Some(subject), Some(description)) => Some(format!("{subject}: {description}")),
        (text, other) => text.or(other).map(str::to_owned),
    }
}

fn call(call: &Call<'_>, number: usize, place: &Place, calls: &mut Calls, to: &mut Writer<'_>) {
    let log_id = match call.id.text().filter(|id| !id.is_empty()) {
        Some(id) => Text::from(id),
        None => Text::from(format!("{}-call-{}", to.place.id, number + 1)),
    };
    let id = calls.new_id(&log_id);
    let name = call.name.text().unwrap_or("unknown");
    let record = place.call(id.clone(), name, call.args, FILE, to.batch);
    to.batch.push(record);
    if let Some(agent) = call.agent_id.text().filter(|agent| !agent.is_empty()).map(Text::from) {
        let new = || Subagent { agent_id: agent.clone(), ..Subagent::default() };
        calls.agents.entry(agent.clone()).or_insert_with(new).parent_tool_call_id = Some(id.clone());
    }
    let parts: Vec<Part<'_>> = objects(call.result);
    let answers = parts.iter().filter_map(|part| part.function_response.0.as_ref());
    let said: Vec<(String, bool)> = answers.filter_map(words).collect();
    let is_error = call.status.text() == Some("error") || said.iter().any(|(_, failed)| *failed);
    let text = match said.as_slice() {
        [] => match call.result_display.text().filter(|_| call.status.text() != Some("cancelled")) {
            Some(text) => text.to_owned(),
            None if call.status.text() == Some("error") => String::new(),
            None => {
                calls.open.entry(Text::from(name)).or_default().push(id);
                return;
            }
        },
        texts => texts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join("\n"),
    };
    push_result(id, &text, is_error, to);
}

/// A result that came as a message. It belongs to the call with its id, or to the first open one of its tool; without one
/// it is shown alone.
fn result(answer: &Answer<'_>, calls: &mut Calls, to: &mut Writer<'_>) {
    let by_id = answer.id.text().and_then(|id| calls.known.get(id)).map(|known| known.1.clone());
    let open = answer.name.text().and_then(|name| calls.open.get_mut(name));
    let id = match (by_id, open) {
        (Some(id), Some(open)) => {
            open.retain(|other| *other != id);
            Some(id)
        }
        (None, Some(open)) if !open.is_empty() => Some(open.remove(0)),
        (id, _) => id,
    };
    let Some((text, failed)) = words(answer) else { return };
    if let Some(id) = id {
        return push_result(id, &text, failed, to);
    }
    let log_id = answer.id.text().map_or_else(|| Text::from(format!("call-of-{}", to.place.id)), Text::from);
    let id = calls.new_id(&log_id);
    let message = to.message(MessageType::System, ContentType::ToolResult, |record, batch| {
        say(&text, record, batch);
        record.is_error = failed;
    });
    push_result(id, &text, failed, to);
    if let Some(TranscriptRecord::ToolResult(result)) = to.batch.records.last_mut() {
        result.message_id = Some(message);
    }
}

fn push_result(id: Text, text: &str, is_error: bool, to: &mut Writer<'_>) {
    let cut = to.batch.cut(text);
    to.batch.push(ToolResult {
        tool_call_id: id,
        session_id: to.place.session_id.clone(),
        content: cut.text,
        full_length: cut.full_length,
        is_error,
        span: Some(to.place.span),
        ..ToolResult::default()
    });
}

fn fill(said: Said<'_>, record: &mut Record, batch: &Batch) {
    if !said.text.is_empty() {
        say(&said.text, record, batch);
    }
    record.blocks = said.blocks;
}

impl Calls {
    /// `log_id`, or from its second use on `log_id~2` and so on.
    fn new_id(&mut self, log_id: &Text) -> Text {
        let (times, id) = self.known.entry(log_id.clone()).or_default();
        *times = times.saturating_add(1);
        *id = if *times == 1 { log_id.clone() } else { Text::from(format!("{log_id}~{times}")) };
        id.clone()
    }
}

/// `input` has the cached tokens in it; thoughts are output, and what tools gave is input.
fn usage(tokens: &Tokens, request: &Text) -> Usage {
    let count = |count: &Lax<u64>| count.unwrap_or(0);
    Usage {
        input_tokens: count(&tokens.input).saturating_add(count(&tokens.tool)),
        cached_input_tokens: count(&tokens.cached),
        output_tokens: count(&tokens.output).saturating_add(count(&tokens.thoughts)),
        reasoning_tokens: count(&tokens.thoughts),
        request: Some(request.clone()),
        ..Usage::default()
    }
}
