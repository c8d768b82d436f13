//! Subagents in one line each, and where these lines stand.

use std::collections::{HashMap, HashSet};

use palimpsest_assembly::{RecordSet, SessionDetail, SubagentDetail};
use palimpsest_protocol::AgentLine;
use palimpsest_record::{Text, WorkflowAgent};

use crate::parts::first_line;
use crate::rows::short_of;

/// Lines by the call that they stand under: that which started the agent, or the script that ran it.
pub type ByCall = HashMap<Text, Vec<AgentLine>>;

/// The lines of all subagents: by their call, and those that have none in this session.
pub fn lines(detail: &SessionDetail, set: &RecordSet) -> (ByCall, Vec<AgentLine>) {
    let mut by_call = ByCall::new();
    let mut placed = HashSet::new();
    let by_id: HashMap<&str, &SubagentDetail> =
        detail.subagents.iter().map(|agent| (agent.agent_id.as_str(), agent)).collect();
    let known = |call: &Option<Text>| call.clone().filter(|call| set.tool_call(call).is_some());
    for agent in &detail.subagents {
        if let Some(call) = known(&agent.parent_tool_use_id) {
            placed.insert(agent.agent_id.as_str());
            by_call.entry(call).or_default().push(line(agent, None));
        }
    }
    for run in &detail.workflows {
        let Some(call) = known(&run.parent_tool_use_id) else { continue };
        for worker in &run.agents {
            // One that another call started stands there.
            if placed.insert(worker.agent_id.as_str()) {
                let line = match by_id.get(worker.agent_id.as_str()) {
                    Some(agent) => line(agent, Some(worker)),
                    None => without_log(worker),
                };
                by_call.entry(call.clone()).or_default().push(line);
            }
        }
    }
    let strays = detail.subagents.iter().filter(|agent| !placed.contains(agent.agent_id.as_str()));
    (by_call, strays.map(|agent| line(agent, None)).collect())
}

fn line(agent: &SubagentDetail, worker: Option<&WorkflowAgent>) -> AgentLine {
    let of_run = worker.map(without_log);
    let description = agent.description.as_deref().map(first_line);
    AgentLine {
        agent_id: agent.agent_id.clone(),
        agent_type: agent
            .agent_type
            .as_deref()
            .map(first_line)
            .or(of_run.as_ref().and_then(|line| line.agent_type.clone())),
        description: description
            .or(of_run.as_ref().and_then(|line| line.description.clone()))
            .or_else(|| agent.messages.first().map(|item| short_of(item))),
        duration_ms: agent.duration_ms.or(worker.and_then(|worker| worker.duration_ms)),
        tokens: agent.total_tokens.or(worker.and_then(|worker| worker.tokens)),
        rows: (agent.messages.len() + agent.summaries.len()) as u32,
        errors: u32::try_from(agent.counts.errors).unwrap_or(u32::MAX),
    }
}

/// What a script's run says of an agent whose own log is not among the files.
fn without_log(worker: &WorkflowAgent) -> AgentLine {
    let words = [&worker.phase, &worker.label, &worker.description];
    let words: Vec<&str> =
        words.into_iter().flatten().map(Text::as_str).filter(|words| !words.is_empty()).collect();
    AgentLine {
        agent_id: worker.agent_id.clone(),
        agent_type: worker.agent_type.as_deref().map(first_line),
        description: (!words.is_empty()).then(|| first_line(&words.join(" · "))),
        duration_ms: worker.duration_ms,
        tokens: worker.tokens,
        rows: 0,
        errors: 0,
    }
}
