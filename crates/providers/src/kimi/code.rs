//! Kimi Code's `wire.jsonl`, protocol 1.4 (2026): what each agent's loop wrote, with the time in milliseconds on every line.

use std::ops::Range;

use palimpsest_record::{MessageType, SupersededBy, Text, TranscriptRecord, Usage};
use serde_json::value::RawValue;

use super::agents::{AgentLog, Spawn};
use super::content::{FILE, parts, said, text, usage};
use crate::notes::{Notes, first, last};
use crate::parts::{Part, Voice, count, result, tell};
use crate::writing::Writer;
use crate::{Batch, FileRole, Line, Object, Outcome};

/// The wires of a session so far.
#[derive(Debug, Default)]
pub(super) struct Code {
    role: FileRole,
    thread: Thread,
    /// Calls that may have started an agent.
    spawns: Vec<Spawn>,
    /// Logs of agents.
    agents: Vec<AgentLog>,
    is_read: bool,
}

/// What is going on in the wire that is read.
#[derive(Debug, Default)]
struct Thread {
    is_begun: bool,
    /// The agent whose wire it is. What it is called is known only when all are read.
    agent: Option<usize>,
    /// Prompts that are not in the context yet: what they say, and their records.
    waiting: Vec<(String, Range<usize>)>,
    /// Prompts that are in the context since it was compacted or cleared last: their records, and how many records there were
    /// when they came in.
    prompts: Vec<(Range<usize>, usize)>,
    /// Where the records begin that a clearing takes.
    start: usize,
    /// Where those of the step begin that runs now.
    step: usize,
    /// Tokens of steps that were not recorded a second time yet.
    steps: Vec<Usage>,
    /// A model call of no step: that of the compaction under way.
    compaction: Option<Usage>,
    model: Option<Text>,
}

/// Whether a line of this type is Kimi Code's.
pub(super) fn knows(kind: &str) -> bool {
    const KINDS: [&str; 14] = [
        "config.",
        "context.",
        "turn.",
        "tools.",
        "llm.",
        "usage.",
        "permission.",
        "plan_mode.",
        "full_compaction.",
        "plugin.",
        "runtime.",
        "token_counting.",
        "profile.",
        "hook.",
    ];
    KINDS.iter().any(|prefix| kind.starts_with(prefix))
}

/// Whether a line is of a subagent's wire.
pub(super) fn is_agents(object: &Object<'_>) -> bool {
    let origin = object.object("origin");
    let is_started = origin.and_then(|origin| origin.str("name")).is_some_and(|name| name == "subagent");
    is_started || object.str("agentId").is_some_and(|id| id != "main") && object.has("time")
}

impl Code {
    pub(super) fn begin_file(&mut self, role: FileRole) {
        self.role = role;
        self.thread = Thread::default();
    }

    /// There was a wire of Kimi Code.
    pub(super) fn is_read(&self) -> bool {
        self.is_read
    }

    pub(super) fn line(
        &mut self,
        object: &Object<'_>,
        line: &Line<'_>,
        notes: &mut Notes,
        batch: &mut Batch,
    ) -> Outcome {
        self.begin_thread(line, batch);
        let kind = object.str("type").unwrap_or_default();
        let at = object.instant("time").or_else(|| object.instant("created_at"));
        let mut place = notes.place(None, at, line);
        if let Some(log) = self.thread.agent.and_then(|agent| self.agents.get_mut(agent)) {
            place.agent_id = Some(log.id.clone());
            log.note(object, at);
        }
        let mut to = Writer::new(batch, *line, 0, place);
        let first = to.batch.records.len();
        let outcome = self.event(&kind, object, notes, &mut to);
        let model = self.thread.model.clone();
        for record in batch.records.get_mut(first..).unwrap_or_default() {
            if let TranscriptRecord::Message(message) = record
                && message.message_type == MessageType::Assistant
            {
                message.model = message.model.take().or_else(|| model.clone());
            }
        }
        outcome
    }

    /// The first line of a wire. One of a subagent, beside its session's, is that agent's conversation.
    fn begin_thread(&mut self, line: &Line<'_>, batch: &Batch) {
        if std::mem::replace(&mut self.thread.is_begun, true) {
            return;
        }
        let is_first = !std::mem::replace(&mut self.is_read, true);
        (self.thread.start, self.thread.step) = (batch.records.len(), batch.records.len());
        if self.role == FileRole::Companion && !is_first {
            self.thread.agent = Some(self.agents.len());
            self.agents.push(AgentLog::new(line.text));
        }
    }

