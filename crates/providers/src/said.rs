//! What a message or a result says: its text and, where it is more than one text, its parts in order.

use std::borrow::Cow;

use palimpsest_record::{Block, ContentType, Message, Preview, Text, ToolResult};

use crate::Batch;
use crate::writing::{Place, say};

/// Texts, images and files.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The texts, joined by line feeds.
    pub(crate) text: String,
    blocks: Vec<Block>,
    texts: usize,
}

impl Said {
    /// One text.
    pub(crate) fn of(text: &str) -> Said {
        Said { text: text.to_owned(), texts: 1, ..Said::default() }
    }

    /// Adds a text.
    pub(crate) fn push(&mut self, text: &str, batch: &Batch) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        let Preview { text, full_length } = batch.cut(text);
        self.blocks.push(Block::Text { text, full_length });
        self.texts += 1;
    }

    /// Adds an image, a file or something unknown.
    pub(crate) fn push_block(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Nothing that anybody could see.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.blocks.iter().all(|block| matches!(block, Block::Text { .. }))
    }

    /// What kind of content it is.
    pub(crate) fn content_type(&self) -> ContentType {
        match self.blocks.as_slice() {
            [] | [Block::Text { .. }] => ContentType::Text,
            [Block::Image { .. }] => ContentType::Image,
            _ => ContentType::Mixed,
        }
    }

    /// Gives it to a message.
    pub(crate) fn fill(self, message: &mut Message, batch: &Batch) {
        if !self.text.is_empty() {
            say(&self.text, message, batch);
        }
        message.blocks = self.blocks();
    }

    /// A result that says it, of a call that is named later.
    pub(crate) fn result(self, is_error: bool, place: &Place, batch: &Batch) -> ToolResult {
        let Preview { text, full_length } = batch.cut(&self.text);
        ToolResult {
            session_id: place.session_id.clone(),
            content: text,
            full_length,
            blocks: self.blocks(),
            is_error,
            span: Some(place.span),
            ..ToolResult::default()
        }
    }

    /// Its parts, where it is more than one text.
    fn blocks(self) -> Vec<Block> {
        if self.texts == 1 && self.blocks.len() == 1 { Vec::new() } else { self.blocks }
    }
}

/// An image in the log, or, where its media type says so, a file. `data` is its base64, or a `data:` URL, or an address.
pub(crate) fn image(media_type: Option<&str>, data: Option<&str>) -> Block {
    let data = data.unwrap_or_default();
    let (named, encoded) = match data.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
        Some((head, encoded)) => (head.split(';').next(), Some(encoded)),
        None => (None, Some(data)),
    };
    let media_type = media_type.or(named).map(Text::from);
    if media_type.as_ref().is_some_and(|media_type| !media_type.starts_with("image/")) {
        return Block::File { name: None, media_type };
    }
    let is_address = ["http://", "https://", "file:", "blob:"].iter().any(|scheme| data.starts_with(scheme));
    if is_address {
        return Block::Image { media_type, encoded_length: None, url: Some(Text::from(data)) };
    }
    let encoded_length = encoded.filter(|encoded| !encoded.is_empty()).map(|encoded| encoded.len() as u64);
    Block::Image { media_type, encoded_length, url: None }
}

/// A file that is named.
pub(crate) fn file(name: Option<Cow<'_, str>>, media_type: Option<Cow<'_, str>>) -> Block {
    Block::File {
        name: name.map(|name| Text::from(&*name)),
        media_type: media_type.map(|it| Text::from(&*it)),
    }
}
