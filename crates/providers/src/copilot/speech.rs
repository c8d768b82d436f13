//! What is said: prompts, answers with their thoughts and calls, notices.

use palimpsest_record::{Block, ContentType, MessageType, Preview, Text, Usage};

use super::calls::{Calls, FILE};
use super::shapes::{Attachment, Data, Request};
use crate::json::objects;
use crate::writing::{Place, Writer, say};

/// A prompt with its attachments. One that a skill made is that skill's instructions.
pub(super) fn prompt(data: &Data<'_>, to: &mut Writer<'_>) -> bool {
    let text = data.content.text().unwrap_or_default();
    let files: Vec<Attachment<'_>> = objects(data.attachments);
    if text.trim().is_empty() && files.is_empty() {
        return false;
    }
    let skill = data.source.text().and_then(|source| source.strip_prefix("skill-"));
    if skill.is_some() {
        to.instructions(skill, text);
        return true;
    }
    to.message(MessageType::User, ContentType::Text, |message, batch| {
        say(text, message, batch);
        if !files.is_empty() {
            message.content_type = ContentType::Mixed;
            let Preview { text, full_length } = batch.cut(text);
            message.blocks.push(Block::Text { text, full_length });
            message.blocks.extend(files.iter().map(|file| Block::File {
                name: file.display_name.text().or(file.path.text()).map(Text::from),
                media_type: None,
            }));
        }
    });
    true
}

/// An answer: its thought, unless that was said before, its text, its calls.
pub(super) fn answer(data: &Data<'_>, thought: Option<&str>, calls: &mut Calls, to: &mut Writer<'_>) -> bool {
    let model = data.model.text().map(Text::from);
    let first = to.batch.records.len();
    if let Some(thought) = thought {
        think(thought, model.clone(), to);
    }
    if let Some(text) = data.content.text().filter(|text| !text.trim().is_empty()) {
        to.message(MessageType::Assistant, ContentType::Text, |message, batch| {
            say(text, message, batch);
            message.model = model.clone();
        });
    }
    let requests: Vec<Request<'_>> = objects(data.tool_requests);
    if !requests.is_empty() {
        ask(&requests, model, calls, to);
    }
    let usage = Usage {
        output_tokens: data.output_tokens.unwrap_or(0),
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

fn ask(requests: &[Request<'_>], model: Option<Text>, calls: &mut Calls, to: &mut Writer<'_>) {
    let message_id =
        to.message(MessageType::Assistant, ContentType::ToolUse, |message, _| message.model = model);
    let place = Place { id: message_id, ..to.place.clone() };
    for (number, request) in requests.iter().enumerate() {
        let log_id = match request.tool_call_id.text().filter(|id| !id.is_empty()) {
            Some(id) => Text::from(id),
            None => Text::from(format!("{}-call-{}", to.place.id, number + 1)),
        };
        let id = calls.asked(&log_id, to.batch);
        let name = request.name.text().unwrap_or("unknown");
        let call = place.call(id, name, request.arguments, FILE, to.batch);
        to.batch.push(call);
    }
}
