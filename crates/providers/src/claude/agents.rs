//! Which tool call started which subagent.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use palimpsest_record::{ContentType, Message, MessageType, Subagent, Text, TranscriptRecord};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::ClaudeReader;
use super::calls::{CallNumber, Starts};
use super::media::joined;
use super::said::Said;
use super::shapes::{Content, Relayed, opened};
use super::threads::ThreadId;
use super::words::Words;
use super::writer::Writer;
use crate::Batch;
use crate::json::{Lax, Str};

/// A call that starts a subagent.
#[derive(Debug, Default)]
pub(super) struct Spawn {
    call: CallNumber,
    prompt: Option<u64>,
    agent_type: Option<Text>,
    description: Option<Text>,
}

/// Input of the tool `Task`, later `Agent`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TaskInput<'a> {
    #[serde(borrow)]
    prompt: Lax<Str<'a>>,
    #[serde(borrow)]
    description: Lax<Str<'a>>,
    #[serde(borrow)]
    subagent_type: Lax<Str<'a>>,
}

/// `toolUseResult` of that tool: at its end, or (`async_launched`) at its start.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct TaskResult<'a> {
    #[serde(borrow)]
    agent_id: Lax<Str<'a>>,
    #[serde(borrow)]
    agent_type: Lax<Str<'a>>,
    #[serde(borrow)]
    content: Content<'a>,
    total_duration_ms: Lax<u64>,
    total_tokens: Lax<u64>,
}

/// Tells texts apart without keeping them.
pub(super) fn fingerprint(text: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    text.trim().hash(&mut hash);
    hash.finish()
}

impl ClaudeReader {
    /// What a call starts, told by its tool and its input.
    pub(super) fn starts(&mut self, call: CallNumber, tool: &str, input: Option<&RawValue>) -> Starts {
        match tool {
            "Task" | "Agent" => {
                let input = input.map(|input| opened(input.get())).unwrap_or_default();
                let input: TaskInput<'_> = serde_json::from_str(&input).unwrap_or_default();
                self.spawns.push(Spawn {
                    call,
                    prompt: input.prompt.text().map(fingerprint),
                    agent_type: input.subagent_type.text().map(Text::from),
                    description: input.description.text().map(Text::from),
                });
                Starts::Agent
            }
            "Workflow" => Starts::Workflow,
            "Skill" => Starts::Skill,
            _ => Starts::Nothing,
        }
    }

    /// What the result of a call tells of the agent or the workflow that it started.
    pub(super) fn started(&mut self, number: CallNumber, structure: &str, out: &mut Writer<'_>) {
        let Some(call) = self.calls.number(number) else { return };
        let id = call.record.map(|_| call.id.clone());
        match call.starts {
            Starts::Workflow => self.runs.launched(id, structure, out.stamp.timestamp),
            Starts::Agent => self.agent_reported(id, structure, out),
            // The call's own line may be damaged.
            Starts::Nothing if id.is_none() => self.agent_reported(None, structure, out),
            Starts::Nothing | Starts::Skill => {}
        }
    }

    fn agent_reported(&mut self, call: Option<Text>, structure: &str, out: &mut Writer<'_>) {
        let structure = opened(structure);
        let Ok(report) = serde_json::from_str::<TaskResult<'_>>(&structure) else { return };
        let Some(agent_id) = report.agent_id.text().filter(|id| !id.is_empty()) else { return };
        let id = self.threads.of_agent(agent_id);
        let thread = self.threads.of(id);
        thread.started_by = thread.started_by.take().or(call);
        thread.duration_ms = report.total_duration_ms.or(thread.duration_ms);
        thread.total_tokens = report.total_tokens.or(thread.total_tokens);
        thread.agent_type = thread.agent_type.take().or(report.agent_type.text().map(Text::from));
        if !thread.own_lines && !thread.relayed.is_empty() {
            self.last_answer(id, &joined(&report.content), out);
        }
    }

