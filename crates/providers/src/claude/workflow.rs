//! Workflows: a script that runs several agents.
//!
//! The call that starts one gets a run's id as its result. The run's journal, a file of its own,
//! says which agents began and what they returned, and does not name the run; a state file beside
//! the session does, and names its agents.

use std::collections::{BTreeMap, HashMap, HashSet};

use palimpsest_record::{ContentType, MessageType, Text, Timestamp, Workflow, WorkflowAgent};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::ClaudeReader;
use super::record::Record;
use super::shapes::opened;
use super::words::Words;
use super::writer::Writer;
use crate::Batch;
use crate::json::{Lax, Nested, Str};

/// A run's state, `<session>/workflows/<run>.json`, and what the starting call's result says of it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct RunState<'a> {
    #[serde(borrow)]
    run_id: Lax<Str<'a>>,
    #[serde(borrow)]
    workflow_name: Lax<Str<'a>>,
    #[serde(borrow)]
    status: Lax<Str<'a>>,
    #[serde(borrow)]
    timestamp: Lax<Str<'a>>,
    duration_ms: Lax<u64>,
    total_tokens: Lax<u64>,
    agent_count: Lax<u64>,
    #[serde(borrow)]
    workflow_progress: Option<&'a RawValue>,
}

/// One entry of `workflowProgress`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Step<'a> {
    #[serde(borrow)]
    agent_id: Lax<Str<'a>>,
    #[serde(borrow)]
    label: Lax<Str<'a>>,
    #[serde(borrow)]
    phase_title: Lax<Str<'a>>,
    #[serde(borrow)]
    model: Lax<Str<'a>>,
    #[serde(borrow)]
    state: Lax<Str<'a>>,
    duration_ms: Lax<u64>,
    tokens: Lax<u64>,
    tool_calls: Lax<u64>,
}

/// All runs of a session.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Workflow>,
    by_id: HashMap<Text, usize>,
    agents: Vec<WorkflowAgent>,
    by_agent: HashMap<Text, usize>,
    /// Agents of each journal, by its file.
    journals: BTreeMap<u32, Vec<usize>>,
}

impl Runs {
    /// A call started a run.
    pub(super) fn launched(&mut self, call: Option<Text>, structure: &str, at: Option<Timestamp>) {
        let structure = opened(structure);
        let Ok(state) = serde_json::from_str::<RunState<'_>>(&structure) else { return };
        if let Some(run) = self.told(&state) {
            run.parent_tool_call_id = run.parent_tool_call_id.take().or(call);
            run.timestamp = run.timestamp.or(at);
        }
    }

    /// What a state says of its run. None where it names no run.
    fn told(&mut self, state: &RunState<'_>) -> Option<&mut Workflow> {
        let id = state.run_id.text().filter(|id| !id.is_empty())?;
        let at = *self.by_id.entry(Text::from(id)).or_insert_with(|| {
            self.runs.push(Workflow { run_id: Text::from(id), ..Workflow::default() });
            self.runs.len() - 1
        });
        let run = self.runs.get_mut(at)?;
        let text = |said: &Lax<Str<'_>>| said.text().map(Text::from);
        run.name = text(&state.workflow_name).or(run.name.take());
        run.status = text(&state.status).or(run.status.take());
        run.timestamp = state.timestamp.text().and_then(Timestamp::parse).or(run.timestamp);
        run.duration_ms = state.duration_ms.or(run.duration_ms);
        run.total_tokens = state.total_tokens.or(run.total_tokens);
        run.agent_count = state.agent_count.or(run.agent_count);
        Some(run)
    }

    /// Reads a run's state file. False where it names no run.
    pub(super) fn state(&mut self, state: &RunState<'_>) -> bool {
        let Some(run_id) = self.told(state).map(|run| run.run_id.clone()) else { return false };
        let steps: Vec<Nested<Step<'_>>> = state
            .workflow_progress
            .and_then(|progress| serde_json::from_str(progress.get()).ok())
            .unwrap_or_default();
        for step in steps.into_iter().filter_map(|step| step.0) {
            let Some(agent_id) = step.agent_id.text().filter(|id| !id.is_empty()) else { continue };
            let Some(agent) = self.agent(agent_id) else { continue };
            let text = |said: &Lax<Str<'_>>| said.text().map(Text::from);
            agent.run_id = run_id.clone();
            agent.label = text(&step.label).or(agent.label.take());
            agent.phase = text(&step.phase_title).or(agent.phase.take());
            agent.model = text(&step.model).or(agent.model.take());
            agent.state = text(&step.state).or(agent.state.take());
            agent.duration_ms = step.duration_ms.or(agent.duration_ms);
            agent.tokens = step.tokens.or(agent.tokens);
            agent.tool_calls = step.tool_calls.or(agent.tool_calls);
        }
        true
    }

