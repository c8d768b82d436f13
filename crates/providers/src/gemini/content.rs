//! A content → its text, its blocks, its calls and results.

use palimpsest_record::escape::unescape;
use palimpsest_record::{Block, Preview, Text};
use serde_json::value::RawValue;

use super::shapes::{Answer, Data, Part};
use crate::Batch;
use crate::json::{inside, objects};

/// What a content says.
#[derive(Debug, Default)]
pub(super) struct Said<'a> {
    /// Its texts, joined by line feeds.
    pub(super) text: String,
    /// Thoughts among them.
    pub(super) thoughts: String,
    /// All its texts, images and files, where it is more than one text.
    pub(super) blocks: Vec<Block>,
    /// The other parts.
    pub(super) calls: Vec<super::shapes::Call<'a>>,
    pub(super) answers: Vec<Answer<'a>>,
}

impl Said<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.blocks.is_empty()
    }
}

/// Reads a content: a string or a list of parts.
pub(super) fn said<'a>(content: Option<&'a RawValue>, batch: &Batch) -> Said<'a> {
    let Some(content) = content else { return Said::default() };
    if let Some(text) = inside(content) {
        return Said { text: unescape(text).into_owned(), ..Said::default() };
    }
    let mut said = Said::default();
    let mut texts = 0;
    for part in objects::<Part<'_>>(Some(content)) {
        if let Some(text) = part.text.text() {
            if *part.thought == Some(true) {
                push_line(&mut said.thoughts, text);
                continue;
            }
            push_line(&mut said.text, text);
            let Preview { text, full_length } = batch.cut(text);
            said.blocks.push(Block::Text { text, full_length });
            texts += 1;
        }
        said.blocks.extend(part.inline_data.0.iter().map(image));
        said.blocks.extend(part.file_data.0.iter().map(file));
        said.calls.extend(part.function_call.0);
        said.answers.extend(part.function_response.0);
    }
    if texts == 1 && said.blocks.len() == 1 {
        said.blocks.clear();
    }
    said
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn image(data: &Data<'_>) -> Block {
    let media_type = data.mime_type.text().map(Text::from);
    if media_type.as_ref().is_some_and(|media_type| !media_type.starts_with("image/")) {
        return Block::File { name: None, media_type };
    }
    // Its base64 stays in the log; the quotes around it are no part of it.
    let encoded_length = data.data.map(|data| data.get().len().saturating_sub(2) as u64);
    Block::Image { media_type, encoded_length, url: None }
}

fn file(data: &Data<'_>) -> Block {
    Block::File {
        name: data.file_uri.text().map(Text::from),
        media_type: data.mime_type.text().map(Text::from),
    }
}

/// The words of a result, and whether it is a failure.
pub(super) fn words(answer: &Answer<'_>) -> Option<(String, bool)> {
    let response = answer.response.0.as_ref()?;
    let (value, failed) = match (response.output, response.error) {
        (Some(output), _) => (output, false),
        (None, Some(error)) => (error, true),
        (None, None) => return None,
    };
    // What is no text is shown as it stands.
    let words = inside(value).map_or_else(|| value.get().to_owned(), |text| unescape(text).into_owned());
    Some((words, failed))
}
