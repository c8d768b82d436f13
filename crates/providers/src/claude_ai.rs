//! The export of Claude.ai: a list of conversations, each a document of its own (2024 to 2026).

use std::collections::{BTreeMap, HashSet};

use palimpsest_record::{Block, MessageType, Text, TranscriptRecord};
use serde_json::value::RawValue;

use crate::anthropic::parts;
use crate::batch::Document;
use crate::notes::{Notes, last};
use crate::parts::{Part, Voice, tell};
use crate::said::file;
use crate::writing::Writer;
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

/// Claude.ai.
pub(crate) struct ClaudeAi;

impl Provider for ClaudeAi {
    fn id(&self) -> &'static str {
        "claude-ai"
    }

    fn label(&self) -> &'static str {
        "Claude.ai"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        if object.has("chat_messages") && object.has("uuid") { Claim::Document } else { Claim::No }
    }

    fn claims_list(&self, first: &Object<'_>) -> Claim {
        if self.claims(first) == Claim::Document { Claim::Logs } else { Claim::No }
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        FileKey::main(head.first().and_then(|conversation| conversation.words("uuid")).map(String::from))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ClaudeAiReader { notes: Notes::new(self.id()), children: Vec::new() })
    }
}

/// Reads a conversation.
struct ClaudeAiReader {
    notes: Notes,
    children: Vec<Child>,
}

/// A message that names the one before it.
struct Child {
    parent: Text,
    id: Text,
    is_prompt: bool,
}

impl Reader for ClaudeAiReader {
    /// A message of the conversation.
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let message: Object<'_> = serde_json::from_str(line.text)?;
        let sender = message.words("sender").unwrap_or_default();
        let id = message.words("uuid");
        let place = self.notes.place(id.as_deref(), message.instant("created_at"), line);
        let mut to = Writer::new(batch, *line, 0, place);
        let voice = match &*sender {
            "human" => Voice::user(),
            "assistant" => Voice { who: MessageType::Assistant, ..Voice::default() },
            "" => return Ok(to.batch.ledger.unknown(&["malformed"])),
            other => return Ok(to.batch.ledger.unknown(&[other])),
        };
        // The text is that of the contents again; old exports have nothing else.
        let mut said = parts(message.value("content"), to.batch);
        said.retain(|part| !matches!(part, Part::Block(Block::Unknown { name }) if *name == *"token_budget"));
        if !said.iter().any(has_words) {
            said.extend(message.str("text").map(Part::Text));
        }
        for attachment in message.objects("attachments") {
            said.push(Part::Block(file(attachment.words("file_name"), attachment.words("file_type"))));
            said.extend(attachment.words("extracted_content").map(Part::Text));
        }
        for attached in message.objects("files") {
            said.push(Part::Block(file(attached.words("file_name"), None)));
        }
        if let (Some(id), Some(parent)) = (id, message.words("parent_message_uuid")) {
            let child =
                Child { parent: Text::from(&*parent), id: Text::from(&*id), is_prompt: sender == "human" };
            self.children.push(child);
        }
        let is_shown = tell(said, voice, &mut self.notes.calls, &mut to);
        Ok(if is_shown { Outcome::Read } else { to.batch.ledger.not_shown(&[&sender]) })
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let head = document.line(whole, 1, batch);
        let conversation = Object::parse(whole.get()).unwrap_or_default();
        self.notes.name(conversation.words("uuid").as_deref());
        last(&mut self.notes.head.title, conversation.words("name"));
        batch.ledger.settle(head.entry, Outcome::Read);
        document
            .read_each(conversation.list("chat_messages"), 2, batch, |line, batch| self.line(line, batch));
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.mark_branches(batch);
        self.notes.finish(false, batch);
    }
}

impl ClaudeAiReader {
    /// Where a prompt was edited, the conversation forks, and the export does not say which way is current.
    fn mark_branches(&self, batch: &mut Batch) {
        let mut branches: BTreeMap<&Text, Vec<Text>> = BTreeMap::new();
        for child in self.children.iter().filter(|child| child.is_prompt) {
            branches.entry(&child.parent).or_default().push(child.id.clone());
        }
        branches.retain(|_, ids| ids.len() > 1);
        let shown: HashSet<Text> = batch.records.iter().filter_map(message_id).cloned().collect();
        for record in &mut batch.records {
            if let TranscriptRecord::Message(message) = record
                && let Some(mut ids) = branches.remove(&message.id)
            {
                ids.retain(|id| shown.contains(id));
                message.branches = ids;
            }
        }
    }
}

fn message_id(record: &TranscriptRecord) -> Option<&Text> {
    match record {
        TranscriptRecord::Message(message) => Some(&message.id),
        _ => None,
    }
}

fn has_words(part: &Part<'_>) -> bool {
    matches!(part, Part::Text(text) if !text.trim().is_empty())
}
