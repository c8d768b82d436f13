//! Is a log Claude Code's, and which session is it of?
//!
//! Others write lines like these: Qwen Code and iFlow took the envelope over. Qwen's messages have `parts` and are its own; iFlow is
//! read here, as a dialect: only what its tools give has another shape.

use crate::head::{FileKey, FileRole};
use crate::{Claim, Object};

/// Line types that no other product writes with a session's id.
const OWN_TYPES: &[&str] = &[
    "file-history-snapshot",
    "queue-operation",
    "last-prompt",
    "ai-title",
    "custom-title",
    "agent-name",
    "permission-mode",
    "pr-link",
    "worktree-state",
    "relocated",
    "frame-link",
    "bridge-session",
    "atis-latch",
];

pub(super) fn claims(object: &Object<'_>) -> Claim {
    if object.first_of("loglines").is_some_and(|line| line.has("type") && line.has("message")) {
        return Claim::Document;
    }
    let Some(kind) = object.str("type") else { return claims_untyped(object) };
    let is_session = object.str("sessionId").is_some();
    match &*kind {
        "summary" if object.has("leafUuid") => Claim::Strong,
        "file-history-snapshot" if object.has("snapshot") => Claim::Strong,
        "started" | "result" if object.has("key") && object.has("agentId") => Claim::Strong,
        "mode" | "tag" if is_session && object.keys().count() <= 4 => Claim::Weak,
        kind if is_session && OWN_TYPES.contains(&kind) => Claim::Strong,
        _ if is_foreign(object) => Claim::No,
        "user" | "assistant" => claims_spoken(object),
        "system" | "progress" | "attachment" if is_session && object.has("uuid") => {
            match object.has("parentUuid") {
                true => Claim::Strong,
                false => Claim::Weak,
            }
        }
        _ => Claim::No,
    }
}

fn claims_spoken(object: &Object<'_>) -> Claim {
    let has_place = object.has("uuid") && object.has("sessionId");
    match object.object("message") {
        Some(message) if message.has("content") && has_place => Claim::Strong,
        Some(_) | None if has_place && object.has("parentUuid") => Claim::Weak,
        _ => Claim::No,
    }
}

/// Qwen Code's.
fn is_foreign(object: &Object<'_>) -> bool {
    object.has("systemPayload")
        || object.has("usageMetadata")
        || object.str("subtype").is_some_and(|subtype| subtype == "ui_telemetry")
        || object.object("message").is_some_and(|message| message.has("parts"))
}

/// Files beside a session: what kind of agent an agent's file is of, and the state of a workflow's run.
fn claims_untyped(object: &Object<'_>) -> Claim {
    let is_sidecar = object.str("agentType").is_some()
        && !["message", "messages", "role", "uuid", "id"].iter().any(|key| object.has(key));
    let is_run =
        object.str("runId").is_some() && (object.has("workflowName") || object.has("workflowProgress"));
    if is_sidecar || is_run { Claim::Document } else { Claim::No }
}

pub(super) fn file_key(head: &[Object<'_>]) -> FileKey {
    let mut ids: Vec<(String, usize)> = Vec::new();
    let (mut main, mut companion) = (0, 0);
    for object in head {
        if let Some(id) = session_id(object) {
            match ids.iter_mut().find(|known| known.0 == id) {
                Some(known) => known.1 += 1,
                None => ids.push((id, 1)),
            }
        }
        let kind = object.str("type");
        match kind.as_deref() {
            Some("user" | "assistant" | "system" | "progress" | "attachment")
                if object.str("agentId").is_some() =>
            {
                companion += 1;
            }
            Some("started" | "result") => companion += 1,
            Some(_) => main += 1,
            None if object.has("loglines") => main += 1,
            None if claims_untyped(object) == Claim::Document => companion += 1,
            None => {}
        }
    }
    let role = if main == 0 && companion > 0 { FileRole::Companion } else { FileRole::Main };
    // Of equals the first: `max_by_key` would give the last.
    let session = ids.into_iter().rev().max_by_key(|known| known.1).map(|known| known.0);
    FileKey { session, role, parent: None }
}

fn session_id(object: &Object<'_>) -> Option<String> {
    let own = object.str("sessionId").map(String::from);
    own.or_else(|| object.first_of("loglines")?.str("sessionId").map(String::from))
        .filter(|id| !id.is_empty())
}