    fn agent(&mut self, agent_id: &str) -> Option<&mut WorkflowAgent> {
        let at = *self.by_agent.entry(Text::from(agent_id)).or_insert_with(|| {
            self.agents.push(WorkflowAgent { agent_id: Text::from(agent_id), ..WorkflowAgent::default() });
            self.agents.len() - 1
        });
        self.agents.get_mut(at)
    }

    /// The agent is part of a run.
    pub(super) fn has_agent(&self, agent_id: &Text) -> bool {
        self.by_agent.contains_key(agent_id)
    }

    /// Adds the records of all runs. `types` are agents' types by their ids.
    pub(super) fn tell(mut self, session_id: &Text, types: &HashMap<Text, Text>, batch: &mut Batch) {
        self.name_journals();
        let mut told: HashSet<Text> = self.runs.iter().map(|run| run.run_id.clone()).collect();
        let run_ids = self.agents.iter().map(|agent| &agent.run_id);
        let untold: Vec<Text> = run_ids.filter(|run| told.insert((*run).clone())).cloned().collect();
        let untold = untold.into_iter().map(|run_id| Workflow { run_id, ..Workflow::default() });
        for run in self.runs.into_iter().chain(untold) {
            batch.push(Workflow { session_id: session_id.clone(), ..run });
        }
        for agent in self.agents {
            batch.push(WorkflowAgent {
                session_id: session_id.clone(),
                agent_type: types.get(&agent.agent_id).cloned(),
                ..agent
            });
        }
    }

    /// A journal's run: the one that a state file gives one of its agents to, else the only one
    /// that there is, else one that goes by its first agent.
    fn name_journals(&mut self) {
        let only = match (self.runs.as_slice(), self.journals.len()) {
            ([run], 1) => Some(run.run_id.clone()),
            _ => None,
        };
        for members in self.journals.values() {
            let named = members.iter().filter_map(|&at| self.agents.get(at)).map(|agent| &agent.run_id);
            let first = members.first().and_then(|&at| self.agents.get(at)).map(|agent| &agent.agent_id);
            let known = named.clone().find(|run| !run.is_empty()).cloned().or_else(|| only.clone());
            let Some(run_id) = known.or(first.map(|first| Text::from(format!("run:{first}")))) else {
                continue;
            };
            for &at in members {
                if let Some(agent) = self.agents.get_mut(at).filter(|agent| agent.run_id.is_empty()) {
                    agent.run_id = run_id.clone();
                }
            }
        }
    }
}

impl ClaudeReader {
    /// Reads a line of a journal: an agent began (`started`), or returned (`result`). True where it
    /// became a record of its own; `None` where it names no agent.
    pub(super) fn journal(&mut self, record: &Record<'_>, out: &mut Writer<'_>) -> Option<bool> {
        let agent_id = record.agent_id.text().filter(|id| !id.is_empty())?;
        let returned = record.kind.text() == Some("result");
        let known = self.runs.agents.len();
        let agent = self.runs.agent(agent_id)?;
        let state = if returned { "done" } else { "started" };
        agent.state = agent.state.take().filter(|_| !returned).or(Some(Text::from(state)));
        let is_new = self.runs.agents.len() > known;
        if is_new {
            self.runs.journals.entry(out.line.span.file).or_default().push(known);
        }
        if returned {
            self.returned(agent_id, record, out);
        }
        Some(is_new || !out.records().is_empty())
    }

    /// What an agent returned is its last answer, where its own lines are not given.
    fn returned(&mut self, agent_id: &str, record: &Record<'_>, out: &mut Writer<'_>) {
        let id = self.threads.of_agent(agent_id);
        let thread = self.threads.of(id);
        let result = record.result.map(opened).unwrap_or_default();
        let text = match serde_json::from_str::<Lax<Str<'_>>>(&result) {
            Ok(Lax(Some(text))) => text.to_string(),
            _ => result.to_string(),
        };
        if thread.own_lines || text.trim().is_empty() {
            return;
        }
        out.stamp.thread = id;
        out.stamp.agent_id = thread.agent_id.clone();
        let message = out.text(0, MessageType::Assistant, ContentType::Text, &Words::from(text.as_str()));
        if let Some(at) = out.say(0, message) {
            thread.relayed.push(at);
            thread.relayed_lines.push(out.line.entry);
        }
    }
}
