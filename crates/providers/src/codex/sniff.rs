//! Is this log Codex's, and which session's is it?

use crate::{Claim, FileKey, FileRole, Object, Parent};

use super::shapes::Meta;

/// Types of lines with a payload.
const WRAPPED: &[&str] = &[
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
    "token_usage_record",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
];

/// Whether a line of this type has its content under `payload`.
pub(super) fn is_wrapped(kind: &str) -> bool {
    WRAPPED.contains(&kind)
}

pub(super) fn claims(object: &Object<'_>) -> Claim {
    let Some(kind) = object.str("type") else { return claims_without_type(object) };
    if is_wrapped(&kind) && object.object("payload").is_some() {
        return Claim::Strong;
    }
    // Items of a bare log: others log the same model's items, too.
    let is_item = match &*kind {
        "message" => object.has("role") && object.has("content") && !object.has("message"),
        "reasoning" => object.has("summary"),
        "function_call" => object.has("call_id") && object.has("arguments"),
        "function_call_output" => object.has("call_id") && object.has("output"),
        "local_shell_call" => object.has("action"),
        _ => false,
    };
    let of_another = ["uuid", "sessionId", "parentId", "parentUuid", "parts"];
    if is_item && !of_another.iter().any(|key| object.has(key)) { Claim::Weak } else { Claim::No }
}

fn claims_without_type(object: &Object<'_>) -> Claim {
    let is_header = |object: &Object<'_>| {
        object.has("id") && object.has("timestamp") && (object.has("instructions") || object.has("git"))
    };
    if object.str("record_type").is_some() && object.keys().count() == 1 {
        return Claim::Strong;
    }
    if is_header(object) && !object.has("parentId") && !object.has("messages") {
        return Claim::Strong;
    }
    let is_document = object.object("session").is_some_and(|session| is_header(&session));
    if is_document && object.raw("items").is_some_and(|items| items.starts_with('[')) {
        return Claim::Document;
    }
    Claim::No
}

/// The session is the thread's own, but for an agent's thread: that is a part of its parent's.
pub(super) fn file_key(head: &[Object<'_>]) -> FileKey {
    for object in head {
        match object.str("type").as_deref() {
            Some("session_meta") => return key_of(object.raw("payload").unwrap_or_default()),
            Some(_) => {}
            None => {
                let id = object.str("id").or_else(|| object.object("session")?.str("id"));
                if let Some(id) = id {
                    return FileKey::main(Some(id.into_owned()));
                }
            }
        }
    }
    FileKey::default()
}

fn key_of(meta: &str) -> FileKey {
    let meta: Meta<'_> = serde_json::from_str(meta).unwrap_or_default();
    let id = meta.id.text().filter(|id| !id.is_empty());
    let root = meta.session_id.text().filter(|root| Some(*root) != id);
    let parent = root.map(str::to_owned).or_else(|| meta.parent());
    match parent.filter(|_| meta.is_agent()) {
        Some(parent) => FileKey {
            session: id.map(str::to_owned),
            role: FileRole::Companion,
            parent: Some(Parent::Session(parent)),
        },
        None => FileKey::main(id.map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_codex_writes_is_claimed() {
        let check = |json: &str, want: Claim| {
            assert_eq!(claims(&Object::parse(json).unwrap()), want, "{json}");
        };
        check(r#"{"timestamp":"t","type":"session_meta","payload":{}}"#, Claim::Strong);
        check(r#"{"timestamp":"t","type":"response_item","payload":"cut"}"#, Claim::No);
        check(r#"{"id":"a","timestamp":"t","instructions":null}"#, Claim::Strong);
        check(r#"{"record_type":"state"}"#, Claim::Strong);
        check(r#"{"type":"message","role":"user","content":[]}"#, Claim::Weak);
        check(r#"{"type":"message","id":"a","parentId":null,"role":"user","content":[]}"#, Claim::No);
        check(r#"{"type":"message","id":"a","message":{"role":"user"}}"#, Claim::No);
        check(r#"{"type":"function_call_output","call_id":"c","output":"x"}"#, Claim::Weak);
        check(r#"{"session":{"id":"a","timestamp":"t","instructions":""},"items":[]}"#, Claim::Document);
        check(r#"{"session":{"id":"a"},"items":[]}"#, Claim::No);
        check(r#"{"type":"user","uuid":"u","sessionId":"s"}"#, Claim::No);
    }

    #[test]
    fn an_agents_thread_belongs_to_its_parents_session() {
        let check = |json: &str, want: (Option<&str>, Option<&str>)| {
            let key = file_key(&[Object::parse(json).unwrap()]);
            let parent = want.1.map(|id| Parent::Session(id.to_owned()));
            assert_eq!((key.session.as_deref(), &key.parent), (want.0, &parent), "{json}");
            assert_eq!(key.role == FileRole::Companion, key.parent.is_some(), "{json}");
        };
        check(r#"{"type":"session_meta","payload":{"id":"a","source":"cli"}}"#, (Some("a"), None));
        check(
            r#"{"type":"session_meta","payload":{"id":"b","source":{"subagent":{"thread_spawn":{"parent_thread_id":"a"}}}}}"#,
            (Some("b"), Some("a")),
        );
        check(
            r#"{"type":"session_meta","payload":{"id":"c","session_id":"a","parent_thread_id":"b","source":{"subagent":{"other":"x"}}}}"#,
            (Some("c"), Some("a")),
        );
        check(
            r#"{"type":"session_meta","payload":{"id":"d","source":{"subagent":"review"}}}"#,
            (Some("d"), None),
        );
        check(
            r#"{"type":"session_meta","payload":{"id":"e","forked_from_id":"a","source":"cli"}}"#,
            (Some("e"), None),
        );
        check(r#"{"id":"f","timestamp":"t","git":{}}"#, (Some("f"), None));
        check(r#"{"session":{"id":"g"},"items":[]}"#, (Some("g"), None));
        check(r#"{"type":"event_msg","payload":{}}"#, (None, None));
    }
}
