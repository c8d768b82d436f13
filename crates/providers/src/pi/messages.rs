//! A message entry, by its role → records.

use palimpsest_record::{ContentType, MessageType, Preview, Text, ToolResult, Visibility};

use super::answer::answer;
use super::calls::Calls;
use super::content::{Said, said};
use super::shapes::{Body, Content};
use super::tree::Tree;
use crate::Outcome;
use crate::batch::Interner;
use crate::json::{Lax, Str};
use crate::writing::{Writer, say};

/// What messages need of the session, beside the entry's own place.
pub(super) struct Session<'a> {
    pub(super) tree: &'a Tree,
    pub(super) calls: &'a mut Calls,
    /// Models stand on every answer.
    pub(super) models: &'a mut Interner,
}

/// Writes the records of a message entry and says what became of its line.
pub(super) fn message(body: &Body<'_>, session: &mut Session<'_>, to: &mut Writer<'_>) -> Outcome {
    let role = body.role.text().unwrap_or_default();
    match role {
        "user" => user(body, to),
        "assistant" => answer(body, session, to),
        "toolResult" => tool_result(body, session, to),
        "bashExecution" => bash(body, to),
        "custom" | "hookMessage" => {
            custom(&body.custom_type, &body.content, *body.display, &["message", role], to)
        }
        "branchSummary" => summary("branch", &body.summary, None, to),
        "compactionSummary" => summary("compaction", &body.summary, *body.tokens_before, to),
        // What the model is told to be is nobody's word in the conversation.
        "system" | "developer" => {
            to.message(MessageType::System, ContentType::Text, |message, batch| {
                said(&body.content, batch).fill(message);
                message.visibility = Visibility::Hidden;
            });
            to.batch.ledger.not_shown(&["message", role])
        }
        _ => unknown(role, &body.content, to),
    }
}

/// A prompt.
fn user(body: &Body<'_>, to: &mut Writer<'_>) -> Outcome {
    let said = said(&body.content, to.batch);
    if said.is_empty() {
        return to.batch.ledger.not_shown(&["message", "user"]);
    }
    let content_type = said.content_type();
    to.message(MessageType::User, content_type, |message, _| said.fill(message));
    Outcome::Read
}

/// A result: it joins its call. One whose call is not there (damaged, or never logged) stands alone.
fn tool_result(body: &Body<'_>, session: &mut Session<'_>, to: &mut Writer<'_>) -> Outcome {
    let Said { text, blocks } = said(&body.content, to.batch);
    let text = text.unwrap_or_else(|| Preview { text: Text::default(), full_length: None });
    let mut result = ToolResult {
        session_id: to.place.session_id.clone(),
        content: text.text,
        full_length: text.full_length,
        blocks,
        is_error: body.is_error.unwrap_or(false),
        span: Some(to.place.span),
        ..ToolResult::default()
    };
    let log_id = body.tool_call_id.text().filter(|id| !id.is_empty());
    let log_id = log_id.map_or_else(|| format!("call-of-{}", to.place.id), str::to_owned);
    if let Some((call, id)) = session.calls.answered(&log_id, to.node, session.tree) {
        result.tool_call_id = id;
        let record = to.batch.push(result);
        session.calls.answer(to.node, call, record, to.line.entry, to.place.clone());
        return Outcome::Merged;
    }
    result.tool_call_id = session.calls.unique(&log_id);
    let alone = to.place.alone(&mut result);
    to.batch.push(alone);
    to.batch.push(result);
    Outcome::Read
}

/// A command that the person ran with `!`, and what it printed.
fn bash(body: &Body<'_>, to: &mut Writer<'_>) -> Outcome {
    let output = body.output.text().filter(|output| !output.trim().is_empty());
    let failed = body.exit_code.is_some_and(|code| code != 0.0) || body.cancelled.unwrap_or(false);
    to.message(MessageType::User, ContentType::Bash, |message, batch| {
        say(body.command.text().unwrap_or_default(), message, batch);
        message.is_error = failed && output.is_none();
    });
    if let Some(output) = output {
        to.message(MessageType::System, ContentType::Bash, |message, batch| {
            say(output, message, batch);
            message.is_error = failed;
        });
    }
    Outcome::Read
}

/// What an extension put into the conversation; the person sees it only where it says so.
pub(super) fn custom(
    custom_type: &Lax<Str<'_>>,
    content: &Content<'_>,
    display: Option<bool>,
    type_name: &[&str],
    to: &mut Writer<'_>,
) -> Outcome {
    let hidden = display == Some(false);
    let said = said(content, to.batch);
    to.message(MessageType::System, ContentType::Custom, |message, _| {
        message.role = custom_type.text().map(Text::from);
        message.is_meta = true;
        message.visibility = if hidden { Visibility::Hidden } else { Visibility::Visible };
        said.fill(message);
    });
    if hidden { to.batch.ledger.not_shown(type_name) } else { Outcome::Read }
}

/// What stands for a part of the session.
pub(super) fn summary(
    kind: &str,
    text: &Lax<Str<'_>>,
    tokens_before: Option<u64>,
    to: &mut Writer<'_>,
) -> Outcome {
    let summary = to.place.summary(kind, text.text().unwrap_or_default(), tokens_before, to.batch);
    to.batch.push(summary);
    Outcome::Read
}

/// A role of another version: its text is shown as nobody's, and the receipt names it.
fn unknown(role: &str, content: &Content<'_>, to: &mut Writer<'_>) -> Outcome {
    let said = said(content, to.batch);
    if !said.is_empty() {
        to.message(MessageType::System, ContentType::Unknown, |message, _| {
            message.role = (!role.is_empty()).then(|| Text::from(role));
            said.fill(message);
        });
    }
    let type_name: &[&str] = if role.is_empty() { &["message"] } else { &["message", role] };
    to.batch.ledger.unknown(type_name)
}
