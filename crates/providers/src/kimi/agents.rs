//! Which call started which agent. An agent's wire does not say who it is; the call's result does.

use palimpsest_record::{Subagent, Text, Timestamp, TranscriptRecord};

use super::content::text;
use crate::batch::hash_of_opening;
use crate::notes::Notes;
use crate::writing::Writer;
use crate::{Batch, Object};

/// A call that may have started an agent.
#[derive(Debug)]
pub(super) struct Spawn {
    /// The call's id.
    pub(super) call: Text,
    prompt: Option<String>,
    agent_type: Option<Text>,
    description: Option<Text>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    /// The agent's id, as the result has it.
    agent: Option<Text>,
}

/// The wire of an agent.
#[derive(Debug, Default)]
pub(super) struct AgentLog {
    /// A name for it until its own is known.
    pub(super) id: Text,
    /// What it calls itself.
    named: Option<Text>,
    prompt: Option<String>,
    begun: Option<Timestamp>,
}

impl Spawn {
    /// The call just written, where it is one that starts agents: it gives one a prompt.
    pub(super) fn of(event: &Object<'_>, to: &Writer<'_>) -> Option<Spawn> {
        let Some(TranscriptRecord::ToolCall(call)) = to.batch.records.last() else { return None };
        let arguments = event.object("args")?;
        let display = event.object("display");
        let is_agent =
            display.as_ref().and_then(|it| it.str("kind")).is_some_and(|kind| kind == "agent_call");
        let agent_type = arguments.words("subagent_type").map(|kind| Text::from(&*kind));
        if !is_agent && agent_type.is_none() {
            return None;
        }
        Some(Spawn {
            call: call.id.clone(),
            prompt: arguments.words("prompt").map(|prompt| prompt.trim().to_owned()),
            agent_type,
            description: arguments.words("description").map(|words| Text::from(&*words)),
            from: to.place.at,
            to: None,
            agent: None,
        })
    }

    /// What the call gave: its first line names the agent.
    pub(super) fn returned(&mut self, output: &str, at: Option<Timestamp>) {
        let named = output.lines().find_map(|line| line.strip_prefix("agent_id:"));
        self.agent = named.map(|id| Text::from(id.trim())).filter(|id| !id.is_empty());
        self.to = at;
    }

    /// How sure it is that it started this agent: by name, by prompt, by time.
    fn likeness(&self, log: &AgentLog) -> u8 {
        let is_named = log.named.is_some() && log.named == self.agent;
        let is_asked = match (&self.prompt, &log.prompt) {
            (Some(asked), Some(prompt)) => prompt.contains(asked.as_str()),
            _ => false,
        };
        let is_within = match (self.from, self.to, log.begun) {
            (Some(from), Some(to), Some(begun)) => (from..=to).contains(&begun),
            _ => false,
        };
        u8::from(is_named) * 4 + u8::from(is_asked) * 2 + u8::from(is_within)
    }
}

impl AgentLog {
    /// That of a wire that begins with this line.
    pub(super) fn new(opening: &str) -> AgentLog {
        let id = Text::from(format!("agent-{:016x}", hash_of_opening(opening)));
        AgentLog { id, ..AgentLog::default() }
    }

    /// What a line says of the agent.
    pub(super) fn note(&mut self, object: &Object<'_>, at: Option<Timestamp>) {
        self.begun = self.begun.or(at);
        if let Some(id) = object.words("agentId").filter(|id| *id != "main") {
            self.named = Some(Text::from(&*id));
        }
        if self.prompt.is_none() && object.str("type").as_deref() == Some("turn.prompt") {
            self.prompt = Some(text(object.value("input")));
        }
    }
}

/// Notes the agents, each with the call that started it, and gives their messages the names by which their parents know them.
pub(super) fn link(logs: Vec<AgentLog>, spawns: &[Spawn], notes: &mut Notes, batch: &mut Batch) {
    let mut free: Vec<&Spawn> = spawns.iter().collect();
    for log in logs {
        let best =
            free.iter().enumerate().map(|(at, spawn)| (spawn.likeness(&log), at)).filter(|it| it.0 > 0);
        // Of equals the first.
        let spawn =
            best.max_by_key(|&(likeness, at)| (likeness, usize::MAX - at)).map(|(_, at)| free.remove(at));
        let name =
            spawn.and_then(|spawn| spawn.agent.clone()).or(log.named).unwrap_or_else(|| log.id.clone());
        for record in &mut batch.records {
            match record {
                TranscriptRecord::Message(message) if message.agent_id.as_ref() == Some(&log.id) => {
                    message.agent_id = Some(name.clone());
                }
                TranscriptRecord::Summary(summary) if summary.agent_id.as_ref() == Some(&log.id) => {
                    summary.agent_id = Some(name.clone());
                }
                _ => {}
            }
        }
        note(spawn, &name, notes);
    }
    for spawn in free {
        if let Some(agent) = &spawn.agent {
            note(Some(spawn), agent, notes);
        }
    }
}

fn note(spawn: Option<&Spawn>, name: &Text, notes: &mut Notes) {
    let agent: &mut Subagent = notes.agent(name);
    let Some(spawn) = spawn else { return };
    agent.parent_tool_call_id = Some(spawn.call.clone());
    agent.agent_type.clone_from(&spawn.agent_type);
    agent.description.clone_from(&spawn.description);
}
