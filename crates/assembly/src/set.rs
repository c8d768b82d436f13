//! The records of one session, bucketed by kind and upserted by id.

use std::collections::HashMap;
use std::sync::Arc;

use palimpsest_record::{
    CountMode, Message, Session, Subagent, Summary, Text, ToolCall, ToolResult, TranscriptRecord, Workflow,
    WorkflowAgent,
};

use crate::assemble::AssemblyError;
use crate::rows::Rows;

mod bucket;

pub(crate) use bucket::{Bucket, Slot};

/// The records of one session. Later records win over earlier ones of the same id; what is absent
/// in the later one stays. Otherwise the order in which records arrive does not matter.
///
/// A set may be assembled and then take more records: `reassemble` builds only what changed.
#[derive(Debug, Default)]
pub struct RecordSet {
    pub(crate) session: Option<Session>,
    pub(crate) messages: Bucket<Message>,
    pub(crate) tool_calls: Bucket<ToolCall>,
    pub(crate) tool_results: Bucket<ToolResult>,
    pub(crate) summaries: Bucket<Summary>,
    pub(crate) subagents: Bucket<Subagent>,
    pub(crate) workflows: Bucket<Workflow>,
    pub(crate) workflow_agents: Bucket<WorkflowAgent>,
    /// By message id. Kept apart from the messages, because a duration may come before its message.
    pub(crate) turn_durations: HashMap<Text, u64>,
    /// Some message is from another file than the first.
    pub(crate) several_files: bool,
    pub(crate) lineage: Lineage,
    /// Counts changes; stamped on every record that one touched.
    revision: u64,
}

impl RecordSet {
    /// An empty set.
    pub fn new() -> RecordSet {
        RecordSet::default()
    }

    /// The set of a whole stream. Texts are moved, never copied. A session record that is a delta
    /// is an error: such a stream holds only what is new.
    pub fn from_records(
        records: impl IntoIterator<Item = TranscriptRecord>,
    ) -> Result<RecordSet, AssemblyError> {
        let mut set = RecordSet::new();
        for record in records {
            set.push(record);
        }
        set.whole()?;
        Ok(set)
    }

    /// The set of rows read back from a store: they become records first.
    pub fn from_rows(rows: Rows) -> Result<RecordSet, AssemblyError> {
        RecordSet::from_records(rows.into_records()?)
    }

    /// The rows that a store would hold.
    pub fn to_rows(&self) -> Rows {
        Rows::from(self)
    }

    /// Takes one more record.
    pub fn push(&mut self, record: TranscriptRecord) {
        self.revision += 1;
        let now = self.revision;
        match record {
            TranscriptRecord::Session(session) => self.session = Some(*session),
            TranscriptRecord::Message(message) => {
                self.several_files |= message.span.is_some_and(|span| span.file > 0);
                self.messages.upsert(message, now);
            }
            TranscriptRecord::ToolCall(call) => self.tool_calls.upsert(call, now),
            TranscriptRecord::ToolResult(result) => self.tool_results.upsert(result, now),
            TranscriptRecord::Summary(summary) => self.summaries.upsert(summary, now),
            TranscriptRecord::Subagent(agent) => self.subagents.upsert(agent, now),
            TranscriptRecord::Workflow(workflow) => self.workflows.upsert(workflow, now),
            TranscriptRecord::WorkflowAgent(agent) => self.workflow_agents.upsert(agent, now),
            TranscriptRecord::TurnDuration(turn) => {
                self.turn_durations.insert(turn.message_id, turn.duration_ms);
            }
            TranscriptRecord::DeleteSession(gone) => self.delete_session(&gone.session_id),
        }
    }

    /// The session record, once it is known.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// The message of that id: what a raw lookup begins from.
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.messages.get(id)
    }

    /// The tool call of that id.
    pub fn tool_call(&self, id: &str) -> Option<&ToolCall> {
        self.tool_calls.get(id)
    }

    /// The result of the call of that id.
    pub fn tool_result(&self, call_id: &str) -> Option<&ToolResult> {
        self.tool_results.get(call_id)
    }

    /// The summary of that id.
    pub fn summary(&self, id: &str) -> Option<&Summary> {
        self.summaries.get(id)
    }

    /// How long the turn that a message ends took. The transition counts for more than the message's
    /// own word, because it is written when the turn has ended.
    pub(crate) fn turn_duration(&self, message: &Message) -> Option<u64> {
        self.turn_durations.get(&message.id).copied().or(message.turn_duration_ms)
    }

    /// Number of messages.
    pub fn message_count(&self) -> usize {
        self.messages.len()
    }

    /// An error where the stream was only a delta.
    pub(crate) fn whole(&self) -> Result<(), AssemblyError> {
        match &self.session {
            Some(session) if session.count_mode == CountMode::Delta => {
                Err(AssemblyError::Delta { session_id: session.id.clone() })
            }
            _ => Ok(()),
        }
    }

    fn delete_session(&mut self, session_id: &str) {
        for message in self.messages.iter().filter(|message| message.session_id == *session_id) {
            self.turn_durations.remove(&message.id);
        }
        if self.session.as_ref().is_some_and(|session| session.id == *session_id) {
            self.session = None;
        }
        self.messages.retain(|message| message.session_id != *session_id);
        self.tool_calls.retain(|call| call.session_id != *session_id);
        self.tool_results.retain(|result| result.session_id != *session_id);
        self.summaries.retain(|summary| summary.session_id != *session_id);
        self.subagents.retain(|agent| agent.session_id != *session_id);
        self.workflows.retain(|workflow| workflow.session_id != *session_id);
        self.workflow_agents.retain(|agent| agent.session_id != *session_id);
    }
}

/// Which record set a session detail was made from. Two are equal to every comparison, because
/// where a detail comes from is no part of what it says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lineage(Arc<()>);

impl Lineage {
    /// Both come from the same set, not only from equal ones.
    pub(crate) fn is(&self, other: &Lineage) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Lineage {
    fn eq(&self, _: &Lineage) -> bool {
        true
    }
}
