//! GitHub Copilot CLI.
//!
//! A log is one chain of events, each an envelope around its data. In reading order:
//! - [`speech`]: what is said → messages; [`calls`]: calls and results, which come in any order
//! - [`timeline`]: which message an event leads to, and what a rewind took back
//! - [`usage`]: what the session used

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use palimpsest_record::{MessageType, Session, Subagent, Text, Timestamp};

use self::calls::{Calls, Said};
use self::timeline::Timeline;
use self::usage::Totals;
use crate::notes::{first, last};
use crate::writing::{Place, Writer};
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

mod calls;
mod speech;
mod timeline;
mod usage;

/// GitHub Copilot CLI.
pub(crate) struct Copilot;

impl Provider for Copilot {
    fn id(&self) -> &'static str {
        "copilot"
    }

    fn label(&self) -> &'static str {
        "GitHub Copilot CLI"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        if !self.is_record(object) || object.str("id").is_none() {
            return Claim::No;
        }
        let kind = object.str("type").unwrap_or_default();
        let is_ours =
            ["session.", "user.message", "assistant.", "tool.", "subagent.", "hook.", "system.", "skill."]
                .iter()
                .any(|prefix| kind.starts_with(prefix));
        if is_ours { Claim::Strong } else { Claim::No }
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        let is_envelope = object.str("type").is_some() && object.str("timestamp").is_some();
        is_envelope && object.object("data").is_some()
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        let start = head.iter().find(|object| object.str("type").as_deref() == Some("session.start"));
        let data = start.and_then(|start| start.object("data"));
        let session = data.and_then(|data| data.str("sessionId")).map(String::from);
        FileKey::main(session)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(CopilotReader { source: Text::from(self.id()), ..CopilotReader::default() })
    }
}

/// Reads the logs of one session.
#[derive(Default)]
struct CopilotReader {
    source: Text,
    /// Set by the first event; a `session.start` behind it says another.
    session_id: Option<Text>,
    /// What the log says of the session.
    head: Session,
    is_started: bool,
    timeline: Timeline,
    calls: Calls,
    agents: BTreeMap<Text, Subagent>,
    totals: Totals,
    /// Hashes of the events of each id.
    seen: HashMap<Text, Vec<u64>>,
    /// The last thought that was said, by an event of its own or by an answer.
    thought: Option<String>,
}

impl Reader for CopilotReader {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let event: Object<'_> = serde_json::from_str(line.text)?;
        Ok(self.event(&event, line, batch))
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.timeline.settle(batch);
        self.calls.finish(&self.timeline, batch);
        let session_id = self.session_id(None);
        for (agent_id, agent) in std::mem::take(&mut self.agents) {
            let parent_tool_call_id = self.calls.id(&agent_id);
            batch.push(Subagent { parent_tool_call_id, session_id: session_id.clone(), ..agent });
        }
        // The event that names the session may come late, and what waited was written for another.
        batch.rename_session(&session_id);
        let model_usage = std::mem::take(&mut self.totals).finish(batch);
        batch.push(Session {
            id: session_id,
            attests_inactive: self.timeline.attests(),
            model_usage,
            source: self.source.clone(),
            ..std::mem::take(&mut self.head)
        });
    }
}

impl CopilotReader {
    fn event(&mut self, event: &Object<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let Some(kind) = event.str("type").filter(|kind| !kind.is_empty()) else {
            return batch.ledger.unknown(&["malformed"]);
        };
        if event.is("ephemeral") {
            return batch.ledger.not_shown(&[&kind]);
        }
        let (log_id, parent) = (event.str("id"), event.str("parentId"));
        let Some(id) = self.unique(log_id.as_deref(), line) else { return Outcome::Merged };
        let Some(data) = event.object("data") else { return batch.ledger.unknown(&[&kind]) };
        let agent = data.str("parentToolCallId").filter(|id| !id.is_empty()).map(|id| Text::from(&*id));
        if let Some(agent) = &agent {
            self.agent(agent);
        }
        let place = Place {
            session_id: self.session_id(Some(&id)),
            source: self.source.clone(),
            parent_id: self.timeline.message(parent.as_deref()),
            agent_id: agent,
            id,
            seq: line.seq(0),
            at: event.str("timestamp").and_then(|at| Timestamp::parse(&at)),
            span: line.span,
        };
        let from = batch.records.len();
        let mut to = Writer::new(batch, *line, self.timeline.next(), place);
        let outcome = self.read(&kind, &data, &mut to);
        self.timeline.add(log_id.as_deref(), parent.as_deref(), from, batch);
        outcome
    }

