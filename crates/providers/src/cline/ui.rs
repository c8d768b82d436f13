//! What the screen showed: events `{ts, type: "say" | "ask", say | ask, text}`, changed in place while they last.

use std::borrow::Cow;

use palimpsest_record::{MessageType, Span, Text, TranscriptRecord, Usage};
use serde_json::value::RawValue;

use crate::notes::Notes;
use crate::parts::{Part, Voice, count, result, tell};
use crate::said::{Said, image};
use crate::writing::Writer;
use crate::{Batch, EntryId, Line, Object, Outcome};

/// Whether an object is one of its events.
pub(super) fn is_event(object: &Object<'_>) -> bool {
    let kind = object.str("type");
    object.number("ts").is_some()
        && matches!(kind.as_deref(), Some("say" | "ask"))
        && kind.is_some_and(|kind| object.str(&kind).is_some())
}

/// All events.
#[derive(Debug, Default)]
pub(super) struct Events(Vec<Kept>);

#[derive(Debug)]
struct Kept {
    json: Text,
    span: Span,
    entry: EntryId,
}

impl Events {
    pub(super) fn keep(&mut self, line: &Line<'_>) {
        self.0.push(Kept { json: Text::from(line.text), span: line.span, entry: line.entry });
    }

    /// They are another view of what was read: they say when each answer came, and with how many tokens.
    pub(super) fn annotate(self, notes: &mut Notes, batch: &mut Batch) {
        let mut free = 0;
        for kept in &self.0 {
            let object = Object::parse(&kept.json).unwrap_or_default();
            if object.str("say").as_deref() != Some("api_req_started") {
                continue;
            }
            let line = Line { text: &kept.json, span: kept.span, entry: kept.entry };
            let mut place = notes.place(None, object.instant("ts"), &line);
            place.seq = u64::MAX >> 1;
            let Some(usage) = used(&object, &place.id) else { continue };
            let next = batch.records.iter().skip(free).position(is_answer).map(|at| free + at);
            let at = place.at;
            match next.and_then(|at| batch.message_mut(at)) {
                Some(message) => {
                    message.usage = Some(usage);
                    let answered = message.span;
                    // The other messages of that answer have no call of their own.
                    for record in batch.records.iter_mut().skip(next.unwrap_or(free)) {
                        match record {
                            TranscriptRecord::Message(message) if message.span == answered => {
                                message.timestamp = message.timestamp.or(at);
                            }
                            TranscriptRecord::Message(_) => break,
                            _ => {}
                        }
                        free = free.max(next.unwrap_or(free)) + 1;
                    }
                }
                None => {
                    let at = batch.records.len();
                    let _ = count(Some(usage), at, &mut Writer::new(batch, line, 0, place));
                    let outcome = batch.ledger.not_shown(&["api_req_started"]);
                    batch.ledger.settle(kept.entry, outcome);
                }
            }
        }
    }

    /// They are all there is.
    pub(super) fn tell(self, notes: &mut Notes, batch: &mut Batch) {
        let mut telling = Telling { usage: None, call: None, is_begun: false };
        for kept in &self.0 {
            let line = Line { text: &kept.json, span: kept.span, entry: kept.entry };
            let object = Object::parse(&kept.json).unwrap_or_default();
            let place = notes.place(None, object.instant("ts"), &line);
            let outcome = telling.event(&object, notes, &mut Writer::new(batch, line, 0, place));
            batch.ledger.settle(kept.entry, outcome);
        }
    }
}

fn is_answer(record: &TranscriptRecord) -> bool {
    match record {
        TranscriptRecord::Message(message) => {
            message.message_type == MessageType::Assistant && message.usage.is_none()
        }
        _ => false,
    }
}

/// The conversation as the screen showed it.
struct Telling {
    /// Tokens of the call whose answer is awaited.
    usage: Option<Usage>,
    /// The call that waits for its output.
    call: Option<Text>,
    /// The task was given.
    is_begun: bool,
}

