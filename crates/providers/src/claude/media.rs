//! Content blocks as parts of a record, and their text.

use palimpsest_record::{Block as Part, Preview, Text};

use super::shapes::{Block, Content};
use super::words::{Words, join};
use crate::Batch;

/// A block as a part. Bytes of images and files stay in the log.
pub(super) fn part(block: &Block<'_>, batch: &Batch) -> Part {
    let source = block.source.0.as_ref();
    let media_type = source.and_then(|source| source.media_type.text()).map(Text::from);
    match block.kind.text().unwrap_or_default() {
        "image" => Part::Image {
            media_type,
            encoded_length: source.and_then(|source| source.data.as_ref()).map(Words::length),
            url: source.and_then(|source| source.url.text()).map(Text::from),
        },
        "document" => Part::File { name: block.title.text().map(Text::from), media_type },
        kind => match words_of(block) {
            Some(words) => {
                let Preview { text, full_length } = words.preview(batch.options.preview_limit);
                Part::Text { text, full_length }
            }
            None => Part::Unknown { name: Text::from(if kind.is_empty() { "untyped" } else { kind }) },
        },
    }
}

/// The text of a block, where it has any: what it says, or what it names.
pub(super) fn words_of<'b>(block: &'b Block<'_>) -> Option<Words<'b>> {
    let named = |text: Option<&'b str>| text.map(Words::from);
    match block.kind.text()? {
        "text" => block.text.0.clone(),
        "tool_reference" => named(block.tool_name.text()),
        "web_search_result" => match (block.title.text(), block.url.text()) {
            (Some(title), Some(url)) => Some(join(&[title.into(), url.into()])),
            (title, url) => named(title.or(url)),
        },
        _ => named(block.error_code.text()).or(block.text.0.clone()),
    }
}

/// All texts of a content, joined by line feeds.
pub(super) fn joined<'c>(content: &'c Content<'_>) -> Words<'c> {
    match content {
        Content::None => Words::default(),
        Content::Text(words) => words.clone(),
        Content::Blocks(blocks) => {
            let mut words: Vec<Words<'_>> = blocks.iter().filter_map(words_of).collect();
            match words.len() {
                1 => words.pop().unwrap_or_default(),
                _ => join(&words),
            }
        }
    }
}

/// What a tool result holds.
pub(super) struct ResultContent {
    pub(super) content: Preview,
    pub(super) parts: Vec<Part>,
}

/// The content of a tool result: its texts joined by line feeds, and its parts where it is more
/// than one text.
pub(super) fn result_content(content: &Content<'_>, batch: &Batch) -> ResultContent {
    let mut parts = Vec::new();
    if let Content::Blocks(blocks) = content {
        let is_one_text = matches!(blocks.as_slice(), [block] if words_of(block).is_some());
        if !is_one_text {
            parts.extend(blocks.iter().map(|block| part(block, batch)));
        }
    }
    ResultContent { content: joined(content).preview(batch.options.preview_limit), parts }
}
