//! Subagents and workflows. They come in pieces (the spawn, the child's own file) and are merged
//! by column: what is absent never overwrites.

use serde::{Deserialize, Serialize};

use crate::{Text, Timestamp};

/// An agent that the session started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Subagent {
    /// Unique in the session.
    pub agent_id: Text,
    /// The root session's id.
    pub session_id: Text,
    /// The tool call that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<Text>,
    /// The source's word for what kind of agent it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<Text>,
    /// What it was asked, in short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Text>,
    /// How long it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Tokens it used, as its parent reports them; not added to usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
}

/// A run of several agents by a script.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Workflow {
    /// Unique in the session.
    pub run_id: Text,
    /// The root session's id.
    pub session_id: Text,
    /// The tool call that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<Text>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// The source's word for its state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Text>,
    /// When it started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// How long it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Tokens it used, as reported; not added to usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// How many agents it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_count: Option<u64>,
    /// What it returned, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Text>,
}

/// One agent of a workflow.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkflowAgent {
    /// Unique in the session.
    pub agent_id: Text,
    /// The workflow's run.
    pub run_id: Text,
    /// The root session's id.
    pub session_id: Text,
    /// The source's word for what kind of agent it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<Text>,
    /// What it was asked, in short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Text>,
    /// The workflow's phase it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Text>,
    /// Its label in the workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Text>,
    /// The model it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Text>,
    /// The source's word for its state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Text>,
    /// How long it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Tokens it used, as reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Tool calls it made, as reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
}