    fn event(&mut self, kind: &str, object: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
        let thread = &mut self.thread;
        let is_shown = match kind {
            "turn.prompt" | "turn.steer" => return thread.prompt(object, notes, to),
            "context.append_message" => match object.object("message") {
                Some(message) => return thread.append(&message, notes, to),
                None => return to.batch.ledger.unknown(&[kind]),
            },
            "context.append_loop_event" => match object.object("event") {
                Some(event) => return self.loop_event(&event, notes, to),
                None => return to.batch.ledger.unknown(&[kind]),
            },
            "usage.record" => thread.record(object, to),
            "context.apply_compaction" => {
                let before = object.count("tokensBefore");
                let text = object.str("summary").unwrap_or_default();
                let mut summary = to.place.summary("compaction", &text, before, to.batch);
                summary.usage = thread.compaction.take();
                to.batch.push(summary);
                thread.prompts.clear();
                true
            }
            "context.undo" => {
                thread.undo(object.count("count").unwrap_or(1), notes, to.batch);
                false
            }
            "context.clear" => {
                let here = to.batch.records.len();
                notes.taken_back.add(thread.start..here, SupersededBy::Cleared, here);
                thread.start = here;
                thread.prompts.clear();
                false
            }
            "turn.cancel" => to.notice("cancelled"),
            "turn.ended" => {
                match object.words("reason").filter(|it| !matches!(&**it, "completed" | "cancelled")) {
                    Some(reason) => to.notice(&reason),
                    None => false,
                }
            }
            "config.update" | "profile.bind" => {
                thread.model =
                    object.words("modelAlias").map(|model| Text::from(&*model)).or(thread.model.take());
                if thread.agent.is_none() {
                    first(&mut notes.head.cwd, object.words("cwd"));
                    last(&mut notes.head.model, object.words("modelAlias"));
                }
                false
            }
            "metadata" => false,
            other if knows(other) => false,
            other => return to.batch.ledger.unknown(&[other]),
        };
        if is_shown { Outcome::Read } else { to.batch.ledger.not_shown(&[kind]) }
    }

    fn loop_event(&mut self, event: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
        let thread = &mut self.thread;
        let kind = event.str("type").unwrap_or_default();
        let is_shown = match &*kind {
            "step.begin" => {
                thread.step = to.batch.records.len();
                false
            }
            "content.part" => {
                tell(parts(event.value("part")), Voice::assistant(None, None, FILE), &mut notes.calls, to)
            }
            "tool.call" => {
                let name = event.words("name").unwrap_or("unknown".into());
                let call = Part::Call { id: event.str("toolCallId"), name, input: event.value("args") };
                let shown = tell(vec![call], Voice::assistant(None, None, FILE), &mut notes.calls, to);
                self.spawns.extend(Spawn::of(event, to));
                shown
            }
            "tool.result" => {
                let value = event.object("result").unwrap_or_default();
                let output = said(value.value("output"), to.batch);
                let id = event.str("toolCallId");
                let call = id.as_deref().and_then(|id| notes.calls.id(id));
                if let Some(spawn) = self.spawns.iter_mut().find(|spawn| Some(&spawn.call) == call.as_ref()) {
                    spawn.returned(&output.text, to.place.at);
                }
                result(id.as_deref(), None, output, value.is("isError"), &mut notes.calls, to);
                return if to.written() > 0 { Outcome::Read } else { Outcome::Merged };
            }
            "step.end" => thread.end_of_step(event, to),
            other => return to.batch.ledger.unknown(&["context.append_loop_event", other]),
        };
        match is_shown {
            true => Outcome::Read,
            false if kind == "step.end" => Outcome::Merged,
            false => to.batch.ledger.not_shown(&["context.append_loop_event", &kind]),
        }
    }

    /// All wires are read: agents get the names by which their parents call them.
    pub(super) fn finish(&mut self, notes: &mut Notes, batch: &mut Batch) {
        super::agents::link(std::mem::take(&mut self.agents), &self.spawns, notes, batch);
    }
}

impl Thread {
    fn prompt(&mut self, object: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
        let from = to.batch.records.len();
        let origin = object.object("origin").unwrap_or_default();
        speak(object.value("input"), &origin, notes, to);
        if to.written() == 0 {
            return to.batch.ledger.not_shown(&["turn.prompt"]);
        }
        self.waiting.push((text(object.value("input")), from..to.batch.records.len()));
        Outcome::Read
    }

