//! Agents that the thread starts, talks to and waits for.

use std::collections::HashMap;

use palimpsest_record::{Subagent, Text, TranscriptRecord};

use super::calls::Ending;
use super::here::Here;
use super::output::{Answer, Reading};
use super::shapes::event::{Event, event_name};
use super::thread::Thread;
use super::tools::of_words;
use crate::{Batch, Outcome};

impl Thread {
    /// An event about another agent; `None` where it is about something else.
    pub(super) fn agent_event(
        &mut self,
        here: &mut Here<'_, '_>,
        event: &Event<'_>,
        kind: &str,
    ) -> Option<Outcome> {
        let tool = match kind {
            "collab_agent_spawn_end" => "spawn_agent",
            "collab_agent_interaction_end" => "send_input",
            "collab_waiting_end" => "wait",
            "collab_close_end" => "close_agent",
            "collab_resume_end" => "resume_agent",
            "CollabAgentToolCall" => match event.tool.text() {
                Some("spawnAgent") => "spawn_agent",
                Some("sendInput") => "send_input",
                Some("resumeAgent") => "resume_agent",
                Some("closeAgent") => "close_agent",
                _ => "wait",
            },
            "sub_agent_activity" | "SubAgentActivity" => return Some(self.agent_activity(here, event, kind)),
            _ => return None,
        };
        let failed = matches!(event.status.text(), Some("failed" | "errored" | "not_found"));
        let states =
            event.agents_states.map(|raw| raw.get()).filter(|raw| !matches!(*raw, "{}" | "[]" | "null"));
        let output = states.map(|raw| (raw, Answer::of_json as Reading));
        let outcome = self.call_ended(here, event.key(), &Ending { output, failed }, |_| {
            of_words(tool, &[("prompt", event.prompt.text())])
        });
        let child = event.new_thread_id.text().or(event.receiver_thread_ids.texts().next());
        if let Some(child) = child.filter(|_| tool == "spawn_agent") {
            let agent = Subagent {
                parent_tool_call_id: self.calls.id(event.key()).cloned(),
                agent_type: event.new_agent_role.text().map(Text::from),
                description: event.new_agent_nickname.text().or(event.prompt.text()).map(Text::from),
                ..self.subagent(child)
            };
            put_agent(here.batch, &mut here.ids.agents, agent);
        }
        Some(outcome)
    }

    /// `sub_agent_activity`: an agent was started, or something else happened to it.
    fn agent_activity(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>, kind: &str) -> Outcome {
        let call = event.event_id.text().or(event.key());
        let parent = self.calls.id(call).cloned();
        let (Some(child), Some(parent)) = (event.agent_thread_id.text(), parent) else {
            return here.not_shown(event_name(kind));
        };
        if event.sort.text().is_some_and(|sort| sort != "started") {
            return here.not_shown(event_name(kind));
        }
        let agent = Subagent {
            parent_tool_call_id: Some(parent),
            description: event.agent_path.text().map(Text::from),
            ..self.subagent(child)
        };
        put_agent(here.batch, &mut here.ids.agents, agent);
        Outcome::Merged
    }

    /// An agent of which nothing but its thread is known.
    pub(super) fn subagent(&self, thread: &str) -> Subagent {
        Subagent {
            agent_id: Text::from(thread),
            session_id: self.blank.session_id.clone(),
            ..Subagent::default()
        }
    }
}

/// Adds an agent, or what is new about one: several lines and its own log tell of it.
pub(super) fn put_agent(batch: &mut Batch, known: &mut HashMap<Text, usize>, agent: Subagent) {
    let record = known.get(&agent.agent_id).and_then(|record| batch.records.get_mut(*record));
    if let Some(TranscriptRecord::Subagent(before)) = record {
        before.parent_tool_call_id = before.parent_tool_call_id.take().or(agent.parent_tool_call_id);
        before.agent_type = before.agent_type.take().or(agent.agent_type);
        before.description = before.description.take().or(agent.description);
        return;
    }
    let id = agent.agent_id.clone();
    let record = batch.push(agent);
    known.insert(id, record);
}
