//! A message entry, by its role → records.

use palimpsest_record::{
    ContentType, Message, MessageType, Preview, Summary, Text, ToolCall, ToolResult, TranscriptRecord, Usage,
    Visibility,
};

use super::calls::Calls;
use super::content::{Said, image, said};
use super::shapes::{Body, Content, Part, Tokens};
use super::tree::Tree;
use super::writing::Writer;
use crate::batch::Interner;
use crate::json::{Lax, Nested, Str};
use crate::{Batch, Outcome};

/// What messages need of the session, beside the entry's own place.
pub(super) struct Session<'a> {
    pub(super) tree: &'a Tree,
    pub(super) calls: &'a mut Calls,
    /// Models stand on every answer.
    pub(super) models: &'a mut Interner,
}

/// Writes the records of a message entry and says what became of its line.
pub(super) fn message(body: &Body<'_>, session: &mut Session<'_>, to: &mut Writer<'_>) -> Outcome {
    let role = body.role.text().unwrap_or_default();
    match role {
        "user" => user(body, to),
        "assistant" => assistant(body, session, to),
        "toolResult" => tool_result(body, session, to),
        "bashExecution" => bash(body, to),
        "custom" | "hookMessage" => {
            custom(&body.custom_type, &body.content, *body.display, "message/custom", to)
        }
        "branchSummary" => summary("branch", &body.summary, None, to),
        "compactionSummary" => summary("compaction", &body.summary, *body.tokens_before, to),
        // What the model is told to be is nobody's word in the conversation.
        "system" | "developer" => {
            to.message(MessageType::System, ContentType::Text, |message, batch| {
                said(&body.content, batch).fill(message);
                message.visibility = Visibility::Hidden;
            });
            to.batch.ledger.not_shown(&["message", role])
        }
        _ => unknown(role, &body.content, to),
    }
}

/// A prompt.
fn user(body: &Body<'_>, to: &mut Writer<'_>) -> Outcome {
    let said = said(&body.content, to.batch);
    if said.is_empty() {
        return to.batch.ledger.not_shown(&["message", "user"]);
    }
    let content_type = said.content_type();
    to.message(MessageType::User, content_type, |message, _| said.fill(message));
    Outcome::Read
}

/// An answer: its thoughts, texts and calls, each a record of its own, and how it failed.
fn assistant(body: &Body<'_>, session: &mut Session<'_>, to: &mut Writer<'_>) -> Outcome {
    let model = body.model.text().map(|model| session.models.get(model));
    let first = to.batch.records.len();
    let mut answer = Answer { model, calling: None };
    match &body.content {
        Content::None => {}
        Content::Text(text) => answer.text(ContentType::Text, text, to),
        Content::Parts(parts) => {
            for part in parts {
                answer.part(part, session.calls, to);
            }
        }
    }
    if let Some(reason @ ("error" | "aborted")) = body.stop_reason.text() {
        answer.calling = None;
        let words = body.error_message.text().filter(|words| !words.trim().is_empty()).unwrap_or(reason);
        let at = answer.message(ContentType::Error, to);
        set_text(words, at, to.batch);
        if let Some(message) = to.batch.message_mut(at) {
            message.is_error = true;
        }
    }
    let usage = usage(&body.usage, &to.place.id);
    if to.written() == 0 {
        // Nothing to show (a redacted thought alone); but a model call was made and is counted.
        if usage.is_some() {
            let at = answer.message(ContentType::Thinking, to);
            if let Some(message) = to.batch.message_mut(at) {
                message.visibility = Visibility::Hidden;
                message.usage = usage;
            }
        }
        return to.batch.ledger.not_shown(&["message", "assistant"]);
    }
    if let Some(message) = to.batch.message_mut(first) {
        message.usage = usage;
    }
    Outcome::Read
}

/// An answer while its parts are written.
struct Answer {
    model: Option<Text>,
    /// The message that the current run of calls belongs to.
    calling: Option<Text>,
}

