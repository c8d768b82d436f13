//! Content blocks as Anthropic's service takes them, in the logs of products that keep them with nothing around.

use palimpsest_record::{Block, Text};
use serde_json::value::RawValue;

use crate::object::{elements, string};
use crate::parts::Part;
use crate::said::{Said, file, image};
use crate::{Batch, Object};

/// Reads a content: a string, or a list of blocks.
pub(crate) fn parts<'a>(content: Option<&'a RawValue>, batch: &Batch) -> Vec<Part<'a>> {
    let Some(content) = content else { return Vec::new() };
    if let Some(text) = string(content) {
        return vec![Part::Text(text)];
    }
    elements(content).into_iter().filter_map(|raw| part(&Object::parse(raw.get())?, batch)).collect()
}

/// Reads a block; nothing where it has nothing to show.
pub(crate) fn part<'a>(block: &Object<'a>, batch: &Batch) -> Option<Part<'a>> {
    let kind = block.str("type").unwrap_or_default();
    Some(match &*kind {
        "text" => Part::Text(block.str("text").unwrap_or_default()),
        "thinking" | "reasoning" => {
            Part::Thought(block.str("thinking").or_else(|| block.str("text")).unwrap_or_default())
        }
        "redacted_thinking" => return None,
        "tool_use" | "tool_call" | "server_tool_use" => Part::Call {
            id: block.words("id"),
            name: block.words("name").unwrap_or("unknown".into()),
            input: block.value("input"),
        },
        "tool_result" | "tool-result" | "web_search_tool_result" => Part::Result {
            id: block.words("tool_use_id").or_else(|| block.words("toolUseID")),
            name: block.words("name"),
            said: said(block.value("content"), batch),
            is_error: block.is("is_error"),
        },
        "image" => Part::Block(picture(block)),
        "document" => Part::Block(file(
            block.words("title"),
            block.object("source").and_then(|source| source.words("media_type")),
        )),
        // Of a type that this version does not know: what it says is shown all the same.
        other => match block.words("text") {
            Some(text) => Part::Text(text),
            None if other.is_empty() => return None,
            None => Part::Block(Block::Unknown { name: Text::from(other) }),
        },
    })
}

/// What a result holds.
pub(crate) fn said(content: Option<&RawValue>, batch: &Batch) -> Said {
    let mut said = Said::default();
    for part in parts(content, batch) {
        match part {
            Part::Text(text) => said.push(&text, batch),
            Part::Block(block) => said.push_block(block),
            _ => {}
        }
    }
    said
}

fn picture(block: &Object<'_>) -> Block {
    let source = block.object("source").unwrap_or_default();
    let media_type = source.words("media_type").or_else(|| source.words("mediaType"));
    let data = source.raw("data").map(|data| data.trim_matches('"'));
    match (data, source.str("url")) {
        (Some(data), _) => image(media_type.as_deref(), Some(data)),
        (None, url) => image(media_type.as_deref(), url.as_deref()),
    }
}
