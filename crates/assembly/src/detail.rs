//! The session detail: the assembled, provider-blind result.
//!
//! Plain values. Bodies are [`Text`], so an item shares them with the records it was made from and
//! a clone never copies one. The JSON form is the contract of `palimpsest read --json`; absent
//! optional fields are left out.

use std::sync::Arc;

use palimpsest_record::{Text, Timestamp, Visibility, WorkflowAgent};
use serde::Serialize;

pub use item::{AgentLink, BranchPoint, Item, ItemCall, ItemResult, Place, RunLink};

use crate::set::Lineage;

mod item;

/// One session as it is read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SessionDetail {
    /// What is known about the session as a whole.
    pub session: SessionHead,
    /// What this log can say at all.
    pub capabilities: Capabilities,
    /// The main thread (or the agent's that was asked for), in order.
    pub messages: Vec<Arc<Item>>,
    /// Its summaries, by (seq, id).
    pub summaries: Vec<Arc<SummaryItem>>,
    /// Every subagent of the session, agents of agents too, in the order in which they began.
    pub subagents: Vec<SubagentDetail>,
    /// Runs of several agents by a script.
    pub workflows: Vec<Arc<WorkflowDetail>>,
    /// What the session used.
    pub usage: UsageReport,
    /// Counts over `messages`.
    pub counts: Counts,
    /// Results that no call on the surface made and that no message shows; belongs to the receipt.
    #[serde(skip)]
    pub unattached_results: u64,
    /// The record set it was made from, so that a later assembly can tell unchanged items.
    #[serde(skip)]
    pub(crate) lineage: Lineage,
}

/// The session as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SessionHead {
    /// Unique per source. Empty only while no record is known.
    pub id: Text,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// The source's name of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<Text>,
    /// Provider id.
    pub source: Text,
    /// Earliest time logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// Latest time logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Visible main-thread messages that are not meta; records, not folded items.
    pub message_count: u64,
    /// Working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Text>,
    /// Git branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<Text>,
    /// Version of the product that wrote the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Text>,
    /// The last model it ran on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Text>,
    /// The session it was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Text>,
}

/// What a log can say at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The log's format and version can record that something was superseded. Where it is false,
    /// no inactive message does not mean that nothing was abandoned.
    pub attests_inactive: bool,
}

/// What was said to stand for a part of the session.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SummaryItem {
    /// Unique in the session.
    pub id: Text,
    /// Place in the source.
    pub seq: u64,
    /// `compaction`, `branch`, `away`, or another word of the source.
    pub kind: Text,
    /// Its text or preview; empty where only the event is logged.
    pub content: Text,
    /// Length of the whole text in bytes, where `content` is a preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// When, as logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// Visible or inactive, never hidden.
    pub visibility: Visibility,
    /// Tokens of context before it, where the source says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Where in the log it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Place>,
}

/// A subagent with its own conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SubagentDetail {
    /// Unique in the session.
    pub agent_id: Text,
    /// The tool call that started it, of the main thread or of another agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_tool_use_id: Option<Text>,
    /// The source's word for what kind of agent it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<Text>,
    /// What it was asked, in short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text>,
    /// How long it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Tokens it used, as its parent reports them; no part of `usage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// Its conversation, folded as the main thread is.
    pub messages: Vec<Arc<Item>>,
    /// Its own summaries, by (seq, id).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Arc<SummaryItem>>,
    /// Counts over `messages`.
    pub counts: Counts,
}

/// A run of several agents by a script.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WorkflowDetail {
    /// Unique in the session.
    pub run_id: Text,
    /// The tool call that started it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_tool_use_id: Option<Text>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// The source's word for its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Text>,
    /// When it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// How long it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Tokens it used, as reported; no part of `usage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// How many agents it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_count: Option<u64>,
    /// What it returned, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Text>,
    /// Its agents, by id. One that has messages is a subagent of the session, too.
    pub agents: Vec<WorkflowAgent>,
}

/// Counts over one conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Inactive items: those that are shown, or would appear with `include_inactive`.
    pub inactive: u64,
    /// Items that are a person's prompt.
    pub prompts: u64,
    /// Items that are a failure or hold a failed call.
    pub errors: u64,
}

/// What the session used, in four sums.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct UsageReport {
    /// Every model call: abandoned, inactive and hidden ones and subagents too.
    pub total: UsageTotals,
    /// Those whose messages or summaries are visible, main and subagents.
    pub visible: UsageTotals,
    /// Those of the main thread.
    pub main: UsageTotals,
    /// Those of subagents.
    pub subagents: UsageTotals,
}

/// A sum over model calls.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct UsageTotals {
    /// The whole input in tokens, cached input folded in.
    pub input_tokens: u64,
    /// The part of `input_tokens` that was read from a cache.
    pub cached_input_tokens: u64,
    /// The part of `input_tokens` that was written to a cache.
    pub cache_write_tokens: u64,
    /// Output in tokens, reasoning included.
    pub output_tokens: u64,
    /// The part of `output_tokens` that was reasoning.
    pub reasoning_tokens: u64,
    /// How many model calls the sum is over.
    pub requests: u64,
    /// US dollars, null where no call says what it cost.
    pub cost_usd: Option<f64>,
}