    /// A message comes into the context: a prompt that waited for it, or one that is injected.
    fn append(&mut self, message: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
        let from = to.batch.records.len();
        let said = text(message.value("content"));
        let origin = message.object("origin").unwrap_or_default();
        let is_prompt = is_persons(&origin);
        let twin = self.waiting.iter().position(|(text, _)| *text == said);
        if let Some((_, records)) = twin.map(|at| self.waiting.remove(at)) {
            if is_prompt {
                self.prompts.push((records, from));
            }
            return Outcome::Merged;
        }
        match message.str("role").as_deref() {
            Some("user") | None => speak(message.value("content"), &origin, notes, to),
            Some("assistant") => {
                let voice = Voice::assistant(None, None, FILE);
                tell(parts(message.value("content")), voice, &mut notes.calls, to);
            }
            Some(_) => {
                to.hidden(MessageType::System, &said);
                return to.batch.ledger.not_shown(&["context.append_message"]);
            }
        }
        if is_prompt {
            self.prompts.push((from..to.batch.records.len(), from));
        }
        if to.written() > 0 { Outcome::Read } else { to.batch.ledger.not_shown(&["context.append_message"]) }
    }

    /// The last prompts and all behind them are taken back.
    fn undo(&mut self, count: u64, notes: &mut Notes, batch: &Batch) {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(self.prompts.len());
        let undone = self.prompts.split_off(self.prompts.len() - count);
        let Some((_, from)) = undone.first() else { return };
        let here = batch.records.len();
        notes.taken_back.add(*from..here, SupersededBy::RolledBack, here);
        for (records, _) in undone {
            notes.taken_back.add(records, SupersededBy::RolledBack, here);
        }
    }

    /// Tokens of the step that ends. Whether a message of its own holds them.
    fn end_of_step(&mut self, event: &Object<'_>, to: &mut Writer<'_>) -> bool {
        self.model = event.words("model").map(|model| Text::from(&*model)).or(self.model.take());
        let Some(tokens) = event.object("usage") else { return false };
        let usage = usage(&tokens, &to.place.id);
        self.steps.push(Usage { request: None, ..usage.clone() });
        self.give(usage, to);
        false
    }

    /// Gives a model call to the first message of its step that has none.
    fn give(&mut self, usage: Usage, to: &mut Writer<'_>) {
        let is_free = |record: &TranscriptRecord| match record {
            TranscriptRecord::Message(message) => {
                message.message_type == MessageType::Assistant && message.usage.is_none()
            }
            _ => false,
        };
        let step = to.batch.records.iter().skip(self.step).position(is_free).map(|at| self.step + at);
        match step.and_then(|at| to.batch.message_mut(at)) {
            Some(message) => message.usage = Some(usage).filter(|usage| !usage.is_empty()),
            None => {
                let _ = count(Some(usage), to.batch.records.len(), to);
            }
        }
        self.step = to.batch.records.len();
    }

    /// Tokens once more, or for the first time where no step made the call.
    fn record(&mut self, object: &Object<'_>, to: &mut Writer<'_>) -> bool {
        let Some(tokens) = object.object("usage") else { return false };
        let used = usage(&tokens, &to.place.id);
        let alike = |step: &Usage| *step == Usage { request: None, ..used.clone() };
        if let Some(at) = self.steps.iter().position(alike) {
            self.steps.remove(at);
        } else if object.str("usageScope").as_deref() == Some("session") {
            self.compaction = Some(used);
        } else {
            let _ = count(Some(used), to.batch.records.len(), to);
        }
        false
    }
}

fn is_persons(origin: &Object<'_>) -> bool {
    origin.str("kind").is_none_or(|kind| kind == "user")
}

/// A message of a person, or in a person's place.
fn speak(content: Option<&RawValue>, origin: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) {
    let kind = origin.str("kind").unwrap_or_default();
    let name = origin.str("name");
    if kind.starts_with("skill") {
        to.instructions(name.as_deref(), &text(content));
        return;
    }
    // What starts a subagent stands in a person's place.
    let is_meta = !is_persons(origin) && name.as_deref() != Some("subagent");
    tell(parts(content), Voice { is_meta, ..Voice::user() }, &mut notes.calls, to);
}
