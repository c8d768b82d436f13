//! A message's content → text and blocks.

use palimpsest_record::{Block, ContentType, Message, Preview, Text};

use super::shapes::{Content, Part};
use crate::Batch;

/// What a prompt, a result or an extension's message says.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its texts, joined by line feeds.
    pub(super) text: Option<Preview>,
    /// All its parts in order, where it is more than one text.
    pub(super) blocks: Vec<Block>,
}

impl Said {
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.text.as_ref().is_none_or(|text| text.text.trim().is_empty())
    }

    /// Text, an image alone, or several kinds.
    pub(super) fn content_type(&self) -> ContentType {
        let all = |wanted: fn(&Block) -> bool| self.blocks.iter().all(wanted);
        if all(|block| matches!(block, Block::Text { .. })) {
            ContentType::Text
        } else if all(|block| matches!(block, Block::Image { .. })) {
            ContentType::Image
        } else {
            ContentType::Mixed
        }
    }

    pub(super) fn fill(self, message: &mut Message) {
        if let Some(Preview { text, full_length }) = self.text {
            message.text = Some(text);
            message.full_length = full_length;
        }
        message.blocks = self.blocks;
    }
}

/// Reads a content.
pub(super) fn said(content: &Content<'_>, batch: &Batch) -> Said {
    match content {
        Content::None => Said::default(),
        Content::Text(text) => Said { text: Some(batch.cut(text)), blocks: Vec::new() },
        Content::Parts(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(text).collect();
            let text = match texts.as_slice() {
                [] => None,
                [only] => Some(batch.cut(only)),
                several => Some(batch.cut(&several.join("\n"))),
            };
            let plain = parts.len() == 1 && texts.len() == 1;
            let blocks =
                if plain { Vec::new() } else { parts.iter().map(|part| block(part, batch)).collect() };
            Said { text, blocks }
        }
    }
}

fn text<'a>(part: &'a Part<'_>) -> Option<&'a str> {
    (part.kind.text() == Some("text")).then(|| part.text.text().unwrap_or_default())
}

fn block(part: &Part<'_>, batch: &Batch) -> Block {
    match part.kind.text().unwrap_or_default() {
        "text" => {
            let Preview { text, full_length } = batch.cut(part.text.text().unwrap_or_default());
            Block::Text { text, full_length }
        }
        "image" => image(part),
        other => Block::Unknown { name: Text::from(other) },
    }
}

/// An image. Its base64 stays in the log; the quotes around it are no part of it.
pub(super) fn image(part: &Part<'_>) -> Block {
    Block::Image {
        media_type: part.mime_type.text().map(Text::from),
        encoded_length: part.data.map(|data| data.get().len().saturating_sub(2) as u64),
        url: None,
    }
}