    /// Relayed lines never hold an agent's last answer: its report does.
    fn last_answer(&mut self, id: ThreadId, text: &Words<'_>, out: &mut Writer<'_>) {
        let thread = self.threads.of(id);
        let said = thread.last_answer.and_then(|at| match out.batch.records.get(at) {
            Some(TranscriptRecord::Message(message)) => message.text.as_ref(),
            _ => None,
        });
        let preview = text.preview(out.batch.options.preview_limit);
        if text.trim().is_empty() || said == Some(&preview.text) {
            return;
        }
        let message = out.text(ANSWER, MessageType::Assistant, ContentType::Text, text);
        let at = out.batch.push(Message {
            id: Text::from(format!("{}#answer", out.stamp.id)),
            agent_id: thread.agent_id.clone(),
            is_sidechain: true,
            cwd: None,
            ..message
        });
        thread.relayed.push(at);
        thread.last_answer = Some(at);
    }

    /// A subagent's line, relayed in its parent's log.
    pub(super) fn relayed(
        &mut self,
        agent_id: &str,
        call: Option<&str>,
        line: &Relayed<'_>,
        out: &mut Writer<'_>,
    ) {
        let id = self.threads.of_agent(agent_id);
        let caller = call.and_then(|call| self.calls.get(call)).filter(|call| call.record.is_some());
        let caller = caller.map(|call| call.id.clone());
        let thread = self.threads.of(id);
        thread.started_by = thread.started_by.take().or(caller);
        if thread.own_lines {
            out.merged = true;
            return;
        }
        thread.relayed_lines.push(out.line.entry);
        out.stamp.thread = id;
        out.stamp.agent_id = thread.agent_id.clone();
        out.stamp.is_sidechain = true;
        out.stamp.relayed = true;
        out.stamp.parent = thread.last_message.clone();
        let said = Said::relayed(line);
        match line.kind.text() {
            Some("assistant") => self.assistant(&said, out),
            Some("user") => self.user(&said, out),
            _ => return,
        };
        let thread = self.threads.of(id);
        thread.relayed.extend(out.records());
        thread.speaks |= out.tail.is_some();
        thread.last_message = out.stamp.parent.clone();
    }

    /// Finds the call of each agent that no line links to one: the prompts are the same.
    pub(super) fn link_by_prompt(&mut self) {
        let linked: HashSet<Text> =
            self.threads.agents().filter_map(|(_, thread)| thread.started_by.clone()).collect();
        let mut waiting: HashMap<u64, VecDeque<Text>> = HashMap::new();
        for spawn in &self.spawns {
            let Some(call) = self.calls.number(spawn.call) else { continue };
            if let Some(prompt) = spawn.prompt.filter(|_| !linked.contains(&call.id)) {
                waiting.entry(prompt).or_default().push_back(call.id.clone());
            }
        }
        for (_, thread) in self.threads.agents().filter(|(_, thread)| thread.started_by.is_none()) {
            let calls = thread.first_prompt.and_then(|prompt| waiting.get_mut(&prompt));
            thread.started_by = calls.and_then(VecDeque::pop_front);
        }
    }

    /// Adds a record for each subagent but the one that is the main thread here.
    pub(super) fn tell_agents(&mut self, session_id: &Text, main: ThreadId, batch: &mut Batch) {
        let spawns: HashMap<&Text, &Spawn> = self
            .spawns
            .iter()
            .filter_map(|spawn| Some((&self.calls.number(spawn.call)?.id, spawn)))
            .collect();
        for (_, thread) in self.threads.agents().filter(|(id, _)| *id != main) {
            let Some(agent_id) = &thread.agent_id else { continue };
            let known = thread.speaks || thread.started_by.is_some();
            if !known || thread.is_warm_up() || self.runs.has_agent(agent_id) {
                continue;
            }
            let spawn = thread.started_by.as_ref().and_then(|call| spawns.get(call));
            batch.push(Subagent {
                agent_id: agent_id.clone(),
                session_id: session_id.clone(),
                parent_tool_call_id: thread.started_by.clone(),
                agent_type: thread.agent_type.clone().or_else(|| spawn?.agent_type.clone()),
                description: thread.description.clone().or_else(|| spawn?.description.clone()),
                duration_ms: thread.duration_ms,
                total_tokens: thread.total_tokens,
            });
        }
    }
}

/// Block number of an agent's answer told by its parent's line.
const ANSWER: usize = 4094;
