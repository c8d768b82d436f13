//! Records as the rows of a store: every column optional, JSON as text, words as stored.
//!
//! A store reads and writes these and nothing else. On the way back rows become records first, so
//! that there is one algorithm for both, and what a row cannot say is an error here.

use palimpsest_record::{
    Block, ContentType, CountMode, Json, LogProvenance, Message, MessageType, ModelUsage, Presentation,
    Session, Span, Subagent, Summary, Superseded, Text, Timestamp, ToolCall, ToolResult, TranscriptRecord,
    Usage, Visibility, Workflow, WorkflowAgent,
};

use crate::assemble::AssemblyError;
use crate::set::RecordSet;

mod column;

pub use column::{At, Column, LogColumns, SpanColumns, SupersededColumns, UsageColumns};

/// All rows of one session, one list per table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// Table `sessions`.
    pub sessions: Vec<SessionRow>,
    /// Table `messages`.
    pub messages: Vec<MessageRow>,
    /// Table `tool_calls`.
    pub tool_calls: Vec<ToolCallRow>,
    /// Table `tool_results`.
    pub tool_results: Vec<ToolResultRow>,
    /// Table `subagents`.
    pub subagents: Vec<SubagentRow>,
    /// Table `workflows`.
    pub workflows: Vec<WorkflowRow>,
    /// Table `workflow_agents`.
    pub workflow_agents: Vec<WorkflowAgentRow>,
    /// Table `summaries`.
    pub summaries: Vec<SummaryRow>,
}

impl Rows {
    /// The records that the rows stand for; the session last, as a stream has it.
    pub fn into_records(self) -> Result<Vec<TranscriptRecord>, AssemblyError> {
        let mut records = Vec::with_capacity(self.messages.len());
        for row in self.messages {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.tool_calls {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.tool_results {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.subagents {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.workflows {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.workflow_agents {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.summaries {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        for row in self.sessions {
            records.push(TranscriptRecord::from(row.into_record()?));
        }
        Ok(records)
    }
}

impl From<&RecordSet> for Rows {
    fn from(set: &RecordSet) -> Rows {
        let messages = set.messages.iter().map(|message| {
            let turn_duration_ms = set.turn_duration(message);
            MessageRow::from(Message { turn_duration_ms, ..message.clone() })
        });
        Rows {
            sessions: set.session.iter().cloned().map(SessionRow::from).collect(),
            messages: messages.collect(),
            tool_calls: set.tool_calls.iter().cloned().map(ToolCallRow::from).collect(),
            tool_results: set.tool_results.iter().cloned().map(ToolResultRow::from).collect(),
            subagents: set.subagents.iter().cloned().map(SubagentRow::from).collect(),
            workflows: set.workflows.iter().cloned().map(WorkflowRow::from).collect(),
            workflow_agents: set.workflow_agents.iter().cloned().map(WorkflowAgentRow::from).collect(),
            summaries: set.summaries.iter().cloned().map(SummaryRow::from).collect(),
        }
    }
}

/// A row type and both ways between it and its record. Every field of the record is named, so a
/// new field does not compile until it has a column.
macro_rules! row {
    ($(#[$doc:meta])* $row:ident of $record:ident in $table:literal { $($field:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $row {
            $(#[doc = concat!("What is stored of the record's `", stringify!($field), "`.")]
            pub $field: <$kind as Column>::Stored,)*
        }

        impl From<$record> for $row {
            fn from(record: $record) -> $row {
                let $record { $($field,)* } = record;
                $row { $($field: $field.store(),)* }
            }
        }

        impl $row {
            fn into_record(self) -> Result<$record, AssemblyError> {
                Ok($record {
                    $($field: Column::restore(self.$field, At { table: $table, column: stringify!($field) })?,)*
                })
            }
        }
    };
}

row! {
    /// A row of `sessions`.
    SessionRow of Session in "sessions" {
        id: Text, title: Option<Text>, project: Option<Text>, cwd: Option<Text>,
        started_at: Option<Timestamp>, ended_at: Option<Timestamp>, git_branch: Option<Text>,
        version: Option<Text>, model: Option<Text>, forked_from: Option<Text>, model_usage: Vec<ModelUsage>,
        message_count: u64, count_mode: CountMode, attests_inactive: bool, log: LogProvenance, source: Text,
    }
}

row! {
    /// A row of `messages`.
    MessageRow of Message in "messages" {
        id: Text, session_id: Text, message_type: MessageType, role: Option<Text>, parent_id: Option<Text>,
        seq: u64, timestamp: Option<Timestamp>, text: Option<Text>, full_length: Option<u64>,
        blocks: Vec<Block>, content_type: ContentType, is_meta: bool, visibility: Visibility,
        superseded: Option<Superseded>, model: Option<Text>, is_sidechain: bool, agent_id: Option<Text>,
        usage: Option<Usage>, cwd: Option<Text>, skill: Option<Text>, skill_call_id: Option<Text>,
        is_error: bool, turn_duration_ms: Option<u64>, branches: Vec<Text>, span: Option<Span>, source: Text,
    }
}

row! {
    /// A row of `tool_calls`.
    ToolCallRow of ToolCall in "tool_calls" {
        id: Text, message_id: Text, session_id: Text, index: u64, name: Text, presentation: Presentation, input: Json,
        full_length: Option<u64>, file_path: Option<Text>, span: Option<Span>,
    }
}

row! {
    /// A row of `tool_results`.
    ToolResultRow of ToolResult in "tool_results" {
        tool_call_id: Text, message_id: Option<Text>, session_id: Text, content: Text,
        full_length: Option<u64>, blocks: Vec<Block>, is_error: bool, file_path: Option<Text>,
        span: Option<Span>,
    }
}

row! {
    /// A row of `subagents`.
    SubagentRow of Subagent in "subagents" {
        agent_id: Text, session_id: Text, parent_tool_call_id: Option<Text>, agent_type: Option<Text>,
        description: Option<Text>, duration_ms: Option<u64>, total_tokens: Option<u64>,
    }
}

row! {
    /// A row of `workflows`.
    WorkflowRow of Workflow in "workflows" {
        run_id: Text, session_id: Text, parent_tool_call_id: Option<Text>, name: Option<Text>,
        status: Option<Text>, timestamp: Option<Timestamp>, duration_ms: Option<u64>,
        total_tokens: Option<u64>, agent_count: Option<u64>, result: Option<Text>,
    }
}

row! {
    /// A row of `workflow_agents`.
    WorkflowAgentRow of WorkflowAgent in "workflow_agents" {
        agent_id: Text, run_id: Text, session_id: Text, agent_type: Option<Text>, description: Option<Text>,
        phase: Option<Text>, label: Option<Text>, model: Option<Text>, state: Option<Text>,
        duration_ms: Option<u64>, tokens: Option<u64>, tool_calls: Option<u64>,
    }
}

row! {
    /// A row of `summaries`.
    SummaryRow of Summary in "summaries" {
        id: Text, session_id: Text, agent_id: Option<Text>, seq: u64, timestamp: Option<Timestamp>,
        summary_kind: Text, content: Text, full_length: Option<u64>, visibility: Visibility,
        tokens_before: Option<u64>, usage: Option<Usage>, span: Option<Span>,
    }
}
