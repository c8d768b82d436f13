//! One line, as far as it is read.

use super::members::{Broken, member, members};
use super::shapes::{Attachment, Body, Parent, Progress};
use crate::json::{Lax, Str};
use memchr::memchr;

/// The members of a line: short ones as what they say, long ones as JSON. What a line type does not
/// have is absent.
#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    pub(super) kind: Lax<Str<'a>>,
    pub(super) subtype: Lax<Str<'a>>,

    // Who, where, when: on all lines that are part of a conversation.
    pub(super) uuid: Lax<Str<'a>>,
    pub(super) parent_uuid: Parent<'a>,
    pub(super) logical_parent_uuid: Lax<Str<'a>>,
    pub(super) session_id: Lax<Str<'a>>,
    pub(super) agent_id: Lax<Str<'a>>,
    pub(super) is_sidechain: bool,
    pub(super) timestamp: Lax<Str<'a>>,
    pub(super) cwd: Lax<Str<'a>>,
    pub(super) version: Lax<Str<'a>>,
    pub(super) git_branch: Lax<Str<'a>>,
    /// On every line copied from another session.
    pub(super) forked_from: Option<&'a str>,

    // user and assistant.
    pub(super) message: Option<&'a str>,
    pub(super) is_meta: bool,
    pub(super) is_compact_summary: bool,
    pub(super) is_api_error_message: bool,
    pub(super) source_tool_use_id: Lax<Str<'a>>,
    /// The result once more as the tool's own structure: half of a log's bytes, seldom opened.
    pub(super) tool_use_result: Option<&'a str>,
    pub(super) origin: Option<&'a str>,
    /// Dollars of a model call, as versions 1.0.x logged them.
    pub(super) cost_usd: Option<f64>,

    // system, and the prompts of queue-operation.
    pub(super) content: Lax<Str<'a>>,
    pub(super) compact_metadata: Option<&'a str>,
    pub(super) microcompact_metadata: Option<&'a str>,
    pub(super) duration_ms: Option<u64>,
    pub(super) error: Option<&'a str>,
    pub(super) retracted_message_uuids: Option<&'a str>,
    pub(super) prevented_continuation: bool,
    pub(super) stop_reason: Lax<Str<'a>>,

    // progress and attachment.
    pub(super) data: Option<&'a str>,
    pub(super) parent_tool_use_id: Lax<Str<'a>>,
    pub(super) attachment: Option<&'a str>,
    /// The type that either gives its inside.
    pub(super) inner_kind: Lax<Str<'a>>,

    // Lines without a uuid.
    pub(super) operation: Lax<Str<'a>>,
    pub(super) summary: Lax<Str<'a>>,
    pub(super) leaf_uuid: Lax<Str<'a>>,
    pub(super) custom_title: Lax<Str<'a>>,
    pub(super) ai_title: Lax<Str<'a>>,
    pub(super) result: Option<&'a str>,
}

/// Why a line could not be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// It is not an object, or not a whole one.
    Broken,
    /// A string in it is not JSON's.
    Json(serde_json::Error),
}

impl From<Broken> for Unreadable {
    fn from(_: Broken) -> Self {
        Unreadable::Broken
    }
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Unreadable::Json(error)
    }
}

