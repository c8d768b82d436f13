//! What only the whole log shows.

use std::collections::{HashMap, HashSet};

use palimpsest_record::{Superseded, SupersededBy, Text, TranscriptRecord, Visibility};

use super::ClaudeReader;
use super::branches::{Branches, supersede};
use super::threads::ThreadId;
use crate::{Batch, Outcome};

impl ClaudeReader {
    pub(super) fn settle(&mut self, batch: &mut Batch) {
        self.show_unanswered_errors(batch);
        self.queue.keep_unsent(batch);
        let main = self.main_thread();
        let attests = self.settle_branches(main, batch);
        self.describe_agents();
        self.link_by_prompt();
        self.describe_agents();
        self.drop_relayed(batch);

        let session_id = self.session_id(main);
        self.give_to(&session_id, main, batch);
        self.tell_agents(&session_id, main, batch);
        let types: HashMap<Text, Text> =
            self.threads.agents().filter_map(|(_, t)| t.agent_id.clone().zip(t.agent_type.clone())).collect();
        std::mem::take(&mut self.runs).tell(&session_id, &types, batch);
        let prompts = self.threads.of(main).prompts;
        let mut session = self.session.session(&session_id, &self.tree, prompts, &self.source);
        session.attests_inactive = attests;
        if main != ThreadId::MAIN {
            session.forked_from = self.session.id().filter(|parent| **parent != session_id).cloned();
        }
        batch.push(session);
    }

    /// A subagent's file opened alone is a session of its own, and the agent's conversation its main
    /// thread.
    fn main_thread(&mut self) -> ThreadId {
        let main = self.threads.of(ThreadId::MAIN);
        if main.speaks || main.last_node.is_some() {
            return ThreadId::MAIN;
        }
        let alone = self.threads.agents().find(|(_, thread)| thread.own_lines && thread.speaks);
        alone.map_or(ThreadId::MAIN, |(id, _)| id)
    }

    /// Settles which branches were left, where the log says so, and marks the forks where it does
    /// not. True where it can say so.
    fn settle_branches(&mut self, main: ThreadId, batch: &mut Batch) -> bool {
        let branches = Branches::of(&self.tree, main);
        let leaf = self.session.leaf(&self.tree, main);
        match leaf {
            Some(leaf) => branches.leave(leaf, batch),
            None => branches.mark(batch),
        }
        for retraction in &self.session.retractions {
            let cause = Superseded { how: SupersededBy::Retracted, at: retraction.at, by: None };
            if let Some(node) = self.tree.find(&retraction.uuid).and_then(|node| self.tree.get(node)) {
                supersede(node, &cause, batch);
            }
        }
        leaf.is_some() || !self.session.retractions.is_empty()
    }

    /// What was relayed of a subagent that has lines of its own says the same again.
    fn drop_relayed(&mut self, batch: &mut Batch) {
        let mut dropped: HashSet<usize> = HashSet::new();
        for (_, thread) in self.threads.agents().filter(|(_, thread)| thread.own_lines) {
            dropped.extend(thread.relayed.drain(..));
            for line in thread.relayed_lines.drain(..) {
                if batch.ledger.outcome(line) == Some(Outcome::Read) {
                    batch.ledger.settle(line, Outcome::Merged);
                }
            }
        }
        if !dropped.is_empty() {
            let mut at = 0..;
            batch.records.retain(|_| at.next().is_none_or(|at| !dropped.contains(&at)));
        }
    }

    fn session_id(&mut self, main: ThreadId) -> Text {
        if let Some(agent) = &self.threads.of(main).agent_id {
            return Text::from(format!("agent-{agent}"));
        }
        // A log that names no session goes by how it begins.
        self.session
            .id()
            .cloned()
            .unwrap_or_else(|| Text::from(format!("log-{:016x}", self.opening.unwrap_or(0))))
    }

    /// Gives all records to the session; the main thread is nobody's; what keeps caches warm hides.
    fn give_to(&mut self, session_id: &Text, main: ThreadId, batch: &mut Batch) {
        let alone = self.threads.of(main).agent_id.clone();
        let warm: HashSet<Text> = self
            .threads
            .agents()
            .filter(|(id, thread)| *id != main && thread.is_warm_up())
            .filter_map(|(_, thread)| thread.agent_id.clone())
            .collect();
        for record in &mut batch.records {
            match record {
                TranscriptRecord::Message(message) => {
                    message.session_id = session_id.clone();
                    if message.agent_id.as_ref().is_some_and(|agent| warm.contains(agent)) {
                        message.visibility = Visibility::Hidden;
                    }
                    message.agent_id = message.agent_id.take().filter(|agent| alone.as_ref() != Some(agent));
                }
                TranscriptRecord::Summary(summary) => {
                    summary.session_id = session_id.clone();
                    summary.agent_id = summary.agent_id.take().filter(|agent| alone.as_ref() != Some(agent));
                }
                TranscriptRecord::ToolCall(call) => call.session_id = session_id.clone(),
                TranscriptRecord::ToolResult(result) => result.session_id = session_id.clone(),
                _ => {}
            }
        }
    }
}
