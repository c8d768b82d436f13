//! Tool calls, their results, and summaries.

use serde::{Deserialize, Serialize};

use crate::message::is_false;
use crate::{Block, Json, Span, Text, Timestamp, Usage, Visibility};

/// A tool call of an assistant message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique in the session, also where the source uses an id twice.
    pub id: Text,
    /// The assistant message that made it.
    pub message_id: Text,
    /// The root session's id.
    pub session_id: Text,
    /// Its place among the calls of its message, counted from 0: several can share a line.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub index: u64,
    /// The tool's name: display data, never branched on.
    pub name: Text,
    /// How it is shown.
    #[serde(default)]
    pub presentation: Presentation,
    /// The input; free text is a JSON string. Strings inside longer than
    /// [`PREVIEW_LIMIT`](crate::PREVIEW_LIMIT) are cut to previews.
    pub input: Json,
    /// Length of the whole input in bytes of JSON, where something in it was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// The file it works on, where the input names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<Text>,
    /// Where in the log it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// How a tool call is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presentation {
    /// As a call with input and result.
    #[default]
    Default,
    /// As the loading of a skill.
    Skill,
}

/// The result of a tool call. At most one per call; the later wins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call.
    pub tool_call_id: Text,
    /// The message that carried it, where there was one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<Text>,
    /// The root session's id.
    pub session_id: Text,
    /// Its text, or a preview of it; several texts are joined by a line feed.
    pub content: Text,
    /// Length of the whole text in bytes, where `content` is a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// Its parts, where it is more than one text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    /// The call failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_error: bool,
    /// The file it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<Text>,
    /// Where in the log it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// What was said to stand for a part of the session. Session-level, not tied to a message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Unique in the session.
    pub id: Text,
    /// The root session's id.
    pub session_id: Text,
    /// The subagent whose conversation it belongs to; absent means main thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Text>,
    /// Place in the source.
    pub seq: u64,
    /// When, as logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// `compaction`, `branch`, `away`, or another word of the source. (`kind` is the record's tag.)
    pub summary_kind: Text,
    /// The summary's text or preview; empty where only the event is logged.
    pub content: Text,
    /// Length of the whole text in bytes, where `content` is a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// Whether it is shown.
    #[serde(default)]
    pub visibility: Visibility,
    /// Tokens of context before it, where the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// The model call that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Where in the log it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}
