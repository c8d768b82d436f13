//! An answer → its thoughts, texts and calls, each a record of its own, and how it failed.

use palimpsest_record::{Block, ContentType, Message, MessageType, Text, ToolCall, Usage, Visibility};

use super::calls::Calls;
use super::content::image;
use super::messages::Session;
use super::shapes::{Body, Content, Part, Tokens};
use crate::json::{Lax, Nested, Str};
use crate::writing::{Writer, say};
use crate::{Batch, Outcome};

/// Writes the records of an assistant's message.
pub(super) fn answer(body: &Body<'_>, session: &mut Session<'_>, to: &mut Writer<'_>) -> Outcome {
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
        let words = body.error_message.text().filter(|words| !words.trim().is_empty()).unwrap_or(reason);
        answer.message(ContentType::Error, to, |message, batch| {
            say(words, message, batch);
            message.is_error = true;
        });
    }
    let usage = usage(&body.usage, &to.place.id);
    if to.written() == 0 {
        // Nothing to show (a redacted thought alone); but a model call was made and is counted.
        if usage.is_some() {
            answer.message(ContentType::Thinking, to, |message, _| {
                message.visibility = Visibility::Hidden;
                message.usage = usage;
            });
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
        match part.kind.text().unwrap_or_default() {
            "text" => self.text(ContentType::Text, part.text.text().unwrap_or_default(), to),
            "thinking" => self.text(ContentType::Thinking, part.thinking.text().unwrap_or_default(), to),
            "toolCall" => self.call(part, calls, to),
            "image" => {
                self.message(ContentType::Image, to, |message, _| message.blocks.push(image(part)));
            }
            other => {
                let block = Block::Unknown { name: Text::from(other) };
                self.message(ContentType::Unknown, to, |message, _| message.blocks.push(block));
            }
        }
    }

    /// A text or a thought. An empty one is a redacted thought or a stream that was cut: nothing to read.
    fn text(&mut self, content_type: ContentType, text: &str, to: &mut Writer<'_>) {
        if !text.trim().is_empty() {
            self.message(content_type, to, |message, batch| say(text, message, batch));
        }
    }

    fn call(&mut self, part: &Part<'_>, calls: &mut Calls, to: &mut Writer<'_>) {
        let message_id = match self.calling.take() {
            Some(message_id) => message_id,
            None => self.message(ContentType::ToolUse, to, |_, _| {}),
        };
        self.calling = Some(message_id.clone());
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
        to.batch.push(call);
    }

    /// Adds a message of the answer and gives its id. A run of calls ends here.
    fn message(
        &mut self,
        content_type: ContentType,
        to: &mut Writer<'_>,
        fill: impl FnOnce(&mut Message, &Batch),
    ) -> Text {
        self.calling = None;
        to.message(MessageType::Assistant, content_type, |message, batch| {
            message.model = self.model.clone();
            fill(message, batch);
        })
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

/// Tokens and cost, where a model call was made. `input` is without what a cache gave or took.
fn usage(tokens: &Nested<Tokens>, request: &Text) -> Option<Usage> {
    let tokens = tokens.0.as_ref()?;
    let count = |count: &Lax<u64>| count.unwrap_or(0);
    let (cached, written) = (count(&tokens.cache_read), count(&tokens.cache_write));
    let usage = Usage {
        input_tokens: count(&tokens.input).saturating_add(cached).saturating_add(written),
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: count(&tokens.output),
        reasoning_tokens: 0,
        cost_usd: tokens.cost.0.as_ref().and_then(|cost| *cost.total),
        request: Some(request.clone()),
    };
    (!usage.is_empty()).then_some(usage)
}
