//! What is said: prompts, answers with their thoughts and calls, notices.

use palimpsest_record::{Block, ContentType, MessageType, Preview, Text, Usage};

use super::calls::{Calls, FILE};
use crate::Object;
use crate::writing::{Place, Writer, say};

/// A prompt with its attachments. One that a skill made is that skill's instructions.
pub(super) fn prompt(data: &Object<'_>, to: &mut Writer<'_>) -> bool {
    let text = data.str("content").unwrap_or_default();
    let files = data.objects("attachments");
    if text.trim().is_empty() && files.is_empty() {
        return false;
    }
    let source = data.str("source").unwrap_or_default();
    if let Some(skill) = source.strip_prefix("skill-") {
        to.instructions(Some(skill), &text);
        return true;
    }
    to.message(MessageType::User, ContentType::Text, |message, batch| {
        say(&text, message, batch);
        if !files.is_empty() {
            message.content_type = ContentType::Mixed;
            let Preview { text, full_length } = batch.cut(&text);
            message.blocks.push(Block::Text { text, full_length });
            let name = |file: &Object<'_>| {
                file.str("displayName").or_else(|| file.str("path")).map(|it| Text::from(&*it))
            };
            message.blocks.extend(files.iter().map(|it| Block::File { name: name(it), media_type: None }));
        }
    });
    true
}

/// An answer: its thought, unless that was said before, its text, its calls.
pub(super) fn answer(
    data: &Object<'_>,
    thought: Option<&str>,
    calls: &mut Calls,
    to: &mut Writer<'_>,
) -> bool {
    let model = data.str("model").map(|model| Text::from(&*model));
    let first = to.batch.records.len();
    if let Some(thought) = thought {
        think(thought, model.clone(), to);
    }
    if let Some(text) = data.words("content") {
        to.message(MessageType::Assistant, ContentType::Text, |message, batch| {
            say(&text, message, batch);
            message.model = model.clone();
        });
    }
    let requests = data.objects("toolRequests");
    if !requests.is_empty() {
        ask(&requests, model, calls, to);
    }
    let usage = Usage {
        output_tokens: data.count("outputTokens").unwrap_or(0),
        request: Some(to.place.id.clone()),
        ..Usage::default()
    };
    if let Some(message) = to.batch.message_mut(first).filter(|_| !usage.is_empty()) {
        message.usage = Some(usage);
    }
    to.written() > 0
}

/// A thought.
pub(super) fn think(thought: &str, model: Option<Text>, to: &mut Writer<'_>) {
    to.message(MessageType::Assistant, ContentType::Thinking, |message, batch| {
        say(thought, message, batch);
        message.model = model;
    });
}

fn ask(requests: &[Object<'_>], model: Option<Text>, calls: &mut Calls, to: &mut Writer<'_>) {
    let message_id =
        to.message(MessageType::Assistant, ContentType::ToolUse, |message, _| message.model = model);
    let place = Place { id: message_id, ..to.place.clone() };
    for (number, request) in requests.iter().enumerate() {
        let log_id = match request.str("toolCallId").filter(|id| !id.is_empty()) {
            Some(id) => Text::from(&*id),
            None => Text::from(format!("{}-call-{}", to.place.id, number + 1)),
        };
        let id = calls.asked(&log_id, to.batch);
        let name = request.str("name").unwrap_or("unknown".into());
        let call = place.call(id, &name, request.value("arguments"), FILE, to.batch);
        to.batch.push(call);
    }
}
