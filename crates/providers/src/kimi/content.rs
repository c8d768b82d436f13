//! Parts, tokens and files, as all of Kimi's logs write them.

use std::borrow::Cow;

use palimpsest_record::{Block, Text, Usage};
use serde_json::value::RawValue;

use crate::Batch;
use crate::Object;
use crate::object::{elements, string};
use crate::parts::Part;
use crate::said::{Said, file, image};

/// What Kimi's own tools call the file that they work on.
pub(super) const FILE: &[&str] = &["path", "file_path"];

/// Reads a content: a string, a part, or a list of parts.
pub(super) fn parts(content: Option<&RawValue>) -> Vec<Part<'_>> {
    let Some(content) = content else { return Vec::new() };
    if let Some(text) = string(content) {
        return vec![Part::Text(text)];
    }
    match Object::parse(content.get()) {
        Some(object) => part(&object).into_iter().collect(),
        None => {
            let objects = elements(content).into_iter().filter_map(|element| Object::parse(element.get()));
            objects.filter_map(|object| part(&object)).collect()
        }
    }
}

fn part<'a>(part: &Object<'a>) -> Option<Part<'a>> {
    let kind = part.str("type")?;
    let url = || part.object(&kind).and_then(|inner| inner.str("url"));
    Some(match &*kind {
        "text" => Part::Text(part.str("text").unwrap_or_default()),
        "think" => Part::Thought(part.str("think").unwrap_or_default()),
        "image_url" => Part::Block(image(None, url().as_deref())),
        "audio_url" | "video_url" => Part::Block(file(url().filter(|url| !url.starts_with("data:")), None)),
        other => Part::Block(Block::Unknown { name: Text::from(other) }),
    })
}

/// The words of a content, each part of it.
pub(super) fn said(content: Option<&RawValue>, batch: &Batch) -> Said {
    let mut said = Said::default();
    for part in parts(content) {
        match part {
            Part::Text(text) => said.push(&text, batch),
            Part::Block(block) => said.push_block(block),
            _ => {}
        }
    }
    said
}

/// The text of a content alone.
pub(super) fn text(content: Option<&RawValue>) -> String {
    let texts = parts(content).into_iter().filter_map(|part| match part {
        Part::Text(text) => Some(text),
        _ => None,
    });
    texts.collect::<Vec<Cow<'_, str>>>().join("\n")
}

/// Tokens. What came from the cache or went there is beside the other input.
pub(super) fn usage(tokens: &Object<'_>, request: &str) -> Usage {
    let count = |snake: &str, camel: &str| tokens.count(snake).or_else(|| tokens.count(camel)).unwrap_or(0);
    let other = count("input_other", "inputOther");
    let cached = count("input_cache_read", "inputCacheRead");
    let written = count("input_cache_creation", "inputCacheCreation");
    Usage {
        input_tokens: other.saturating_add(cached).saturating_add(written),
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: count("output", "output"),
        request: Some(Text::from(request)),
        ..Usage::default()
    }
}
