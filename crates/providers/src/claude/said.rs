//! What a user or assistant line says, whichever line type it comes in.

use super::record::{Record, member_text};
use super::shapes::{ApiUsage, Attachment, Body, Content, Relayed};

/// A line's own words, and what the line says about them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'r, 'a> {
    pub(super) content: &'r Content<'a>,
    /// The API response's id.
    pub(super) id: Option<&'r str>,
    pub(super) model: Option<&'r str>,
    pub(super) usage: Option<&'r ApiUsage>,
    pub(super) cost_usd: Option<f64>,
    /// Injected, not typed.
    pub(super) is_meta: bool,
    /// A person said it, or nothing tells.
    pub(super) is_human: bool,
    /// The request failed; the text says how.
    pub(super) is_error: bool,
    pub(super) is_compact_summary: bool,
    /// The call that the text was injected for.
    pub(super) source_call: Option<&'r str>,
    pub(super) tool_use_result: Option<&'a str>,
}

impl<'r, 'a> Said<'r, 'a> {
    /// A content with nothing said about it.
    pub(super) fn of(content: &'r Content<'a>) -> Said<'r, 'a> {
        Said {
            content,
            id: None,
            model: None,
            usage: None,
            cost_usd: None,
            is_meta: false,
            is_human: true,
            is_error: false,
            is_compact_summary: false,
            source_call: None,
            tool_use_result: None,
        }
    }

    /// A line of its own.
    pub(super) fn line(record: &'r Record<'a>, body: &'r Body<'a>) -> Said<'r, 'a> {
        Said {
            id: body.id.text(),
            model: body.model.text(),
            usage: body.usage.as_ref(),
            cost_usd: record.cost_usd,
            is_meta: record.is_meta,
            is_human: record.origin.is_none_or(is_human),
            is_error: record.is_api_error_message,
            is_compact_summary: record.is_compact_summary,
            source_call: record.source_tool_use_id.text(),
            tool_use_result: record.tool_use_result,
            ..Said::of(&body.content)
        }
    }

    /// A subagent's line inside one of its parent's.
    pub(super) fn relayed(line: &'r Relayed<'a>) -> Said<'r, 'a> {
        Said {
            id: line.message.id.text(),
            model: line.message.model.text(),
            usage: line.message.usage.as_ref(),
            is_meta: *line.is_meta == Some(true),
            is_error: *line.is_api_error_message == Some(true),
            tool_use_result: line.tool_use_result.map(|result| result.get()),
            ..Said::of(&line.message.content)
        }
    }

    /// A prompt that was queued and sent along with other things.
    pub(super) fn queued(attachment: &'r Attachment<'a>) -> Said<'r, 'a> {
        let by_person = attachment.command_mode.text().is_none_or(|mode| mode != "task-notification");
        Said {
            is_meta: *attachment.is_meta == Some(true),
            is_human: by_person && attachment.origin.is_none_or(|origin| is_human(origin.get())),
            ..Said::of(&attachment.prompt)
        }
    }
}

/// Older versions do not say where a line came from.
fn is_human(origin: &str) -> bool {
    member_text(origin, "kind").is_none_or(|kind| &*kind == "human")
}
