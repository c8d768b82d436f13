//! Parts as Google's service takes them, in the logs of Gemini CLI and of its kin.

use palimpsest_record::{Block, Text};
use serde_json::value::RawValue;

use crate::Object;
use crate::object::{elements, string};
use crate::parts::Part;
use crate::said::{Said, file, image};

/// Reads a content: a string, or a list of parts.
pub(crate) fn parts(content: Option<&RawValue>) -> Vec<Part<'_>> {
    let Some(content) = content else { return Vec::new() };
    if let Some(text) = string(content) {
        return vec![Part::Text(text)];
    }
    elements(content).into_iter().filter_map(|raw| part(&Object::parse(raw.get())?)).collect()
}

/// Reads a part.
pub(crate) fn part<'a>(part: &Object<'a>) -> Option<Part<'a>> {
    if let Some(text) = part.str("text") {
        return Some(if part.is("thought") { Part::Thought(text) } else { Part::Text(text) });
    }
    if let Some(data) = part.object("inlineData") {
        let bytes = data.raw("data").map(|data| data.trim_matches('"'));
        return Some(Part::Block(image(data.str("mimeType").as_deref(), bytes)));
    }
    if let Some(data) = part.object("fileData") {
        return Some(Part::Block(file(data.str("fileUri"), data.str("mimeType"))));
    }
    if let Some(call) = part.object("functionCall") {
        let name = call.words("name").unwrap_or("unknown".into());
        return Some(Part::Call { id: call.words("id"), name, input: call.value("args") });
    }
    if let Some(answer) = part.object("functionResponse") {
        let (said, is_error) = words(&answer)?;
        return Some(Part::Result { id: answer.words("id"), name: answer.words("name"), said, is_error });
    }
    let name = part.keys().next()?;
    Some(Part::Block(Block::Unknown { name: Text::from(name) }))
}

/// The words of what a call gave, and whether it is a failure.
pub(crate) fn words(answer: &Object<'_>) -> Option<(Said, bool)> {
    let response = answer.object("response")?;
    let (value, failed) = match (response.value("output"), response.value("error")) {
        (Some(output), _) => (output, false),
        (None, Some(error)) => (error, true),
        (None, None) => return None,
    };
    // What is no text is shown as it stands.
    let words = string(value).map_or_else(|| value.get().to_owned(), |text| text.into_owned());
    Some((Said::of(&words), failed))
}