    /// Writes an event's records and says what became of its line.
    fn read(&mut self, kind: &str, data: &Object<'_>, to: &mut Writer<'_>) -> Outcome {
        let is_shown = match kind {
            "user.message" => {
                self.thought = None;
                speech::prompt(data, to)
            }
            "assistant.message" => {
                let thought = data.words("reasoningText");
                let is_said = thought.is_some() && self.thought.as_deref() == thought.as_deref();
                let new = thought.as_deref().filter(|_| !is_said);
                let shown = speech::answer(data, new, &mut self.calls, to);
                self.thought = thought.map(String::from);
                if is_said && !shown {
                    return Outcome::Merged;
                }
                shown
            }
            "assistant.reasoning" => match data.words("content") {
                Some(thought) if self.thought.as_deref() == Some(&*thought) => return Outcome::Merged,
                Some(thought) => {
                    speech::think(&thought, data.str("model").map(|model| Text::from(&*model)), to);
                    self.thought = Some(thought.into_owned());
                    true
                }
                None => false,
            },
            "tool.execution_start" | "tool.user_requested" => return self.call(data, to),
            "tool.execution_complete" => return self.result(data, to),
            "subagent.started" | "subagent.completed" | "subagent.failed" => return self.subagent(data, to),
            "skill.invoked" => match data.words("content") {
                Some(text) => {
                    to.instructions(data.str("name").as_deref(), &text);
                    true
                }
                None => false,
            },
            "session.error" => {
                to.failure(&data.str("message").unwrap_or("error".into()));
                true
            }
            "abort" => to.notice(&data.str("reason").unwrap_or("aborted".into())),
            "session.info" | "session.notification" | "system.notification" => {
                to.notice(&data.str("content").or_else(|| data.str("message")).unwrap_or_default())
            }
            "system.message" => {
                if let Some(text) = data.str("content") {
                    to.hidden(MessageType::System, &text);
                }
                false
            }
            "session.compaction_complete" => summary(data, to),
            "session.start" => return self.start(data, to),
            "session.snapshot_rewind" => {
                let named = data.str("upToEventId").unwrap_or_default();
                self.timeline.rewind(&named, data.count("eventsRemoved"), to.place.at);
                self.thought = None;
                false
            }
            "session.shutdown" => {
                self.totals.add(data.object("modelMetrics"));
                false
            }
            "session.resume" | "session.model_change" | "assistant.turn_start" => {
                self.facts(data);
                false
            }
            "assistant.turn_end"
            | "session.auto_mode_resolved"
            | "session.compaction_start"
            | "session.handoff"
            | "session.truncation"
            | "session.usage_checkpoint"
            | "hook.start"
            | "hook.end" => false,
            other => return to.batch.ledger.unknown(&[other]),
        };
        if is_shown { Outcome::Read } else { to.batch.ledger.not_shown(&[kind]) }
    }

    fn start(&mut self, data: &Object<'_>, to: &mut Writer<'_>) -> Outcome {
        self.facts(data);
        if self.is_started {
            return to.batch.ledger.not_shown(&["session.start"]);
        }
        self.is_started = true;
        if let Some(id) = data.str("sessionId").filter(|id| !id.is_empty()) {
            self.session_id = Some(Text::from(&*id));
        }
        Outcome::Read
    }

