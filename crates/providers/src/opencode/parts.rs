//! What a part says.

use std::borrow::Cow;

use palimpsest_record::{Block, Text};

use crate::Batch;
use crate::Object;
use crate::parts::Part;
use crate::said::{Said, file, image};

/// What opencode's own tools call the file that they work on.
pub(super) const FILE: &[&str] = &["filePath", "path"];

/// What becomes of a part.
pub(super) enum Told<'a> {
    /// Somebody says it.
    Says(Vec<Part<'a>>),
    /// The model is given it, and nobody said it.
    Hidden(Cow<'a, str>),
    /// Known, and nothing to show.
    Nothing,
    /// Of a type that this version does not know.
    Unknown,
}

/// Reads a part.
pub(super) fn told<'a>(part: &Object<'a>, batch: &Batch) -> Told<'a> {
    match part.str("type").as_deref().unwrap_or_default() {
        "text" => {
            let text = part.str("text").unwrap_or_default();
            match part.is("synthetic") || part.is("ignored") {
                true => Told::Hidden(text),
                false => Told::Says(vec![Part::Text(text)]),
            }
        }
        "reasoning" => Told::Says(vec![Part::Thought(part.str("text").unwrap_or_default())]),
        "file" => Told::Says(vec![Part::Block(attachment(part))]),
        "tool" => Told::Says(call(part, batch)),
        "subtask" => Told::Says(vec![Part::Text(part.str("prompt").unwrap_or_default())]),
        "step-start" | "step-finish" | "snapshot" | "patch" | "agent" | "retry" | "compaction" => {
            Told::Nothing
        }
        _ => Told::Unknown,
    }
}

/// A call, with what it gave where it is done.
fn call<'a>(part: &Object<'a>, batch: &Batch) -> Vec<Part<'a>> {
    let state = part.object("state").unwrap_or_default();
    let name = part.words("tool").unwrap_or("unknown".into());
    let is_invalid = name == "invalid";
    let id = part.words("callID").or_else(|| part.words("id"));
    let mut told = vec![Part::Call { id: id.clone(), name, input: state.value("input") }];
    let status = state.str("status");
    let words = match status.as_deref() {
        Some("completed") => state.str("output"),
        Some("error") => state.str("error"),
        _ => None,
    };
    if let Some(words) = words {
        let mut said = Said::default();
        said.push(&words, batch);
        for attached in state.objects("attachments") {
            said.push_block(attachment(&attached));
        }
        let is_error = is_invalid || status.as_deref() == Some("error");
        told.push(Part::Result { id, name: None, said, is_error });
    }
    told
}

fn attachment(part: &Object<'_>) -> Block {
    let media_type = part.words("mime");
    let url = part.str("url").unwrap_or_default();
    let is_image = media_type.as_deref().is_some_and(|media_type| media_type.starts_with("image/"));
    if is_image && !url.starts_with("file:") {
        return image(media_type.as_deref(), Some(&url));
    }
    let address = Some(url).filter(|url| !url.is_empty() && !url.starts_with("data:"));
    file(part.words("filename").or(address), media_type)
}

/// The session of the agent that a call started.
pub(super) fn child(part: &Object<'_>) -> Option<Text> {
    let state = part.object("state")?;
    let id = state.object("metadata")?.words("sessionId")?;
    Some(Text::from(&*id))
}
