//! The export of ChatGPT: a list of conversations, each a tree of messages in a document of its own (2023 to 2026).
//!
//! - [`content`]: a message → what it says
//! - [`tree`]: the order of the messages, and which of them the conversation left

use std::borrow::Cow;

use palimpsest_record::{MessageType, SupersededBy, Text};
use serde_json::value::RawValue;

use self::content::{Told, told};
use self::tree::Tree;
use crate::batch::Document;
use crate::notes::{Notes, first, last};
use crate::parts::{Part, tell};
use crate::writing::Writer;
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

mod content;
mod tree;

/// ChatGPT.
pub(crate) struct ChatGpt;

impl Provider for ChatGpt {
    fn id(&self) -> &'static str {
        "chatgpt"
    }

    fn label(&self) -> &'static str {
        "ChatGPT"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        if object.object("mapping").is_some() && object.has("current_node") {
            Claim::Document
        } else {
            Claim::No
        }
    }

    fn claims_list(&self, first: &Object<'_>) -> Claim {
        if self.claims(first) == Claim::Document { Claim::Logs } else { Claim::No }
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        FileKey::main(head.first().and_then(id_of).map(String::from))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ChatGptReader { notes: Notes::new(self.id()), tree: Tree::default(), current: None })
    }
}

fn id_of<'a>(conversation: &Object<'a>) -> Option<Cow<'a, str>> {
    conversation.words("conversation_id").or_else(|| conversation.words("id"))
}

/// Reads a conversation.
struct ChatGptReader {
    notes: Notes,
    tree: Tree,
    /// The node where the conversation stands.
    current: Option<Text>,
}

impl Reader for ChatGptReader {
    /// A node of the tree.
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let node: Object<'_> = serde_json::from_str(line.text)?;
        let is_node = self.tree.add(&node, line);
        Ok(if is_node { Outcome::Merged } else { batch.ledger.unknown(&["malformed"]) })
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let head = document.line(whole, 1, batch);
        let conversation = Object::parse(whole.get()).unwrap_or_default();
        self.notes.name(id_of(&conversation).as_deref());
        last(&mut self.notes.head.title, conversation.words("title"));
        last(&mut self.notes.head.model, conversation.words("default_model_slug"));
        self.notes.head.started_at = conversation.seconds("create_time");
        self.current = conversation.words("current_node").map(|id| Text::from(&*id));
        batch.ledger.settle(head.entry, Outcome::Read);
        let mapping = conversation.object("mapping").unwrap_or_default();
        let (said, empty): (Vec<&RawValue>, Vec<&RawValue>) = mapping
            .entries()
            .map(|(_, node)| node)
            .partition(|node| Object::parse(node.get()).is_none_or(|node| node.object("message").is_some()));
        document.read_each(said, 2, batch, |line, batch| self.line(line, batch));
        // The root says nothing, but all hang on it.
        for node in empty.into_iter().filter_map(|node| Object::parse(node.get())) {
            self.tree.add(&node, &head);
        }
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        let tree = std::mem::take(&mut self.tree);
        let path = self.current.as_ref().and_then(|current| tree.path(current));
        let mut seq = 0;
        for at in tree.order() {
            let Some(node) = tree.get(at).filter(|node| !node.json.is_empty()) else { continue };
            let start = batch.records.len();
            let line = Line { text: &node.json, span: node.span, entry: node.entry };
            let outcome = self.node(&line, &mut seq, batch);
            batch.ledger.settle(node.entry, outcome);
            if path.as_ref().is_some_and(|path| !path.contains(&at)) {
                self.notes.taken_back.add(
                    start..batch.records.len(),
                    SupersededBy::LeftBranch,
                    batch.records.len(),
                );
            }
        }
        self.notes.finish(path.is_some(), batch);
    }
}

impl ChatGptReader {
    fn node(&mut self, line: &Line<'_>, seq: &mut u64, batch: &mut Batch) -> Outcome {
        const RECORDS: u64 = 1 << 12;
        let node = Object::parse(line.text).unwrap_or_default();
        let message = node.object("message").unwrap_or_default();
        let id = message.words("id").or_else(|| node.words("id"));
        let mut place = self.notes.place(id.as_deref(), message.seconds("create_time"), line);
        *seq += RECORDS;
        place.seq = *seq;
        let mut to = Writer::new(batch, *line, 0, place);
        let metadata = message.object("metadata").unwrap_or_default();
        let model = metadata.words("model_slug").map(|model| Text::from(&*model));
        first(&mut self.notes.head.model, model.as_deref());
        let role = message.object("author").and_then(|author| author.str("role")).unwrap_or_default();
        let content = message.object("content").unwrap_or_default();
        let kind = content.str("content_type").unwrap_or_default();
        match told(&message, model, to.batch) {
            Told::Says(said, voice) => {
                let has_results = said.iter().any(|part| matches!(part, Part::Result { .. }));
                match (tell(said, voice, &mut self.notes.calls, &mut to), has_results) {
                    (true, _) => Outcome::Read,
                    (false, true) => Outcome::Merged,
                    (false, false) => to.batch.ledger.not_shown(&[&role, &kind]),
                }
            }
            Told::Failure(text) => {
                to.failure(&text);
                Outcome::Read
            }
            Told::Hidden(text) => {
                if !text.trim().is_empty() {
                    to.hidden(MessageType::System, &text);
                }
                to.batch.ledger.not_shown(&[&role, &kind])
            }
            Told::Unknown => to.batch.ledger.unknown(&[&role, &kind]),
        }
    }
}