impl Telling {
    fn event(&mut self, object: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
        let kind = object.str("type").unwrap_or_default();
        let what = object.str(&kind).unwrap_or_default();
        if object.is("partial") {
            return to.batch.ledger.not_shown(&[&what, "partial"]);
        }
        let text = object.str("text").unwrap_or_default();
        let is_task = matches!(&*what, "task" | "text") && !std::mem::replace(&mut self.is_begun, true);
        let is_shown = match &*what {
            _ if is_task => self.user(object, text, notes, to),
            "task" | "user_feedback" | "user_feedback_diff" => self.user(object, text, notes, to),
            "text" | "completion_result" | "followup" | "plan_mode_respond" => {
                self.assistant(vec![Part::Text(asked(&text))], notes, to)
            }
            "reasoning" => {
                let thought = object.words("reasoning").unwrap_or(text);
                self.assistant(vec![Part::Thought(thought)], notes, to)
            }
            "tool" | "use_mcp_server" | "browser_action" | "browser_action_launch" => {
                self.call(&what, &text, notes, to)
            }
            "command" => self.command(&text, notes, to),
            "command_output" | "mcp_server_response" | "browser_action_result" => {
                let id = self.call.clone();
                result(id.as_deref(), None, Said::of(&text), false, &mut notes.calls, to);
                return if to.written() > 0 { Outcome::Read } else { Outcome::Merged };
            }
            "error" | "api_req_failed" | "diff_error" | "clineignore_error" => {
                to.failure(if text.trim().is_empty() { "error" } else { &text });
                true
            }
            "subtask_result" => to.notice(&text),
            "condense_context" => {
                let condensed = object.object("contextCondense").unwrap_or_default();
                let words = condensed.words("summary").unwrap_or(text);
                let before = condensed.count("prevContextTokens");
                let summary = to.place.summary("compaction", &words, before, to.batch);
                to.batch.push(summary);
                true
            }
            "api_req_started" => {
                let before = self.usage.replace(used(object, &to.place.id).unwrap_or_default());
                let at = to.batch.records.len();
                let _ = count(before, at, to);
                false
            }
            "api_req_finished"
            | "api_req_retried"
            | "api_req_retry_delayed"
            | "api_req_deleted"
            | "checkpoint_created"
            | "checkpoint_saved"
            | "shell_integration_warning"
            | "resume_task"
            | "resume_completed_task"
            | "mcp_server_request_started"
            | "auto_approval_max_req_reached"
            | "command_output_ask"
            | "user_edit_todos"
            | "task_progress"
            | "deleted_api_reqs" => false,
            other => return to.batch.ledger.unknown(&[&kind, other]),
        };
        if is_shown { Outcome::Read } else { to.batch.ledger.not_shown(&[&what]) }
    }

    fn user(&self, object: &Object<'_>, text: Cow<'_, str>, notes: &mut Notes, to: &mut Writer<'_>) -> bool {
        let mut said = vec![Part::Text(text)];
        let images = object.list("images").into_iter().filter_map(crate::object::string);
        said.extend(images.map(|url| Part::Block(image(None, Some(&url)))));
        tell(said, Voice::user(), &mut notes.calls, to)
    }

    fn assistant(&mut self, said: Vec<Part<'_>>, notes: &mut Notes, to: &mut Writer<'_>) -> bool {
        tell(said, Voice::assistant(None, self.usage.take(), &["path"]), &mut notes.calls, to)
    }

    /// A tool: its input is what the screen was told of it.
    fn call(&mut self, what: &str, text: &str, notes: &mut Notes, to: &mut Writer<'_>) -> bool {
        let input: Option<&RawValue> = serde_json::from_str(text).ok();
        let told = Object::parse(text).unwrap_or_default();
        let name = told.words("tool").or_else(|| told.words("toolName")).unwrap_or(what.to_owned().into());
        self.calls(name, input, notes, to)
    }

    fn command(&mut self, text: &str, notes: &mut Notes, to: &mut Writer<'_>) -> bool {
        let input = RawValue::from_string(serde_json::json!({ "command": text }).to_string()).ok();
        self.calls("execute_command".into(), input.as_deref(), notes, to)
    }

    fn calls(
        &mut self,
        name: Cow<'_, str>,
        input: Option<&RawValue>,
        notes: &mut Notes,
        to: &mut Writer<'_>,
    ) -> bool {
        let id = format!("{}-call", to.place.id);
        let shown = self.assistant(vec![Part::Call { id: Some(id.clone().into()), name, input }], notes, to);
        self.call = Some(Text::from(id));
        shown
    }
}

/// A question with its options comes as JSON.
fn asked(text: &str) -> Cow<'_, str> {
    let object = Object::parse(text).unwrap_or_default();
    object
        .words("question")
        .or_else(|| object.words("response"))
        .map_or_else(|| text.to_owned().into(), |it| it.into_owned().into())
}

/// Tokens of a model call, in the JSON of the event's text. The cached ones stand beside the input.
fn used(object: &Object<'_>, request: &Text) -> Option<Usage> {
    let text = object.str("text")?;
    let told = Object::parse(&text)?;
    let count = |key: &str| told.count(key).unwrap_or(0);
    let (read, written) = (count("cacheReads"), count("cacheWrites"));
    let usage = Usage {
        input_tokens: count("tokensIn").saturating_add(read).saturating_add(written),
        cached_input_tokens: read,
        cache_write_tokens: written,
        output_tokens: count("tokensOut"),
        cost_usd: told.number("cost").filter(|cost| *cost != 0.0),
        request: Some(request.clone()),
        ..Usage::default()
    };
    Some(usage).filter(|usage| !usage.is_empty())
}
