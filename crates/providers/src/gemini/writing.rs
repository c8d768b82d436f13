//! A message → records.

use std::borrow::Cow;
use std::collections::BTreeMap;

use palimpsest_record::{Subagent, Text, TranscriptRecord, Usage, Visibility};

use crate::calls::Calls;
use crate::google::{parts, words};
use crate::parts::{Part, Voice, tell};
use crate::said::Said;
use crate::writing::Writer;
use crate::{Object, Outcome};

/// What Gemini's own tools call the file that they work on.
const FILE: &[&str] = &["file_path", "absolute_path", "path"];
/// How the first prompt begins that the person did not write.
const CONTEXT: [&str; 2] = ["<session_context>", "This is the Gemini CLI. We are setting up the context"];

/// Calls and subagents so far.
#[derive(Debug, Default)]
pub(super) struct Told {
    calls: Calls,
    pub(super) agents: BTreeMap<Text, Subagent>,
}

/// Writes the records of a message and says what became of its lines.
pub(super) fn message(message: &Object<'_>, told: &mut Told, to: &mut Writer<'_>) -> Outcome {
    let kind = message.str("type");
    let named = kind.clone().or_else(|| message.str("role")).unwrap_or_default();
    let content = message.value("content").or_else(|| message.value("parts"));
    match &*named {
        "" => to.batch.ledger.unknown(&["malformed"]),
        named if content.is_some_and(|content| !content.get().starts_with(['"', '['])) => {
            to.batch.ledger.unknown(&[named])
        }
        "user" => user(message, parts(content), told, to),
        "gemini" => answer(message, parts(content), told, to),
        // In a saved chat the model has its service's name for it.
        "model" if kind.is_none() => answer(message, parts(content), told, to),
        "info" | "warning" => match to.notice(&text(parts(content))) {
            true => Outcome::Read,
            false => to.batch.ledger.not_shown(&[&named]),
        },
        "error" => {
            to.failure(&text(parts(content)));
            Outcome::Read
        }
        other => to.batch.ledger.unknown(&[other]),
    }
}

fn user(message: &Object<'_>, sent: Vec<Part<'_>>, told: &mut Told, to: &mut Writer<'_>) -> Outcome {
    let (results, mut said): (Vec<_>, Vec<_>) =
        sent.into_iter().partition(|part| matches!(part, Part::Result { .. }));
    let has_results = !results.is_empty();
    let typed = parts(message.value("displayContent"));
    if typed.iter().any(|part| !matches!(part, Part::Text(text) if text.trim().is_empty())) {
        said = typed;
    }
    let is_context = said.iter().any(|part| match part {
        Part::Text(text) => CONTEXT.iter().any(|context| text.trim_start().starts_with(context)),
        _ => false,
    });
    let is_command = matches!(said.as_slice(), [Part::Text(text)] if text.starts_with(['/', '?']));
    tell(results, Voice::user(), &mut told.calls, to);
    let first = to.batch.records.len();
    if is_command {
        to.command(&text(said));
    } else {
        tell(said, Voice::user(), &mut told.calls, to);
    }
    if is_context {
        for record in to.batch.records.iter_mut().skip(first) {
            if let TranscriptRecord::Message(message) = record {
                message.visibility = Visibility::Hidden;
            }
        }
        return to.batch.ledger.not_shown(&["user", "context"]);
    }
    match (to.written() > 0, has_results) {
        (true, _) => Outcome::Read,
        (false, true) => Outcome::Merged,
        (false, false) => to.batch.ledger.not_shown(&["user"]),
    }
}

fn answer<'a>(
    message: &Object<'a>,
    mut said: Vec<Part<'a>>,
    told: &mut Told,
    to: &mut Writer<'_>,
) -> Outcome {
    let mut thoughts: Vec<Cow<'_, str>> = message.objects("thoughts").iter().filter_map(thought).collect();
    said.retain_mut(|part| match part {
        Part::Thought(text) => {
            thoughts.push(std::mem::take(text));
            false
        }
        _ => true,
    });
    let mut all = vec![Part::Thought(thoughts.join("\n\n").into())];
    all.append(&mut said);
    let mut results = Vec::new();
    let mut started = Vec::new();
    for (number, call) in message.objects("toolCalls").iter().enumerate() {
        let id = call.words("id").unwrap_or_else(|| format!("{}-call-{}", to.place.id, number + 1).into());
        let name = call.words("name").unwrap_or("unknown".into());
        results.extend(result(call, &id));
        started.extend(call.words("agentId").map(|agent| (agent, id.clone())));
        all.push(Part::Call { id: Some(id), name, input: call.value("args") });
    }
    all.append(&mut results);
    let model = message.str("model").map(|model| Text::from(&*model));
    let usage = message.object("tokens").map(|tokens| usage(&tokens, &to.place.id));
    let shown = tell(all, Voice::assistant(model, usage, FILE), &mut told.calls, to);
    for (agent, call) in started {
        let id = Text::from(&*agent);
        let new = || Subagent { agent_id: id.clone(), ..Subagent::default() };
        told.agents.entry(id.clone()).or_insert_with(new).parent_tool_call_id = told.calls.id(&call);
    }
    if shown { Outcome::Read } else { to.batch.ledger.not_shown(&["gemini"]) }
}

/// What a call gave: the words for the model, or where there are none what the terminal showed. One that was cancelled, or whose result
/// comes as a message, gave nothing here.
fn result<'a>(call: &Object<'a>, id: &Cow<'a, str>) -> Option<Part<'a>> {
    let status = call.str("status").unwrap_or_default();
    let answers = call.objects("result");
    let answers = answers.iter().filter_map(|part| part.object("functionResponse"));
    let given: Vec<(Said, bool)> = answers.filter_map(|answer| words(&answer)).collect();
    let is_error = status == "error" || given.iter().any(|(_, failed)| *failed);
    let text = match given.as_slice() {
        [] => match call.str("resultDisplay").filter(|_| status != "cancelled") {
            Some(text) => text.into_owned(),
            None if status == "error" => String::new(),
            None => return None,
        },
        given => given.iter().map(|(said, _)| said.text.as_str()).collect::<Vec<_>>().join("\n"),
    };
    Some(Part::Result { id: Some(id.clone()), name: call.words("name"), said: Said::of(&text), is_error })
}

fn thought<'a>(thought: &Object<'a>) -> Option<Cow<'a, str>> {
    match (thought.words("subject"), thought.words("description")) {
        (Some(subject), Some(description)) => Some(format!("{subject}: {description}").into()),
        (subject, description) => subject.or(description),
    }
}

fn text(parts: Vec<Part<'_>>) -> String {
    let texts = parts.into_iter().filter_map(|part| match part {
        Part::Text(text) => Some(text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// `input` has the cached tokens in it; thoughts are output, and what tools gave is input.
fn usage(tokens: &Object<'_>, request: &Text) -> Usage {
    let count = |key: &str| tokens.count(key).unwrap_or(0);
    Usage {
        input_tokens: count("input").saturating_add(count("tool")),
        cached_input_tokens: count("cached"),
        output_tokens: count("output").saturating_add(count("thoughts")),
        reasoning_tokens: count("thoughts"),
        request: Some(request.clone()),
        ..Usage::default()
    }
}
