//! Content blocks as parts of a record, and their text.

use palimpsest_record::{Block as Part, Preview, Text};

use super::shapes::{Block, Content};
use crate::Batch;

/// A block as a part. Bytes of images and files stay in the log.
pub(super) fn part(block: &Block<'_>, batch: &Batch) -> Part {
    let source = block.source.0.as_ref();
    let media_type = source.and_then(|source| source.media_type.text()).map(Text::from);
    match block.kind.text().unwrap_or_default() {
        "image" => Part::Image {
            media_type,
            encoded_length: source.and_then(|source| source.data.text()).map(|data| data.len() as u64),
            url: source.and_then(|source| source.url.text()).map(Text::from),
        },
        "document" => Part::File { name: block.title.text().map(Text::from), media_type },
        kind => match text_of(block) {
            Some(text) => {
                let Preview { text, full_length } = batch.cut(&text);
                Part::Text { text, full_length }
            }
            None => Part::Unknown { name: Text::from(if kind.is_empty() { "untyped" } else { kind }) },
        },
    }
}

/// The text of a block, where it has any: what it says, or what it names.
pub(super) fn text_of<'b>(block: &'b Block<'_>) -> Option<std::borrow::Cow<'b, str>> {
    match block.kind.text()? {
        "text" => block.text.text().map(Into::into),
        "tool_reference" => block.tool_name.text().map(Into::into),
        "web_search_result" => match (block.title.text(), block.url.text()) {
            (Some(title), Some(url)) => Some(format!("{title}\n{url}").into()),
            (title, url) => title.or(url).map(Into::into),
        },
        _ => block.error_code.text().or(block.text.text()).map(Into::into),
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
    match content {
        Content::None => ResultContent { content: batch.cut(""), parts: Vec::new() },
        Content::Text(text) => ResultContent { content: batch.cut(text), parts: Vec::new() },
        Content::Blocks(blocks) => {
            let texts: Vec<_> = blocks.iter().filter_map(text_of).collect();
            let content = match texts.as_slice() {
                [text] => batch.cut(text),
                texts => batch.cut(&texts.join("\n")),
            };
            let one_text = blocks.len() == texts.len() && texts.len() < 2;
            let parts =
                if one_text { Vec::new() } else { blocks.iter().map(|block| part(block, batch)).collect() };
            ResultContent { content, parts }
        }
    }
}
