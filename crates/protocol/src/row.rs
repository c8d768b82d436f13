//! What one row of the virtual list shows.

use palimpsest_record::{SupersededBy, Text};
use serde::{Deserialize, Serialize};

use crate::UsageLine;
use crate::markdown::Block;
use crate::styled::Styled;

/// One row: a message, a summary, or a folded run of an agent's work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The same as in the outline.
    pub key: u64,
    /// The message's or summary's id: what a link names.
    pub id: Text,
    /// What it is.
    pub kind: RowKind,
    /// When, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The model that wrote it.
    pub model: Option<Text>,
    /// What it used.
    pub usage: Option<UsageLine>,
    /// How long the turn took.
    pub duration_ms: Option<u64>,
    /// Why it is inactive, where it is; with the message that stands in its place.
    pub inactive: Option<Inactive>,
    /// Messages that this summary took the place of, where the source says so.
    pub superseded: u32,
    /// The branches that begin after it, where the source cannot say which is current: their
    /// first messages' ids, beginnings of their texts and times.
    pub branches: Vec<Branch>,
    /// First and last line in the log.
    pub lines: Option<(u32, u32)>,
    /// Its content in order.
    pub parts: Vec<Part>,
}

/// What a row is. Told apart by form, never by provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RowKind {
    /// Something the person typed.
    #[default]
    Prompt,
    /// What the agent said and did.
    Answer,
    /// A system card: injected text, a command and its output, a notice. Collapsed.
    System,
    /// A failure.
    Error,
    /// A divider: a compaction or another summary.
    Summary,
}

impl RowKind {
    /// The word used in CSS.
    pub fn as_str(self) -> &'static str {
        match self {
            RowKind::Prompt => "prompt",
            RowKind::Answer => "answer",
            RowKind::System => "system",
            RowKind::Error => "error",
            RowKind::Summary => "summary",
        }
    }
}

/// Why a row is inactive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inactive {
    /// How it was superseded, where the source says.
    pub how: Option<SupersededBy>,
    /// When, in milliseconds since 1970.
    pub at: Option<i64>,
    /// The message that stands in its place: its id and the beginning of its text.
    pub by: Option<(Text, Text)>,
}

/// A branch of a fork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Its first message's id.
    pub id: Text,
    /// The beginning of that message's text.
    pub short: Text,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
}

/// One part of a row. Folds carry one line; their bodies are asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Part {
    /// Running text, parsed.
    Prose {
        /// The blocks.
        blocks: Vec<Block>,
        /// Length of the whole text in bytes, where this is only its beginning.
        full_length: Option<u64>,
    },
    /// Text as it stands: a command and its output, a notice.
    Plain {
        /// The text.
        text: Vec<Styled>,
        /// Length of the whole text in bytes, where this is only its beginning.
        full_length: Option<u64>,
    },
    /// A fold: the agent's thinking.
    Thinking {
        /// Its first line.
        first_line: Text,
        /// Length in bytes.
        length: u64,
    },
    /// A fold: the instructions of a skill, or a system card's text.
    Note {
        /// What it is called, e.g. `Skill instructions`.
        label: Text,
        /// Its first line.
        first_line: Text,
        /// Length in bytes.
        length: u64,
    },
    /// A fold: a tool call.
    Call {
        /// The tool's name.
        name: Text,
        /// The part of its input that tells most, on one line.
        argument: Text,
        /// How it went.
        state: CallState,
        /// What the fold says at its end, e.g. `212 lines`.
        tail: Text,
        /// It loads a skill.
        is_skill: bool,
        /// The subagents it started.
        agents: Vec<AgentLine>,
    },
    /// Subagents of which the log does not say who started them.
    Agents(Vec<AgentLine>),
    /// An image or a file: its bytes stay in the log.
    Attachment {
        /// What it is, e.g. `image/png, 120 KB` or a file's name.
        label: Text,
    },
}

/// How a tool call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallState {
    /// It has a result.
    Done,
    /// It failed.
    Failed,
    /// It never got a result.
    NoResult,
}

/// A subagent in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentLine {
    /// Its id.
    pub agent_id: Text,
    /// What kind of agent.
    pub agent_type: Option<Text>,
    /// What it was asked.
    pub description: Option<Text>,
    /// How long it ran.
    pub duration_ms: Option<u64>,
    /// Tokens it used.
    pub tokens: Option<u64>,
    /// Rows of its conversation; 0 where its log is not among the files.
    pub rows: u32,
    /// Failed calls in it.
    pub errors: u32,
}

/// The body of a fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PartBody {
    /// Of a thought or a note.
    Prose {
        /// The blocks.
        blocks: Vec<Block>,
        /// Length of the whole text in bytes, where this is only its beginning.
        full_length: Option<u64>,
    },
    /// Of a call.
    Call {
        /// Its input: JSON indented, or a command as it stands.
        input: Vec<Styled>,
        /// Length of the whole input in bytes, where this is only its beginning.
        input_length: Option<u64>,
        /// Its result; absent where it never got one.
        output: Option<Vec<Styled>>,
        /// Length of the whole output in bytes, where this is only its beginning.
        output_length: Option<u64>,
        /// Images and files in the result.
        attachments: Vec<Text>,
    },
}