impl Answer {
    fn part(&mut self, part: &Part<'_>, calls: &mut Calls, to: &mut Writer<'_>) {
        let kind = part.kind.text().unwrap_or_default();
        match kind {
            "text" => self.text(ContentType::Text, part.text.text().unwrap_or_default(), to),
            "thinking" => self.text(ContentType::Thinking, part.thinking.text().unwrap_or_default(), to),
            "toolCall" => self.call(part, calls, to),
            "image" => {
                let at = self.message(ContentType::Image, to);
                self.calling = None;
                if let Some(message) = to.batch.message_mut(at) {
                    message.blocks.push(image(part));
                }
            }
            other => {
                let at = self.message(ContentType::Unknown, to);
                self.calling = None;
                if let Some(message) = to.batch.message_mut(at) {
                    message.blocks.push(palimpsest_record::Block::Unknown { name: Text::from(other) });
                }
            }
        }
    }

    /// A text or a thought. An empty one is a redacted thought or a stream that was cut: nothing to read.
    fn text(&mut self, content_type: ContentType, text: &str, to: &mut Writer<'_>) {
        if text.trim().is_empty() {
            return;
        }
        self.calling = None;
        let at = self.message(content_type, to);
        set_text(text, at, to.batch);
    }

    fn call(&mut self, part: &Part<'_>, calls: &mut Calls, to: &mut Writer<'_>) {
        let message_id = match &self.calling {
            Some(id) => id.clone(),
            None => {
                let at = self.message(ContentType::ToolUse, to);
                let id = to.batch.message_mut(at).map(|message| message.id.clone()).unwrap_or_default();
                self.calling = Some(id.clone());
                id
            }
        };
        // A call without an id of its own can have no result; its place names it.
        let log_id = part.id.text().filter(|id| !id.is_empty());
        let log_id = log_id.map_or_else(|| format!("call-of-{message_id}"), str::to_owned);
        let (input, full_length) = part.arguments.map(|raw| to.batch.cut_input(raw)).unwrap_or_default();
        let call = ToolCall {
            id: calls.call(&log_id, to.node),
            message_id,
            session_id: to.place.session_id.clone(),
            name: Text::from(part.name.text().unwrap_or_default()),
            input,
            full_length,
            file_path: part.arguments.and_then(|raw| file_path(raw.get())),
            span: Some(to.place.span),
            ..ToolCall::default()
        };
        to.batch.push(TranscriptRecord::ToolCall(call));
    }

    fn message(&self, content_type: ContentType, to: &mut Writer<'_>) -> usize {
        to.message(MessageType::Assistant, content_type, |message, _| message.model = self.model.clone())
    }
}

/// The file that a call works on: Pi's own tools call it `path`.
fn file_path(arguments: &str) -> Option<Text> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Named<'a> {
        #[serde(borrow)]
        path: Lax<Str<'a>>,
    }
    let Nested(named) = serde_json::from_str::<Nested<Named<'_>>>(arguments).ok()?;
    named?.path.text().map(Text::from)
}

fn set_text(text: &str, at: usize, batch: &mut Batch) {
    let Preview { text, full_length } = batch.cut(text);
    if let Some(message) = batch.message_mut(at) {
        message.text = Some(text);
        message.full_length = full_length;
    }
}

/// Tokens and cost, where a model call was made. `input` is without what a cache gave or took.
fn usage(tokens: &Nested<Tokens>, request: &Text) -> Option<Usage> {
    let tokens = tokens.0.as_ref()?;
    let [input, cached, written, output] =
        [&tokens.input, &tokens.cache_read, &tokens.cache_write, &tokens.output]
            .map(|count| count.unwrap_or(0));
    let usage = Usage {
        input_tokens: input.saturating_add(cached).saturating_add(written),
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: output,
        reasoning_tokens: 0,
        cost_usd: tokens.cost.0.as_ref().and_then(|cost| *cost.total),
        request: Some(request.clone()),
    };
    (!usage.is_empty()).then_some(usage)
}

