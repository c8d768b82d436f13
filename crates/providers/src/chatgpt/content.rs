//! A message → what it says.

use std::borrow::Cow;

use palimpsest_record::{Block, MessageType, Text};
use serde_json::value::RawValue;

use crate::object::string;
use crate::parts::{Part, Voice};
use crate::said::{Said, file};
use crate::{Batch, Object};

/// What becomes of a message.
pub(super) enum Told<'a> {
    /// Somebody says it.
    Says(Vec<Part<'a>>, Voice),
    /// The product failed.
    Failure(String),
    /// The model is given it, and nobody said it.
    Hidden(String),
    /// Of a kind that this version does not know.
    Unknown,
}

/// Reads a message.
pub(super) fn told<'a>(message: &Object<'a>, model: Option<Text>, batch: &Batch) -> Told<'a> {
    let content = message.object("content").unwrap_or_default();
    let kind = content.str("content_type").unwrap_or_default();
    let metadata = message.object("metadata").unwrap_or_default();
    let author = message.object("author").unwrap_or_default();
    let role = author.str("role").unwrap_or_default();
    let is_context = matches!(&*kind, "user_editable_context" | "model_editable_context");
    if is_context || role == "system" || metadata.is("is_visually_hidden_from_conversation") {
        return Told::Hidden(words(&content, &kind));
    }
    if kind == "system_error" {
        return Told::Failure(words(&content, &kind));
    }
    let voice = match &*role {
        "user" => Voice::user(),
        "assistant" => Voice { who: MessageType::Assistant, model, ..Voice::default() },
        "tool" => {
            let mut said = Said::default();
            for part in parts(&content, &kind).unwrap_or_default() {
                match part {
                    Part::Text(text) => said.push(&text, batch),
                    Part::Block(block) => said.push_block(block),
                    _ => {}
                }
            }
            let is_error = metadata.object("aggregate_result").and_then(|result| result.str("status"));
            let is_error = is_error.is_some_and(|status| status.contains("fail"));
            let result = Part::Result { id: None, name: author.words("name"), said, is_error };
            return Told::Says(vec![result], Voice::user());
        }
        _ => return Told::Unknown,
    };
    let recipient = message.words("recipient").filter(|recipient| *recipient != "all");
    if let Some(name) = recipient.filter(|_| role == "assistant") {
        return Told::Says(vec![Part::Call { id: None, name, input: input(&content) }], voice);
    }
    match parts(&content, &kind) {
        Some(mut said) => {
            for attached in metadata.objects("attachments") {
                said.push(Part::Block(file(attached.words("name"), attached.words("mime_type"))));
            }
            Told::Says(said, voice)
        }
        None => Told::Unknown,
    }
}

/// What a call is given: the code, or the text of the message.
fn input<'a>(content: &Object<'a>) -> Option<&'a RawValue> {
    content.value("text").or_else(|| content.list("parts").into_iter().next())
}

fn parts<'a>(content: &Object<'a>, kind: &str) -> Option<Vec<Part<'a>>> {
    let text = |key: &str| vec![Part::Text(content.str(key).unwrap_or_default())];
    Some(match kind {
        "text" | "multimodal_text" => content.list("parts").into_iter().filter_map(part).collect(),
        "code" | "execution_output" => text("text"),
        "thoughts" => {
            content.objects("thoughts").iter().map(|thought| Part::Thought(thought_of(thought))).collect()
        }
        "reasoning_recap" => Vec::new(),
        "tether_quote" => vec![Part::Text(quote(content))],
        "tether_browsing_display" => match content.words("result") {
            Some(result) => vec![Part::Text(result)],
            None => text("summary"),
        },
        _ => return None,
    })
}

fn part(raw: &RawValue) -> Option<Part<'_>> {
    if let Some(text) = string(raw) {
        return Some(Part::Text(text));
    }
    let object = Object::parse(raw.get())?;
    let kind = object.str("content_type").unwrap_or_default();
    Some(match &*kind {
        "image_asset_pointer" => {
            let url = object.words("asset_pointer").map(|pointer| Text::from(&*pointer));
            Part::Block(Block::Image { media_type: None, encoded_length: None, url })
        }
        "audio_transcription" => Part::Text(object.str("text").unwrap_or_default()),
        kind if kind.ends_with("_pointer") => Part::Block(file(object.words("asset_pointer"), None)),
        other => Part::Block(Block::Unknown { name: Text::from(other) }),
    })
}

fn thought_of<'a>(thought: &Object<'a>) -> Cow<'a, str> {
    match (thought.words("summary"), thought.words("content")) {
        (Some(summary), Some(content)) => format!("{summary}: {content}").into(),
        (summary, content) => content.or(summary).unwrap_or_default(),
    }
}

fn quote(content: &Object<'_>) -> Cow<'static, str> {
    let lines = ["title", "url", "text"].iter().filter_map(|key| content.words(key));
    lines.collect::<Vec<_>>().join("\n").into()
}

/// All texts of a content that is not shown, or that says what went wrong.
fn words(content: &Object<'_>, kind: &str) -> String {
    let fields = ["name", "text", "user_profile", "user_instructions", "model_set_context"];
    let mut words: Vec<String> =
        fields.iter().filter_map(|key| content.words(key)).map(String::from).collect();
    for part in parts(content, kind).unwrap_or_default() {
        if let Part::Text(text) = part
            && !text.trim().is_empty()
            && !words.iter().any(|known| **known == *text)
        {
            words.push(text.into_owned());
        }
    }
    words.join("\n")
}
