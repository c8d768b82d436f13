//! One item of the transcript: a message, or several folded into one.

use palimpsest_record::{
    Block, ContentType, Json, MessageType, Presentation, Span, Superseded, Text, Timestamp, Visibility,
};
use serde::Serialize;

use crate::detail::UsageTotals;
use crate::patch::Identity;

/// One item of the transcript: a message, or several folded into one.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Item {
    /// Id of its first message.
    pub id: Text,
    /// Ids of all messages in it, its own first, where there is more than one. Messages that only
    /// carried the results shown here are among them, so that every id leads somewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub member_ids: Vec<Text>,
    /// Place of its first message in the source: where summaries stand between items.
    pub seq: u64,
    /// Who speaks.
    #[serde(rename = "type")]
    pub item_type: MessageType,
    /// The source's own role word, where it is another than the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Text>,
    /// Visible or inactive, never hidden.
    pub visibility: Visibility,
    /// Why it is inactive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded: Option<Superseded>,
    /// Injected or control-plane material.
    pub is_meta: bool,
    /// Of its first message that is not a thought; `thinking` where there is none.
    pub content_type: ContentType,
    /// Time of its first message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<Timestamp>,
    /// Model of its first message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Text>,
    /// The text, or its preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
    /// Length of the whole text in bytes, where `text` is a preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// What was thought before it; several thoughts are joined by a blank line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Text>,
    /// Length of the whole thinking in bytes, where a part of it is a preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_full_length: Option<u64>,
    /// Body of the skill that its one call loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_instructions: Option<Text>,
    /// Length of the whole body in bytes, where `skill_instructions` is a preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_instructions_full_length: Option<u64>,
    /// It reports a failure. A failed call says so in its result.
    pub is_error: bool,
    /// Text, images and files in order, where there is more than one text.
    pub blocks: Vec<Block>,
    /// Its calls, in order.
    pub tool_calls: Vec<ItemCall>,
    /// Sum over the model calls that its messages came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<UsageTotals>,
    /// The source forks here and cannot say which branch is current.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_point: Option<BranchPoint>,
    /// How long the turn that it ends took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_duration_ms: Option<u64>,
    /// Where in the log its messages were read; reaches from the first to the last of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Place>,
    /// What a patch knows it by; no part of its content.
    #[serde(skip)]
    pub(crate) identity: Identity,
}

/// A tool call in an item.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ItemCall {
    /// Unique in the session.
    pub id: Text,
    /// The tool's name: display data, never branched on.
    pub name: Text,
    /// How it is shown.
    pub presentation: Presentation,
    /// The input; free text is a JSON string.
    pub input: Json,
    /// Length of the whole input in bytes of JSON, where something in it was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// The file it works on, where the input names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<Text>,
    /// Where in the log it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Place>,
    /// Its result; null where it never got one.
    pub result: Option<ItemResult>,
    /// The subagent it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subagent: Option<AgentLink>,
    /// The workflow it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<RunLink>,
}

/// The result of a tool call.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ItemResult {
    /// Its text, or a preview of it.
    pub content: Text,
    /// Length of the whole text in bytes, where `content` is a preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_length: Option<u64>,
    /// Its parts, where it is more than one text.
    pub blocks: Vec<Block>,
    /// The call failed.
    pub is_error: bool,
    /// The file it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<Text>,
    /// Where in the log it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Place>,
}

/// Names a subagent of [`SessionDetail::subagents`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AgentLink {
    /// Its id.
    pub agent_id: Text,
}

/// Names a workflow of [`SessionDetail::workflows`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RunLink {
    /// Its run.
    pub run_id: Text,
}

/// Where the source forks and cannot say which branch is current.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BranchPoint {
    /// Ids of the messages that begin the branches, in file order.
    pub children: Vec<Text>,
}

/// Lines and bytes of the log. What a raw lookup reads again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Which of the files, counted from 0; absent where the session was read from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// First line, counted from 1.
    pub line_first: u32,
    /// Last line, counted from 1.
    pub line_last: u32,
    /// Offset of the first byte.
    pub byte_start: u64,
    /// Offset behind the last byte, line end not included.
    pub byte_end: u64,
}

impl Place {
    /// The place of `span` in a session of one file or of several.
    pub(crate) fn of(span: Span, several_files: bool) -> Place {
        Place {
            file: several_files.then_some(span.file),
            line_first: span.line_first,
            line_last: span.line_last,
            byte_start: span.byte_start,
            byte_end: span.byte_end,
        }
    }
}
