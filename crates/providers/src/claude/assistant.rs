//! Lines of the agent: thoughts, texts and tool calls of an API response.

use palimpsest_record::{
    Block as Part, ContentType, Message, MessageType, Presentation, Text, ToolCall, TranscriptRecord,
    Visibility,
};

use super::ClaudeReader;
use super::calls::{Made, Starts};
use super::media::part;
use super::responses::{Known, usage};
use super::said::Said;
use super::shapes::{Block, Content};
use super::tree::Kind;
use super::words::Words;
use super::writer::Writer;
use crate::Batch;

/// What a line did, beyond its records.
pub(super) struct Heard {
    pub(super) kind: Kind,
    pub(super) response: Option<u32>,
}

impl ClaudeReader {
    /// Reads a line of the agent.
    pub(super) fn assistant(&mut self, said: &Said<'_, '_>, out: &mut Writer<'_>) -> Heard {
        let model = said.model.filter(|model| *model != "<synthetic>");
        let synthetic = said.model.is_some() && model.is_none();
        let (thread, relayed) = (out.stamp.thread, out.stamp.relayed);
        let response = said.id.filter(|id| !id.is_empty()).map(|id| self.responses.of(id, thread, relayed));
        let model = model.map(|model| self.texts.get(model));
        if let Some(model) = &model {
            self.session.asked(model, thread);
        }
        let mut turn =
            Turn { said, model, made: Made { response, thread, relayed }, synthetic, calls_of: None };
        match said.content {
            Content::Text(text) => self.says(&mut turn, 0, ContentType::Text, Some(text), out),
            Content::Blocks(blocks) => {
                for (at, block) in blocks.iter().enumerate() {
                    self.block(&mut turn, at, block, out);
                }
            }
            Content::None => {}
        }
        self.count(&turn, out);
        if let Some(at) = out.tail {
            self.threads.of(thread).last_answer = Some(at);
        }
        Heard { kind: Kind::Answer, response }
    }

    fn block(&mut self, turn: &mut Turn<'_, '_, '_>, at: usize, block: &Block<'_>, out: &mut Writer<'_>) {
        match block.kind.text().unwrap_or_default() {
            "text" => self.says(turn, at, ContentType::Text, block.text.as_ref(), out),
            "thinking" | "redacted_thinking" => {
                self.says(turn, at, ContentType::Thinking, block.thinking.as_ref(), out);
            }
            "tool_use" | "server_tool_use" | "mcp_tool_use" => self.calls(turn, at, block, out),
            kind if kind.ends_with("tool_result") => self.result(at, block, None, out),
            _ => self.shows(turn, at, part(block, out.batch), out),
        }
    }

    /// An image, or what this version does not know.
    fn shows(&mut self, turn: &mut Turn<'_, '_, '_>, at: usize, part: Part, out: &mut Writer<'_>) {
        let content_type = match part {
            Part::Image { .. } => ContentType::Image,
            Part::Unknown { .. } => ContentType::Unknown,
            _ => ContentType::Mixed,
        };
        let blocks = vec![part];
        let line = out.records().start;
        let repeats = |response| self.responses.has(response, &blocks, line, out.batch);
        if turn.made.response.is_some_and(repeats) {
            out.merged = true;
            return;
        }
        turn.calls_of = None;
        let message = out.message(at, MessageType::Assistant, content_type);
        self.speaks(turn, at, Message { blocks, model: turn.model.clone(), ..message }, out);
    }

