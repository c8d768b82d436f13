//! What a line says → records.

use palimpsest_record::{ContentType, MessageType, Text, Usage};
use serde_json::value::RawValue;

use super::tree::Tree;
use crate::google::{part, parts};
use crate::notes::Notes;
use crate::object::elements;
use crate::parts::{Part, Voice, tell};
use crate::said::Said;
use crate::writing::{Writer, is_command, say};
use crate::{Object, Outcome};

/// What Qwen's own tools call the file that they work on.
const FILE: &[&str] = &["file_path", "absolute_path", "path"];
/// How a part begins that a hook added to a prompt.
const HOOK: &str = "<qwen:user-prompt-submit-context>";

/// A prompt, or what stands in a prompt's place.
pub(super) fn prompt(object: &Object<'_>, subtype: &str, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
    let payload = object.object("systemPayload").unwrap_or_default();
    let mut said = parts(content(object));
    said.retain(|part| !matches!(part, Part::Text(text) if text.trim_start().starts_with(HOOK)));
    // What was typed, where the model was given something else.
    if let Some(typed) = payload.words("displayText") {
        said.retain(|part| !matches!(part, Part::Text(_)));
        said.insert(0, Part::Text(typed));
    }
    match (subtype, said.as_slice()) {
        ("" | "mid_turn_user_message", [Part::Text(text)]) if is_command(text) => to.command(text),
        ("" | "mid_turn_user_message", _) => {
            tell(said, Voice::user(), &mut notes.calls, to);
        }
        ("notification" | "cron", _) => {
            tell(said, Voice { is_meta: true, ..Voice::user() }, &mut notes.calls, to);
        }
        (other, _) => return to.batch.ledger.unknown(&["user", other]),
    }
    if to.written() > 0 { Outcome::Read } else { to.batch.ledger.not_shown(&["user"]) }
}

/// An answer, or a part of one: lines with one id are one model call, and what a line repeats adds nothing.
pub(super) fn answer(
    object: &Object<'_>,
    tree: &mut Tree,
    notes: &mut Notes,
    to: &mut Writer<'_>,
) -> Outcome {
    let raws = content(object).map(elements).unwrap_or_default();
    let new = raws.iter().filter(|raw| tree.says(to.node, raw.get()));
    let said: Vec<Part<'_>> = new.filter_map(|raw| part(&Object::parse(raw.get())?)).collect();
    let is_repeated = said.is_empty() && !raws.is_empty();
    let usage = object.object("usageMetadata").map(|tokens| usage(&tokens, &to.place.id));
    let usage = usage.filter(|usage| !usage.is_empty() && !tree.is_counted(to.node));
    if usage.is_some() {
        tree.count(to.node);
    }
    let model = object.words("model").map(|model| Text::from(&*model));
    match tell(said, Voice::assistant(model, usage, FILE), &mut notes.calls, to) {
        true => Outcome::Read,
        false if is_repeated => Outcome::Merged,
        false => to.batch.ledger.not_shown(&["assistant"]),
    }
}

/// What a call gave.
pub(super) fn result(object: &Object<'_>, notes: &mut Notes, to: &mut Writer<'_>) -> Outcome {
    let outcome = object.object("toolCallResult").unwrap_or_default();
    let has_failed = outcome.str("status").as_deref() == Some("error");
    let mut said = parts(content(object));
    for part in &mut said {
        if let Part::Result { is_error, .. } = part {
            *is_error |= has_failed;
        }
    }
    if !said.iter().any(|part| matches!(part, Part::Result { .. })) {
        let answers = content(object).map(elements).unwrap_or_default();
        let answer = answers.iter().find_map(|raw| Object::parse(raw.get())?.object("functionResponse"));
        let id = outcome.words("callId").or_else(|| answer.as_ref()?.words("id"));
        let name = answer.and_then(|answer| answer.words("name"));
        let words = outcome.str("resultDisplay").or_else(|| outcome.str("error")).unwrap_or_default();
        if id.is_none() && name.is_none() {
            return to.batch.ledger.unknown(&["tool_result"]);
        }
        said.push(Part::Result { id, name, said: Said::of(&words), is_error: has_failed });
    }
    match tell(said, Voice::user(), &mut notes.calls, to) {
        true => Outcome::Read,
        false => Outcome::Merged,
    }
}

/// What the product notes beside the conversation.
pub(super) fn system(object: &Object<'_>, subtype: &str, to: &mut Writer<'_>) -> Outcome {
    let payload = object.object("systemPayload").unwrap_or_default();
    let is_shown = match subtype {
        "slash_command" => command(&payload, to),
        "chat_compression" => {
            let before = payload.object("info").and_then(|info| info.count("originalTokenCount"));
            let summary = to.place.summary("compaction", &summary(&payload), before, to.batch);
            to.batch.push(summary);
            true
        }
        "" | "ui_telemetry" | "file_history_snapshot" | "at_command" | "attribution_snapshot" => false,
        other if other.starts_with("session_") || other.starts_with("goal_") => false,
        other => return to.batch.ledger.unknown(&["system", other]),
    };
    if is_shown { Outcome::Read } else { to.batch.ledger.not_shown(&["system", subtype]) }
}

/// A slash command: that it was given, then what it showed.
fn command(payload: &Object<'_>, to: &mut Writer<'_>) -> bool {
    let shown = payload.objects("outputHistoryItems");
    let shown: Vec<String> = shown.iter().filter_map(|item| item.words("text")).map(String::from).collect();
    if payload.str("phase").as_deref() != Some("result")
        && let Some(raw) = payload.words("rawCommand")
    {
        to.command(&raw);
    }
    if !shown.is_empty() {
        to.message(MessageType::System, ContentType::Command, |message, batch| {
            say(&shown.join("\n"), message, batch);
        });
    }
    to.written() > 0
}

/// The history that a compression left begins with its summary.
fn summary(payload: &Object<'_>) -> String {
    let first = payload.first_of("compressedHistory");
    let said = first.as_ref().map(|content| parts(content.value("parts"))).unwrap_or_default();
    let text = said.into_iter().find_map(|part| match part {
        Part::Text(text) => Some(text.into_owned()),
        _ => None,
    });
    text.unwrap_or_default()
}

fn content<'a>(object: &Object<'a>) -> Option<&'a RawValue> {
    object.object("message")?.value("parts")
}

/// The prompt's tokens hold the cached ones. Thoughts are in the candidates, unless the total shows that they stand beside them.
fn usage(tokens: &Object<'_>, request: &Text) -> Usage {
    let count = |key: &str| tokens.count(key).unwrap_or(0);
    let (prompt, candidates) = (count("promptTokenCount"), count("candidatesTokenCount"));
    let thoughts = count("thoughtsTokenCount");
    let together = prompt.saturating_add(candidates).saturating_add(thoughts);
    let is_apart = thoughts > 0 && count("totalTokenCount") >= together;
    let output = if is_apart { candidates.saturating_add(thoughts) } else { candidates };
    Usage {
        input_tokens: prompt,
        cached_input_tokens: count("cachedContentTokenCount").min(prompt),
        output_tokens: output,
        reasoning_tokens: thoughts.min(output),
        request: Some(request.clone()),
        ..Usage::default()
    }
}