/// A result: it joins its call. One whose call is not there (damaged, or never logged) stands alone.
fn tool_result(body: &Body<'_>, session: &mut Session<'_>, to: &mut Writer<'_>) -> Outcome {
    let Said { text, blocks } = said(&body.content, to.batch);
    let text = text.unwrap_or_else(|| Preview { text: Text::default(), full_length: None });
    let log_id = body.tool_call_id.text().unwrap_or_default();
    let call = session.calls.answered(log_id, to.node, session.tree);
    let mut result = ToolResult {
        tool_call_id: match &call {
            Some((_, id)) => id.clone(),
            None => session.calls.unique(log_id),
        },
        session_id: to.place.session_id.clone(),
        content: text.text,
        full_length: text.full_length,
        blocks,
        is_error: body.is_error.unwrap_or(false),
        span: Some(to.place.span),
        ..ToolResult::default()
    };
    match call {
        Some((call, _)) => {
            let record = to.batch.push(TranscriptRecord::ToolResult(result));
            session.calls.answer(to.node, call, record, to.line.entry, to.place.clone());
            Outcome::Merged
        }
        None => {
            let alone = to.place.alone(&mut result);
            to.batch.push(TranscriptRecord::Message(alone));
            to.batch.push(TranscriptRecord::ToolResult(result));
            Outcome::Read
        }
    }
}

/// A command that the person ran with `!`, and what it printed.
fn bash(body: &Body<'_>, to: &mut Writer<'_>) -> Outcome {
    let output = body.output.text().filter(|output| !output.trim().is_empty());
    let failed = body.exit_code.is_some_and(|code| code != 0.0) || body.cancelled.unwrap_or(false);
    let command = body.command.text().unwrap_or_default();
    let at = to.message(MessageType::User, ContentType::Bash, |message, _| {
        message.is_error = failed && output.is_none();
    });
    set_text(command, at, to.batch);
    if let Some(output) = output {
        let at = to.message(MessageType::System, ContentType::Bash, |message, _| message.is_error = failed);
        set_text(output, at, to.batch);
    }
    Outcome::Read
}

/// What an extension put into the conversation; the person sees it only where it says so.
pub(super) fn custom(
    custom_type: &Lax<Str<'_>>,
    content: &Content<'_>,
    display: Option<bool>,
    type_name: &str,
    to: &mut Writer<'_>,
) -> Outcome {
    let hidden = display == Some(false);
    let said = said(content, to.batch);
    to.message(MessageType::System, ContentType::Custom, |message, _| {
        message.role = custom_type.text().map(Text::from);
        message.is_meta = true;
        message.visibility = if hidden { Visibility::Hidden } else { Visibility::Visible };
        said.fill(message);
    });
    if hidden { to.batch.ledger.not_shown(&[type_name]) } else { Outcome::Read }
}

/// What stands for a part of the session.
pub(super) fn summary(
    kind: &str,
    text: &Lax<Str<'_>>,
    tokens_before: Option<u64>,
    to: &mut Writer<'_>,
) -> Outcome {
    let Preview { text, full_length } = to.batch.cut(text.text().unwrap_or_default());
    let place = &to.place;
    let summary = Summary {
        id: place.id.clone(),
        session_id: place.session_id.clone(),
        seq: place.seq,
        timestamp: place.at,
        summary_kind: Text::from(kind),
        content: text,
        full_length,
        tokens_before,
        span: Some(place.span),
        ..Summary::default()
    };
    to.batch.push(TranscriptRecord::Summary(summary));
    Outcome::Read
}

/// A role of another version: its text is shown as nobody's, and the receipt names it.
fn unknown(role: &str, content: &Content<'_>, to: &mut Writer<'_>) -> Outcome {
    let said = said(content, to.batch);
    if !said.is_empty() {
        to.message(MessageType::System, ContentType::Unknown, |message: &mut Message, _| {
            message.role = (!role.is_empty()).then(|| Text::from(role));
            said.fill(message);
        });
    }
    to.batch.ledger.unknown(&["message", role])
}