    /// A text or a thought. An empty thought is one that the API keeps to itself.
    fn says(
        &mut self,
        turn: &mut Turn<'_, '_, '_>,
        at: usize,
        content_type: ContentType,
        text: Option<&Words<'_>>,
        out: &mut Writer<'_>,
    ) {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return };
        let line = out.records().start;
        let known = turn
            .made
            .response
            .map(|response| self.responses.known(response, text, content_type, line, out.batch));
        match known {
            Some(Known::Same) => {
                out.merged = true;
                return;
            }
            Some(Known::Grown(record)) => {
                let whole = text.preview(out.batch.options.preview_limit);
                if let Some(message) = out.batch.message_mut(record) {
                    message.text = Some(whole.text);
                    message.full_length = whole.full_length;
                    message.span = message.span.map(|span| span.join(out.line.span));
                }
                out.merged = true;
                return;
            }
            Some(Known::No) | None => {}
        }
        turn.calls_of = None;
        let failed = turn.said.is_error || turn.synthetic && text.starts_with("API Error");
        let content_type = if failed { ContentType::Error } else { content_type };
        let mut message = out.text(at, MessageType::Assistant, content_type, text);
        message.is_error = failed;
        message.model = turn.model.clone();
        if turn.synthetic && text.trim() == "No response requested." {
            message.visibility = Visibility::Hidden;
        }
        self.speaks(turn, at, message, out);
    }

    fn speaks(
        &mut self,
        turn: &Turn<'_, '_, '_>,
        at: usize,
        message: Message,
        out: &mut Writer<'_>,
    ) -> Option<usize> {
        let record = out.say(at, message)?;
        if let Some(response) = turn.made.response {
            self.responses.said(response, record);
        }
        Some(record)
    }

    /// A tool call. Calls that follow each other on a line share one message.
    fn calls(&mut self, turn: &mut Turn<'_, '_, '_>, at: usize, block: &Block<'_>, out: &mut Writer<'_>) {
        let id = block.id.text().filter(|id| !id.is_empty());
        let again = id.and_then(|id| self.calls.repeated(id, turn.made)).and_then(|call| call.record);
        // iFlow writes a call with the answer that asks for it, and once more by itself.
        let is_dialect = turn.said.id.is_some_and(|id| id.starts_with("response-"));
        let twin = id.filter(|_| is_dialect).and_then(|id| self.calls.waiting(id, turn.made));
        if let Some(record) = again.or(twin.filter(|&record| is_same(record, block, out.batch))) {
            repeat(record, block, out);
            out.merged = true;
            return;
        }
        if id.is_none() && !out.stamp.known.is_empty() {
            // A copied line whose calls have no ids: they are those of the first.
            out.merged = true;
            return;
        }
        let message_id = match &turn.calls_of {
            Some(message_id) => message_id.clone(),
            None => {
                let message = out.message(at, MessageType::Assistant, ContentType::ToolUse);
                let message = Message { model: turn.model.clone(), ..message };
                let Some(record) = self.speaks(turn, at, message, out) else { return };
                let Some(message) = out.batch.message_mut(record) else { return };
                turn.calls_of.insert(message.id.clone()).clone()
            }
        };
        let unnamed = if id.is_none() { format!("{}#{at}", out.stamp.id) } else { String::new() };
        let number = self.calls.enter(id, &unnamed, turn.made);
        let name = block.name.text().unwrap_or("unknown");
        let starts = self.starts(number, name, block.input);
        let Some(call) = self.calls.number_mut(number) else { return };
        call.starts = starts;
        let (input, full_length) = block.input.map(|input| out.input(input)).unwrap_or_default();
        let record = out.batch.push(ToolCall {
            id: call.id.clone(),
            message_id,
            session_id: out.stamp.session_id.clone(),
            name: self.texts.get(name),
            presentation: if starts == Starts::Skill { Presentation::Skill } else { Presentation::Default },
            input,
            full_length,
            file_path: block.input.and_then(|input| file_path(input.get())),
            span: Some(out.line.span),
            ..ToolCall::default()
        });
        call.record = Some(record);
    }

    /// Puts the line's usage where it counts once. A response of which nothing shows is kept hidden.
    fn count(&mut self, turn: &Turn<'_, '_, '_>, out: &mut Writer<'_>) {
        let Some(api) = turn.said.usage.filter(|_| !turn.synthetic) else { return };
        let request = match turn.said.id.filter(|id| !id.is_empty()) {
            Some(id) => Text::from(id),
            None => out.stamp.id.clone(),
        };
        let Some(usage) = usage(api, turn.said.cost_usd, &request) else { return };
        let silent = turn.made.response.is_none_or(|response| self.responses.is_silent(response));
        if silent && out.records().is_empty() && !out.merged {
            let message = out.message(0, MessageType::Assistant, ContentType::Thinking);
            let message = Message { visibility: Visibility::Hidden, model: turn.model.clone(), ..message };
            self.speaks(turn, 0, message, out);
        }
        match turn.made.response {
            Some(response) => self.responses.used(response, usage, out.batch),
            None => {
                let first = out.records().next();
                if let Some(message) = first.and_then(|first| out.batch.message_mut(first)) {
                    message.usage = Some(usage);
                }
            }
        }
    }
}

/// A line of the agent while it is read.
struct Turn<'t, 'r, 'a> {
    said: &'t Said<'r, 'a>,
    model: Option<Text>,
    made: Made,
    /// The product wrote it, not a model.
    synthetic: bool,
    /// The message that the last call belongs to, as long as nothing else came.
    calls_of: Option<Text>,
}

/// A later line of a response writes a call again, perhaps with more of its input.
fn repeat(record: usize, block: &Block<'_>, out: &mut Writer<'_>) {
    let Some(input) = block.input else { return };
    let Some(TranscriptRecord::ToolCall(call)) = out.batch.records.get(record) else { return };
    if call.full_length.unwrap_or(call.input.get().len() as u64) >= input.get().len() as u64 {
        return;
    }
    let (whole, full_length) = out.input(input);
    let span = out.line.span;
    if let Some(TranscriptRecord::ToolCall(call)) = out.batch.records.get_mut(record) {
        call.input = whole;
        call.full_length = full_length;
        call.file_path = file_path(input.get()).or(call.file_path.take());
        call.span = call.span.map(|known| known.join(span));
    }
}

/// The file that a tool input names. Its key cannot stand in a string of the input, where its
/// quotes would be escaped, so the input need not be parsed for it.
fn file_path(input: &str) -> Option<Text> {
    ["\"file_path\":", "\"notebook_path\":"].iter().find_map(|key| {
        let at = memchr::memmem::find(input.as_bytes(), key.as_bytes())?;
        let value = input.get(at + key.len()..)?;
        let mut strings = serde_json::Deserializer::from_str(value).into_iter::<crate::json::Str<'_>>();
        strings.next()?.ok().map(|path| Text::from(&*path))
    })
}

/// Whether a call that was written is this one.
fn is_same(record: usize, block: &Block<'_>, batch: &Batch) -> bool {
    let Some(TranscriptRecord::ToolCall(call)) = batch.records.get(record) else { return false };
    let input = block.input.map(|input| batch.cut_input(input));
    block.name.text() == Some(&*call.name) && input == Some((call.input.clone(), call.full_length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_names_its_file() {
        let check =
            |input: &str, want: Option<&str>| assert_eq!(file_path(input).as_deref(), want, "{input}");
        check(r#"{"file_path":"/w/a \"b\".rs","limit":3}"#, Some("/w/a \"b\".rs"));
        check(r#"{"content":"{\"file_path\":\"no\"}","file_path": "/w/yes"}"#, Some("/w/yes"));
        check(r#"{"notebook_path":"/w/n.ipynb"}"#, Some("/w/n.ipynb"));
        check(r#"{"command":"ls"}"#, None);
        check(r#"{"file_path":7}"#, None);
    }
}
