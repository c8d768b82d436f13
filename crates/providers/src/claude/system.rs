//! Lines of the product: compactions, failures, durations, notices.

use palimpsest_record::{ContentType, Message, MessageType, Text, TranscriptRecord, Visibility};
use serde::Deserialize;

use super::ClaudeReader;
use super::assistant::Heard;
use super::record::{Record, member_number};
use super::said::Said;
use super::session::Retraction;
use super::shapes::{Content, opened};
use super::tree::Kind;
use super::words::Words;
use super::writer::Writer;
use crate::json::{Lax, Nested, Str};
use crate::{Batch, Outcome};

/// A subtype that is known, or not.
pub(super) enum System {
    Known(Heard),
    Unknown,
}

impl ClaudeReader {
    /// Reads a line of the product.
    pub(super) fn system(&mut self, record: &Record<'_>, out: &mut Writer<'_>) -> System {
        let mut kind = Kind::Through;
        let content = record.content.text().unwrap_or_default();
        self.retract(record, out);
        match record.subtype.text().unwrap_or_default() {
            "compact_boundary" => {
                self.compacted(record, out);
                kind = Kind::Boundary;
            }
            "microcompact_boundary" => {
                let number = |key| record.microcompact_metadata.and_then(|meta| member_number(meta, key));
                let (saved, before) = (number("tokensSaved"), number("preTokens"));
                let text = match (saved, before) {
                    (Some(saved), Some(before)) => {
                        format!("Tool output was dropped from the context: {saved} of {before} tokens")
                    }
                    _ => "Tool output was dropped from the context".to_owned(),
                };
                notice(&text, out);
            }
            "api_error" => self.failed(record, out),
            "error" => {
                let message = failure(record, out);
                out.say(0, Message { is_meta: true, ..message });
            }
            "local_command" => {
                let content = Content::Text(content.into());
                self.user(&Said::of(&content), out);
            }
            "turn_duration" => self.lasted(record, out),
            "stop_hook_summary" => {
                if record.prevented_continuation {
                    notice(record.stop_reason.text().unwrap_or_default(), out);
                }
            }
            "away_summary" => {
                if !content.trim().is_empty() {
                    out.sum_up("away", &content.into());
                }
            }
            "informational"
            | "bridge_status"
            | "scheduled_task_fire"
            | "model_refusal_fallback"
            | "api_refusal" => {
                notice(content, out);
            }
            "session_start" => {}
            _ => return System::Unknown,
        }
        System::Known(Heard { kind, response: None })
    }

    fn retract(&mut self, record: &Record<'_>, out: &Writer<'_>) {
        let at = out.stamp.timestamp;
        let Some(uuids) = record.retracted_message_uuids else { return };
        let uuids: Vec<Lax<Str<'_>>> = serde_json::from_str(uuids).unwrap_or_default();
        for uuid in uuids.iter().filter_map(Lax::text) {
            self.session.retractions.push(Retraction { uuid: Text::from(uuid), at });
        }
    }

    /// The context was compacted. The line that follows holds the summary's text, if there is one.
    fn compacted(&mut self, record: &Record<'_>, out: &mut Writer<'_>) {
        let at = out.sum_up("compaction", &Words::default());
        if let Some(TranscriptRecord::Summary(summary)) = out.batch.records.get_mut(at) {
            summary.tokens_before = record.compact_metadata.and_then(|meta| member_number(meta, "preTokens"));
        }
        let thread = self.threads.of(out.stamp.thread);
        thread.untold_compaction = Some(at);
        thread.compacted = true;
    }

