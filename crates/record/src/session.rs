//! The session itself, and the two transitions.

use serde::{Deserialize, Serialize};

use crate::{Text, Timestamp, Usage};

/// One conversation with an agent. Comes once per root session, after its records.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Unique per source.
    pub id: Text,
    /// A name for people, from the source's own titles or the first prompt's first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// The source's name of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<Text>,
    /// Working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Text>,
    /// Earliest time logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// Latest time logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Git branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<Text>,
    /// Version of the product that wrote the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Text>,
    /// The last model it ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Text>,
    /// The session it was forked from, or the parent of a subagent's log opened alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Text>,
    /// Usage per model, where the source reports only session totals. Counts in total and main,
    /// never in visible, and only where messages carry none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model_usage: Vec<ModelUsage>,
    /// Visible main-thread messages that are not meta; records, not folded items.
    pub message_count: u64,
    /// Whether the stream was complete.
    pub count_mode: CountMode,
    /// This log's format and version can record that something was superseded.
    pub attests_inactive: bool,
    /// Where it was read from.
    #[serde(default)]
    pub log: LogProvenance,
    /// Provider id, e.g. `pi`.
    pub source: Text,
}

/// Whether `message_count` replaces or adds to what is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountMode {
    /// The stream is complete.
    #[default]
    Total,
    /// The stream holds only what is new. Never assembled.
    Delta,
}

/// Usage of one model over a whole session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelUsage {
    /// The model.
    pub model: Text,
    /// Its tokens and cost.
    pub usage: Usage,
    /// Its model calls.
    pub requests: u64,
}

/// Size of what a session was read from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogProvenance {
    /// Files.
    pub files: u32,
    /// Bytes, decompressed.
    pub bytes: u64,
    /// Lines that are not blank.
    pub lines: u64,
}

/// Transition: how long a turn took, known only after its message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnDuration {
    /// The message that ends the turn.
    pub message_id: Text,
    /// Milliseconds.
    pub duration_ms: u64,
}

/// Transition: everything of a session is removed. Comes first when a source is replaced whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteSession {
    /// The session.
    pub session_id: Text,
}