impl<'a> Record<'a> {
    /// Finds a line's members. Of a member that comes twice the last holds.
    pub(super) fn read(line: &'a str) -> Result<Record<'a>, Unreadable> {
        let mut record = Record::default();
        for found in members(line) {
            let (key, value) = found?;
            record.take(key, value)?;
        }
        record.inner_kind =
            Lax(record.data.or(record.attachment).and_then(|inner| member_text(inner, "type")));
        Ok(record)
    }

    fn take(&mut self, key: &str, value: &'a str) -> Result<(), serde_json::Error> {
        match key {
            "type" => self.kind = text(value)?,
            "subtype" => self.subtype = text(value)?,
            "uuid" => self.uuid = text(value)?,
            "parentUuid" => {
                self.parent_uuid = match text(value)?.0 {
                    Some(uuid) => Parent::Uuid(uuid),
                    None if value == "null" => Parent::None,
                    None => Parent::Unsaid,
                }
            }
            "logicalParentUuid" => self.logical_parent_uuid = text(value)?,
            "sessionId" => self.session_id = text(value)?,
            "agentId" => self.agent_id = text(value)?,
            "isSidechain" => self.is_sidechain = value == "true",
            "timestamp" => self.timestamp = text(value)?,
            "cwd" => self.cwd = text(value)?,
            "version" => self.version = text(value)?,
            "gitBranch" => self.git_branch = text(value)?,
            "forkedFrom" => self.forked_from = Some(value),
            "message" => self.message = Some(value),
            "isMeta" => self.is_meta = value == "true",
            "isCompactSummary" => self.is_compact_summary = value == "true",
            "isApiErrorMessage" => self.is_api_error_message = value == "true",
            "sourceToolUseID" => self.source_tool_use_id = text(value)?,
            "toolUseResult" => self.tool_use_result = Some(value),
            "origin" => self.origin = Some(value),
            "costUSD" => self.cost_usd = value.parse().ok(),
            "content" => self.content = text(value)?,
            "compactMetadata" => self.compact_metadata = Some(value),
            "microcompactMetadata" => self.microcompact_metadata = Some(value),
            "durationMs" => self.duration_ms = value.parse().ok(),
            "error" => self.error = Some(value),
            "retractedMessageUuids" => self.retracted_message_uuids = Some(value),
            "preventedContinuation" => self.prevented_continuation = value == "true",
            "stopReason" => self.stop_reason = text(value)?,
            "data" => self.data = Some(value),
            "parentToolUseID" => self.parent_tool_use_id = text(value)?,
            "attachment" => self.attachment = Some(value),
            "operation" => self.operation = text(value)?,
            "summary" => self.summary = text(value)?,
            "leafUuid" => self.leaf_uuid = text(value)?,
            "customTitle" => self.custom_title = text(value)?,
            "aiTitle" => self.ai_title = text(value)?,
            "result" => self.result = Some(value),
            _ => {}
        }
        Ok(())
    }

    /// The part of the line that its type is read for.
    pub(super) fn inside(&self) -> Option<&'a str> {
        match (self.kind.text()?, self.inner_kind.text()) {
            ("user" | "assistant", _) => self.message,
            ("progress", Some("agent_progress")) => self.data,
            ("attachment", Some("queued_command")) => self.attachment,
            _ => None,
        }
    }

    /// Parses that part: `json` is what [`inside`](Record::inside) gave, or the same shortened.
    pub(super) fn open<'j>(&self, json: Option<&'j str>) -> Result<Inside<'j>, serde_json::Error> {
        let Some(json) = json else { return Ok(Inside::Nothing) };
        Ok(match self.kind.text() {
            Some("progress") => Inside::Progress(serde_json::from_str(json)?),
            Some("attachment") => Inside::Attachment(serde_json::from_str(json)?),
            _ => Inside::Message(serde_json::from_str(json)?),
        })
    }
}

/// What a line's type is read for.
#[derive(Debug)]
pub(super) enum Inside<'a> {
    Nothing,
    Message(Body<'a>),
    Progress(Progress<'a>),
    Attachment(Attachment<'a>),
}

/// A member that is a string.
fn text(value: &str) -> Result<Lax<Str<'_>>, serde_json::Error> {
    let Some(inside) = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) else {
        return Ok(Lax(None));
    };
    if memchr(b'\\', inside.as_bytes()).is_none() {
        return Ok(Lax(Some(Str(inside.into()))));
    }
    serde_json::from_str(value).map(|text| Lax(Some(text)))
}

/// A string among an object's members.
pub(super) fn member_text<'a>(object: &'a str, key: &str) -> Option<Str<'a>> {
    text(member(object, key)?).ok()?.0
}

/// A whole number among an object's members.
pub(super) fn member_number(object: &str, key: &str) -> Option<u64> {
    member(object, key)?.parse().ok()
}