    /// The summary's text: it goes on the compaction before it, or stands for one that was not logged.
    pub(super) fn compaction_told(&mut self, text: &Words<'_>, out: &mut Writer<'_>) {
        let thread = self.threads.of(out.stamp.thread);
        thread.compacted = true;
        let preview = text.preview(out.batch.options.preview_limit);
        let known = out.batch.records.get(out.stamp.known.clone()).unwrap_or_default();
        let says_the_same = |record: &TranscriptRecord| matches!(record, TranscriptRecord::Summary(summary) if summary.content == preview.text);
        if known.iter().take(64).any(says_the_same) {
            out.merged = true;
            return;
        }
        let untold = thread.untold_compaction.take();
        match untold.and_then(|at| out.batch.records.get_mut(at)) {
            Some(TranscriptRecord::Summary(summary)) => {
                summary.content = preview.text;
                summary.full_length = preview.full_length;
                summary.span = summary.span.map(|span| span.join(out.line.span));
                out.merged = true;
            }
            _ => {
                out.sum_up("compaction", text);
            }
        }
    }

    /// A request failed and is tried again. It shows only if nothing came of that.
    fn failed(&mut self, record: &Record<'_>, out: &mut Writer<'_>) {
        let message = failure(record, out);
        let said = out.say(0, Message { visibility: Visibility::Hidden, ..message });
        let thread = self.threads.of(out.stamp.thread);
        thread.unanswered_error = said.map(|at| (at, out.line.entry));
    }

    /// The turn that the last answer ends took this long.
    fn lasted(&mut self, record: &Record<'_>, out: &mut Writer<'_>) {
        let answer = self.threads.of(out.stamp.thread).last_answer;
        if let (Some(duration), Some(at)) = (record.duration_ms, answer)
            && let Some(message) = out.batch.message_mut(at)
        {
            message.turn_duration_ms = Some(duration);
            out.merged = true;
        }
    }

    /// A request that failed for good: the last line of its conversation shows.
    pub(super) fn show_unanswered_errors(&mut self, batch: &mut Batch) {
        let errors: Vec<_> = self.threads.all().filter_map(|thread| thread.unanswered_error).collect();
        for (at, entry) in errors {
            if let Some(message) = batch.message_mut(at) {
                message.visibility = Visibility::Visible;
            }
            // A line that is damaged stays damaged, whatever was found on it.
            if matches!(batch.ledger.outcome(entry), Some(Outcome::NotShown(_))) {
                batch.ledger.settle(entry, Outcome::Read);
            }
        }
    }
}

fn notice(text: &str, out: &mut Writer<'_>) {
    if !text.trim().is_empty() {
        let message = out.notice(0, text.trim());
        out.say(0, message);
    }
}

/// A failed request in the API's words, however deep the version puts them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Failure<'a> {
    #[serde(borrow)]
    message: Lax<Str<'a>>,
    status: Lax<u64>,
    #[serde(rename = "type", borrow)]
    kind: Lax<Str<'a>>,
    #[serde(borrow)]
    error: Nested<Box<Failure<'a>>>,
    #[serde(borrow)]
    cause: Nested<Box<Failure<'a>>>,
    #[serde(borrow)]
    code: Lax<Str<'a>>,
}

impl Failure<'_> {
    fn words(&self) -> Option<String> {
        let inner = || self.error.0.as_ref().or(self.cause.0.as_ref()).and_then(|inner| inner.words());
        let own = self.message.text().or(self.code.text()).map(str::to_owned);
        own.or_else(inner).or_else(|| self.kind.text().map(str::to_owned))
    }
}

fn failure(record: &Record<'_>, out: &Writer<'_>) -> Message {
    let error = record.error.map(opened).unwrap_or_default();
    let failure: Failure<'_> = serde_json::from_str(&error).unwrap_or_default();
    let words = failure.words().or_else(|| record.content.text().map(str::to_owned));
    let text = match (*failure.status, words) {
        (Some(status), Some(words)) => format!("API error {status}: {words}"),
        (Some(status), None) => format!("API error {status}"),
        (None, Some(words)) => format!("API error: {words}"),
        (None, None) => "API error".to_owned(),
    };
    let message = out.text(0, MessageType::System, ContentType::Error, &text.as_str().into());
    Message { is_error: true, ..message }
}
