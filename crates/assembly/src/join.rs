//! Several texts as one, each with the length that it would have whole.

use palimpsest_record::{Block, Message, PREVIEW_LIMIT, Preview, Text};

/// A text, and its whole length in bytes where it is only a preview.
pub(crate) type Measured = (Option<Text>, Option<u64>);

/// The text of a message: its own, or that of its parts where it has only parts.
pub(crate) fn message_text(message: &Message) -> Measured {
    match &message.text {
        Some(text) if !text.is_empty() => (Some(text.clone()), message.full_length),
        _ => blocks_text(&message.blocks),
    }
}

/// Text parts joined by a line feed, cut as every text is.
pub(crate) fn blocks_text(blocks: &[Block]) -> Measured {
    let mut joined = Joined { limit: PREVIEW_LIMIT, ..Joined::new("\n") };
    for block in blocks {
        if let Block::Text { text, full_length } = block {
            joined.add(text, *full_length);
        }
    }
    joined.finish()
}

/// Texts of several messages joined by a blank line: whole, because no record holds more than a
/// preview, and nobody could look up the joined text again.
pub(crate) fn join_messages<'a>(messages: impl Iterator<Item = &'a Message>) -> Measured {
    let mut joined = Joined::new("\n\n");
    for message in messages {
        if let (Some(text), full_length) = message_text(message) {
            joined.add(&text, full_length);
        }
    }
    joined.finish()
}

struct Joined {
    separator: &'static str,
    limit: usize,
    /// The only text so far: shared, not copied, unless another comes.
    first: Option<Text>,
    all: String,
    length: u64,
    cut: bool,
}

impl Joined {
    fn new(separator: &'static str) -> Joined {
        Joined { separator, limit: usize::MAX, first: None, all: String::new(), length: 0, cut: false }
    }

    fn add(&mut self, text: &Text, full_length: Option<u64>) {
        self.cut |= full_length.is_some();
        self.length += full_length.unwrap_or(text.len() as u64);
        let Some(first) = &self.first else {
            self.first = Some(text.clone());
            return;
        };
        self.length += self.separator.len() as u64;
        if self.all.is_empty() {
            self.all.push_str(first);
        }
        // What is beyond the limit is measured, but never gathered.
        if self.all.len() <= self.limit {
            self.all.push_str(self.separator);
            self.all.push_str(text);
        }
    }

    fn finish(self) -> Measured {
        if self.all.is_empty() {
            let full_length = self.cut.then_some(self.length);
            return (self.first, full_length);
        }
        let preview = Preview::cut(&self.all, self.limit);
        let cut = self.cut || preview.full_length.is_some();
        (Some(preview.text), cut.then_some(self.length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_measured_and_cut() {
        let check = |parts: &[(&str, Option<u64>)], want: &str, full_length: Option<u64>| {
            let block = |&(text, full_length): &(&str, _)| Block::Text { text: text.into(), full_length };
            let blocks: Vec<Block> = parts.iter().map(block).collect();
            let (text, length) = blocks_text(&blocks);
            assert_eq!((text.unwrap_or_default().as_str(), length), (want, full_length));
        };
        check(&[], "", None);
        check(&[("a", None)], "a", None);
        check(&[("a", None), ("b", None)], "a\nb", None);
        check(&[("a", Some(70)), ("b", None)], "a\nb", Some(72));
        let long = "x".repeat(PREVIEW_LIMIT - 2);
        check(&[(&long, None), ("äöü", None)], &format!("{long}\n"), Some(PREVIEW_LIMIT as u64 + 5));
    }

    #[test]
    fn one_text_is_shared() {
        let text = Text::from("only");
        let message = Message { text: Some(text.clone()), ..Message::default() };
        let (joined, _) = join_messages([&message].into_iter());
        assert!(std::ptr::eq(joined.unwrap().as_str(), text.as_str()));
    }
}
