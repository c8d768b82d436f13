//! One message of a conversation, or one block of it.

use serde::{Deserialize, Serialize};

use crate::{Span, Superseded, Text, Timestamp, Usage, Visibility};

/// A message. The blocks of one source message become records in order: thinking, text and tool
/// use each stand alone, and the assembler folds them into what a person reads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Unique in the session; a function of content or place, never random.
    pub id: Text,
    /// The root session's id, for a subagent's messages too.
    pub session_id: Text,
    /// Who speaks.
    #[serde(rename = "type")]
    pub message_type: MessageType,
    /// The source's own role word, where it is another than the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Text>,
    /// The message before it in the source's own tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<Text>,
    /// Place in the source; the only order there is.
    pub seq: u64,
    /// When, as logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// The text, or its preview. Of a thinking message: the thought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
    /// Length of the whole text in bytes, where `text` is a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// Text, images and files in order, where there is more than one text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    /// What kind of content it is.
    pub content_type: ContentType,
    /// Injected or control-plane material.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_meta: bool,
    /// Whether it is shown.
    #[serde(default)]
    pub visibility: Visibility,
    /// Why it is inactive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded: Option<Superseded>,
    /// The model that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Text>,
    /// The source's own sidechain flag; display data only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_sidechain: bool,
    /// The subagent whose conversation it belongs to. **Absent means main thread**, and this is
    /// the only test for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Text>,
    /// The model call it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Working directory, where it differs from the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Text>,
    /// Name of the skill whose instructions it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<Text>,
    /// Id of the tool call that loaded those instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_call_id: Option<Text>,
    /// It reports a failure.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_error: bool,
    /// How long the turn that it ends took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_duration_ms: Option<u64>,
    /// Ids of the messages that begin the branches after it, where the source forks here and
    /// cannot say which branch is current. Empty elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Text>,
    /// Where in the log it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Provider id, e.g. `pi`.
    pub source: Text,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageType {
    /// A person, or what stands in a person's place.
    #[default]
    User,
    /// The agent.
    Assistant,
    /// The product around the agent.
    System,
}

/// What kind of content a message has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentType {
    /// Running text.
    #[default]
    Text,
    /// A thought.
    Thinking,
    /// It carries tool calls.
    ToolUse,
    /// It carries tool results.
    ToolResult,
    /// The body of a loaded skill.
    SkillInstructions,
    /// A slash command, or its output.
    Command,
    /// A failure.
    Error,
    /// An image alone.
    Image,
    /// A shell command that the person ran, or its output.
    Bash,
    /// Something a product's extension added.
    Custom,
    /// A kind this version does not know.
    Unknown,
    /// Several kinds.
    Mixed,
}

/// One part of a message or a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    /// Text, or its preview.
    Text {
        /// The text.
        text: Text,
        /// Length of the whole text in bytes, where `text` is a preview.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        full_length: Option<u64>,
    },
    /// An image. Its bytes stay in the log.
    Image {
        /// Media type as logged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media_type: Option<Text>,
        /// Size of its base64 text in bytes, where it is in the log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        encoded_length: Option<u64>,
        /// Address, where the log has only that. Never fetched unasked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<Text>,
    },
    /// A file named or attached.
    File {
        /// Its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Text>,
        /// Media type as logged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media_type: Option<Text>,
    },
    /// A part of a kind this version does not know.
    Unknown {
        /// The log's own word for it.
        name: Text,
    },
}

pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}
