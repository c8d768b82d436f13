//! Kimi CLI's `wire.jsonl`, versions 1.1 to 1.49 (protocol 1.1 to 1.10): events as its screen got them, `{timestamp, message: {type, payload}}`.
//! It is only ever added to, so it holds what was taken back, too, and does not say that it was.

use palimpsest_record::{MessageType, Text, Timestamp, TranscriptRecord};
use serde_json::value::RawValue;

use super::content::{FILE, parts, said, text, usage};
use crate::notes::Notes;
use crate::object::string;
use crate::parts::{Part, Voice, count, result, tell};
use crate::said::Said;
use crate::writing::{Place, Writer, is_command};
use crate::{Batch, Line, Object, Outcome};

/// The wire so far.
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// Where the records of the step begin that runs now.
    step: usize,
    /// The last call, whose arguments may come in pieces.
    call: Option<Streamed>,
}

/// A call whose arguments come in pieces.
#[derive(Debug)]
struct Streamed {
    record: usize,
    arguments: String,
}

impl Wire {
    pub(super) fn begin_file(&mut self) {
        *self = Wire::default();
    }

    pub(super) fn line(
        &mut self,
        object: &Object<'_>,
        line: &Line<'_>,
        notes: &mut Notes,
        batch: &mut Batch,
    ) -> Outcome {
        let Some(event) = object.object("message") else {
            // The head says only the protocol's version.
            return batch.ledger.not_shown(&["metadata"]);
        };
        self.event(&event, object.seconds("timestamp"), None, line, notes, batch)
    }

    fn event(
        &mut self,
        event: &Object<'_>,
        at: Option<Timestamp>,
        agent: Option<&Text>,
        line: &Line<'_>,
        notes: &mut Notes,
        batch: &mut Batch,
    ) -> Outcome {
        let kind = event.str("type").unwrap_or_default();
        let Some(payload) = event.object("payload") else { return batch.ledger.unknown(&[&kind]) };
        if kind == "SubagentEvent" {
            return self.of_agent(&payload, at, line, notes, batch);
        }
        let mut place = notes.place(None, at, line);
        place.agent_id = agent.cloned();
        let mut to = Writer::new(batch, *line, 0, place);
        let first = to.batch.records.len();
        let is_shown = match &*kind {
            "TurnBegin" | "SteerInput" => prompt(payload.value("user_input"), notes, &mut to),
            "StepBegin" => {
                self.step = first;
                false
            }
            "ContentPart" => {
                let part = event.value("payload");
                tell(parts(part), Voice::assistant(None, None, FILE), &mut notes.calls, &mut to)
            }
            "ToolCall" => self.call(&payload, notes, &mut to),
            "ToolCallPart" => {
                self.more_arguments(&payload.str("arguments_part").unwrap_or_default(), &to.place, to.batch);
                return Outcome::Merged;
            }
            "ToolResult" => return answer(&payload, notes, &mut to),
            "StatusUpdate" => return self.status(&payload, &mut to),
            "CompactionEnd" => {
                let summary = to.place.summary("compaction", "", None, to.batch);
                to.batch.push(summary);
                true
            }
            "StepInterrupted" => to.notice("interrupted"),
            "PlanDisplay" => to.notice(&payload.str("content").unwrap_or_default()),
            "Notification" => {
                let words = [payload.words("title"), payload.words("body")];
                to.notice(&words.into_iter().flatten().collect::<Vec<_>>().join("\n"))
            }
            "BtwBegin" => to.notice(&payload.str("question").unwrap_or_default()),
            "BtwEnd" => {
                let answer = payload.words("response").or_else(|| payload.words("error"));
                to.notice(&answer.unwrap_or_default())
            }
            "TurnEnd"
            | "StepRetry"
            | "CompactionBegin"
            | "ApprovalRequest"
            | "ApprovalResponse"
            | "ApprovalRequestResolved"
            | "QuestionRequest"
            | "QuestionResponse"
            | "ToolCallRequest" => false,
            other if ["Hook", "MCP", "Btw"].iter().any(|prefix| other.starts_with(prefix)) => false,
            other => return to.batch.ledger.unknown(&[other]),
        };
        if is_shown { Outcome::Read } else { to.batch.ledger.not_shown(&[&kind]) }
    }