    /// What an event says of the session as a whole: the first folder and branch, the last model.
    fn facts(&mut self, data: &Object<'_>) {
        let head = &mut self.head;
        let context = data.object("context").unwrap_or_default();
        first(&mut head.cwd, context.str("cwd"));
        first(&mut head.git_branch, context.str("branch"));
        first(&mut head.version, data.str("copilotVersion"));
        let model = ["newModel", "selectedModel", "model"].iter().find_map(|key| data.str(key));
        last(&mut head.model, model);
    }

    fn call(&mut self, data: &Object<'_>, to: &mut Writer<'_>) -> Outcome {
        let Some(said) = self.said(data, to) else { return to.batch.ledger.unknown(&["tool"]) };
        let name = data.str("toolName").unwrap_or("unknown".into());
        self.calls.starts(said, &name, data.value("arguments"), to.batch);
        Outcome::Merged
    }

    fn result(&mut self, data: &Object<'_>, to: &mut Writer<'_>) -> Outcome {
        let Some(said) = self.said(data, to) else { return to.batch.ledger.unknown(&["tool"]) };
        let is_error = data.raw("success") == Some("false");
        let content = data.object("result").and_then(|result| result.str("content"));
        let failure = data.object("error").and_then(|error| error.str("message"));
        let text = content.filter(|text| !text.is_empty()).or(failure).unwrap_or_default();
        let result = crate::said::Said::of(&text).result(is_error, &to.place, to.batch);
        self.calls.result(said, result, to.batch);
        Outcome::Merged
    }

    fn said(&self, data: &Object<'_>, to: &Writer<'_>) -> Option<Said> {
        Some(Said {
            log_id: data.str("toolCallId").filter(|id| !id.is_empty()).map(|id| Text::from(&*id))?,
            event: to.node,
            entry: to.line.entry,
            place: to.place.clone(),
        })
    }

    fn subagent(&mut self, data: &Object<'_>, to: &mut Writer<'_>) -> Outcome {
        let Some(id) = data.str("toolCallId").filter(|id| !id.is_empty()) else {
            return to.batch.ledger.unknown(&["subagent"]);
        };
        let is_new = !self.agents.contains_key(&*id);
        let agent = self.agent(&Text::from(&*id));
        first(&mut agent.agent_type, data.str("agentName"));
        first(&mut agent.description, data.str("agentDescription"));
        agent.duration_ms = data.count("durationMs").or(agent.duration_ms);
        agent.total_tokens = data.count("totalTokens").or(agent.total_tokens);
        if is_new { Outcome::Read } else { Outcome::Merged }
    }

    fn agent(&mut self, id: &Text) -> &mut Subagent {
        let new = || Subagent { agent_id: id.clone(), ..Subagent::default() };
        self.agents.entry(id.clone()).or_insert_with(new)
    }

    /// The event's id, with a number where another event has it; nothing where it is the same event again.
    fn unique(&mut self, id: Option<&str>, line: &Line<'_>) -> Option<Text> {
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            return Some(Text::from(format!("line-{}-{}", line.span.file + 1, line.span.line_first)));
        };
        let mut hasher = DefaultHasher::new();
        line.text.trim().hash(&mut hasher);
        let hash = hasher.finish();
        let seen = self.seen.entry(Text::from(id)).or_default();
        if seen.contains(&hash) {
            return None;
        }
        seen.push(hash);
        Some(if seen.len() == 1 { Text::from(id) } else { Text::from(format!("{id}~{}", seen.len())) })
    }

    /// The session's id. Where no event says it, the first one's own id does.
    fn session_id(&mut self, first: Option<&str>) -> Text {
        let id = self
            .session_id
            .get_or_insert_with(|| Text::from(format!("copilot-{}", first.unwrap_or("session"))));
        id.clone()
    }
}

/// What stands for the conversation up to here in the model's context; the log goes on holding all of it.
fn summary(data: &Object<'_>, to: &mut Writer<'_>) -> bool {
    if data.raw("success") == Some("false") {
        return false;
    }
    let text = data.str("summaryContent").unwrap_or_default();
    let before = data.count("preCompactionTokens");
    let summary = to.place.summary("compaction", &text, before, to.batch);
    to.batch.push(summary);
    true
}
