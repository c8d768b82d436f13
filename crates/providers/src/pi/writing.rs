//! Where the records of an entry stand, and what they have in common.

use palimpsest_record::{ContentType, Message, MessageType, Span, Text, Timestamp, ToolResult};

use crate::{Batch, Line};

/// The place of an entry's records.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The entry's id; its first message has it.
    pub(super) id: Text,
    pub(super) session_id: Text,
    pub(super) source: Text,
    /// The message before it in the tree.
    pub(super) parent_id: Option<Text>,
    pub(super) seq: u64,
    pub(super) at: Option<Timestamp>,
    pub(super) span: Span,
}

impl Place {
    /// A message at this place.
    pub(super) fn message(&self, message_type: MessageType, content_type: ContentType) -> Message {
        Message {
            id: self.id.clone(),
            session_id: self.session_id.clone(),
            message_type,
            content_type,
            parent_id: self.parent_id.clone(),
            seq: self.seq,
            timestamp: self.at,
            span: Some(self.span),
            source: self.source.clone(),
            ..Message::default()
        }
    }

    /// A message that shows a result which is no call's. The result names it as its carrier.
    pub(super) fn alone(&self, result: &mut ToolResult) -> Message {
        result.message_id = Some(self.id.clone());
        Message {
            text: Some(result.content.clone()),
            full_length: result.full_length,
            is_error: result.is_error,
            ..self.message(MessageType::System, ContentType::ToolResult)
        }
    }
}

/// Writes the records of one entry, its messages each behind the other.
pub(super) struct Writer<'a> {
    pub(super) batch: &'a mut Batch,
    pub(super) line: Line<'a>,
    /// The entry's node in the tree.
    pub(super) node: usize,
    /// The entry's own place: that of its first message.
    pub(super) place: Place,
    /// The last message written.
    last: Option<Text>,
    written: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(batch: &'a mut Batch, line: Line<'a>, node: usize, place: Place) -> Writer<'a> {
        Writer { batch, line, node, place, last: None, written: 0 }
    }

    /// How many messages the entry has so far.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Adds a message and gives its id. `fill` gets it with all that its place
    /// says; the first has the entry's id, the others a number behind it.
    pub(super) fn message(
        &mut self,
        message_type: MessageType,
        content_type: ContentType,
        fill: impl FnOnce(&mut Message, &Batch),
    ) -> Text {
        let mut message = self.place.message(message_type, content_type);
        if let Some(last) = self.last.take() {
            message.id = Text::from(format!("{}#{}", self.place.id, self.written));
            message.parent_id = Some(last);
            message.seq = self.line.seq(self.written);
        }
        let id = message.id.clone();
        self.last = Some(id.clone());
        self.written += 1;
        fill(&mut message, self.batch);
        self.batch.push(message);
        id
    }
}