    /// An event of a subagent, inside one of its parent.
    fn of_agent(
        &mut self,
        payload: &Object<'_>,
        at: Option<Timestamp>,
        line: &Line<'_>,
        notes: &mut Notes,
        batch: &mut Batch,
    ) -> Outcome {
        let call = payload.words("parent_tool_call_id").or_else(|| payload.words("task_tool_call_id"));
        let id = payload.words("agent_id").or_else(|| call.clone());
        let (Some(id), Some(event)) = (id, payload.object("event")) else {
            return batch.ledger.unknown(&["SubagentEvent"]);
        };
        let call = call.and_then(|call| notes.calls.id(&call));
        let agent = notes.agent(&id);
        agent.parent_tool_call_id = agent.parent_tool_call_id.take().or(call);
        let id = agent.agent_id.clone();
        // Its steps run between its parent's.
        let parent = std::mem::take(self);
        self.step = parent.step;
        let outcome = self.event(&event, at, Some(&id), line, notes, batch);
        *self = parent;
        outcome
    }

    fn call(&mut self, payload: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> bool {
        let function = payload.object("function").unwrap_or_default();
        let input = function.value("arguments");
        let call = Part::Call {
            id: payload.str("id"),
            name: function.words("name").unwrap_or("unknown".into()),
            input: input.filter(|input| input.get() != "\"\""),
        };
        let shown = tell(vec![call], Voice::assistant(None, None, FILE), &mut notes.calls, to);
        self.call = Some(Streamed {
            record: to.batch.records.len().saturating_sub(1),
            arguments: input.and_then(string).unwrap_or_default().into_owned(),
        });
        shown
    }

    /// More of the last call's arguments.
    fn more_arguments(&mut self, more: &str, place: &Place, batch: &mut Batch) {
        let Some(call) = &mut self.call else { return };
        call.arguments.push_str(more);
        let Ok(arguments) = RawValue::from_string(call.arguments.clone()) else { return };
        let (input, full_length) = batch.cut_input(&arguments);
        let path = Object::parse(input.get()).and_then(|input| FILE.iter().find_map(|name| input.str(name)));
        let path = path.map(|path| Text::from(&*path));
        if let Some(TranscriptRecord::ToolCall(record)) = batch.records.get_mut(call.record) {
            (record.input, record.full_length, record.file_path) = (input, full_length, path);
            if let Some(span) = record.span.as_mut().filter(|span| span.file == place.span.file) {
                (span.line_last, span.byte_end) = (place.span.line_last, place.span.byte_end);
            }
        }
    }

    /// Tokens of a step; one without them only says how full the context is.
    fn status(&mut self, payload: &Object<'_>, to: &mut Writer<'_>) -> Outcome {
        let Some(tokens) = payload.object("token_usage") else {
            return to.batch.ledger.not_shown(&["StatusUpdate"]);
        };
        let agent = to.place.agent_id.clone();
        let is_free = |record: &TranscriptRecord| match record {
            TranscriptRecord::Message(message) => {
                message.message_type == MessageType::Assistant
                    && message.usage.is_none()
                    && message.agent_id == agent
            }
            _ => false,
        };
        let step = to.batch.records.iter().skip(self.step).position(is_free).map(|at| self.step + at);
        let usage = Some(usage(&tokens, &to.place.id));
        match step.and_then(|at| to.batch.message_mut(at)) {
            Some(message) => message.usage = usage.filter(|usage| !usage.is_empty()),
            None => {
                count(usage, to.batch.records.len(), to);
                return to.batch.ledger.not_shown(&["StatusUpdate"]);
            }
        }
        self.step = to.batch.records.len();
        Outcome::Merged
    }
}

fn prompt(input: Option<&RawValue>, notes: &mut Notes, to: &mut Writer<'_>) -> bool {
    let typed = text(input);
    if is_command(&typed) {
        to.command(&typed);
        return true;
    }
    tell(parts(input), Voice::user(), &mut notes.calls, to)
}

fn answer(payload: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
    let value = payload.object("return_value").unwrap_or_default();
    let mut output = said(value.value("output"), to.batch);
    if output.is_empty() {
        output = Said::of(&value.str("message").unwrap_or_default());
    }
    let id = payload.str("tool_call_id");
    result(id.as_deref(), None, output, value.is("is_error"), &mut notes.calls, to);
    if to.written() > 0 { Outcome::Read } else { Outcome::Merged }
}
