//! Writes the records of one line: ids, places, and what all of them have in common.

use std::ops::Range;

use palimpsest_record::{
    ContentType, Json, Message, MessageType, Summary, Text, Timestamp, TranscriptRecord, Visibility,
};
use serde_json::value::RawValue;

use super::threads::ThreadId;
use super::words::{Shortened, Words};
use crate::{Batch, Line, Outcome};

/// What all records of a line have in common.
#[derive(Debug, Clone)]
pub(super) struct Stamp {
    /// The line's uuid, or its place where it has none.
    pub(super) id: Text,
    /// The provider's id.
    pub(super) source: Text,
    pub(super) session_id: Text,
    pub(super) thread: ThreadId,
    pub(super) agent_id: Option<Text>,
    pub(super) is_sidechain: bool,
    pub(super) timestamp: Option<Timestamp>,
    /// Where it differs from the session's.
    pub(super) cwd: Option<Text>,
    /// The message before it.
    pub(super) parent: Option<Text>,
    /// It is relayed in another conversation's line.
    pub(super) relayed: bool,
    /// Records of an earlier line of the same uuid: what they say is not said again.
    pub(super) known: Range<usize>,
}

/// The records of one line.
pub(super) struct Writer<'w> {
    pub(super) batch: &'w mut Batch,
    pub(super) line: &'w Line<'w>,
    /// The part of the line that is read, where it was shortened.
    pub(super) shortened: Option<&'w Shortened>,
    pub(super) stamp: Stamp,
    /// Indices of the line's records so far.
    start: usize,
    /// Record of the last message shown, of this line or an earlier one that it repeats.
    pub(super) tail: Option<usize>,
    /// Something joined an earlier record.
    pub(super) merged: bool,
    /// Something shows.
    shown: bool,
    messages: usize,
}

impl<'w> Writer<'w> {
    pub(super) fn new(batch: &'w mut Batch, line: &'w Line<'w>, stamp: Stamp) -> Writer<'w> {
        let start = batch.records.len();
        Writer {
            batch,
            line,
            shortened: None,
            stamp,
            start,
            tail: None,
            merged: false,
            shown: false,
            messages: 0,
        }
    }

    /// A message of this line. Its id and its parent come when it is said.
    pub(super) fn message(
        &self,
        block: usize,
        message_type: MessageType,
        content_type: ContentType,
    ) -> Message {
        let Stamp { session_id, source, agent_id, is_sidechain, timestamp, cwd, .. } = &self.stamp;
        Message {
            session_id: session_id.clone(),
            message_type,
            seq: self.line.seq(block),
            timestamp: *timestamp,
            content_type,
            is_sidechain: *is_sidechain,
            agent_id: agent_id.clone(),
            cwd: cwd.clone(),
            span: Some(self.line.span),
            source: source.clone(),
            ..Message::default()
        }
    }

    /// A message with a text.
    pub(super) fn text(
        &self,
        block: usize,
        message_type: MessageType,
        content_type: ContentType,
        text: &Words<'_>,
    ) -> Message {
        let preview = text.preview(self.batch.options.preview_limit);
        let message = self.message(block, message_type, content_type);
        Message { text: Some(preview.text), full_length: preview.full_length, ..message }
    }

    /// What the product says between the two: a card that starts folded.
    pub(super) fn notice(&self, block: usize, text: &str) -> Message {
        Message { is_meta: true, ..self.text(block, MessageType::System, ContentType::Text, &text.into()) }
    }

    /// Adds a message and says where it is, unless an earlier copy of the line said the same.
    pub(super) fn say(&mut self, block: usize, message: Message) -> Option<usize> {
        if self.is_known(&message) {
            self.merged = true;
            return None;
        }
        let id = match self.messages {
            0 => self.stamp.id.clone(),
            _ => Text::from(format!("{}#{block}", self.stamp.id)),
        };
        let shown = message.visibility != Visibility::Hidden;
        let parent_id = self.stamp.parent.clone();
        if shown {
            self.stamp.parent = Some(id.clone());
        }
        let at = self.batch.push(Message { id, parent_id, ..message });
        self.messages += 1;
        if shown {
            self.shown = true;
            self.tail = Some(at);
        }
        Some(at)
    }

    fn is_known(&self, new: &Message) -> bool {
        const COMPARED: usize = 64;
        let known = self.batch.records.get(self.stamp.known.clone()).unwrap_or_default();
        known.iter().take(COMPARED).any(|record| match record {
            TranscriptRecord::Message(known) => {
                known.content_type == new.content_type
                    && known.text == new.text
                    && known.full_length == new.full_length
                    && known.blocks == new.blocks
            }
            _ => false,
        })
    }

    /// A tool's input by the preview rule, and the length it had where something was cut.
    pub(super) fn input(&self, raw: &RawValue) -> (Json, Option<u64>) {
        let (input, full_length) = self.batch.cut_input(raw);
        match self.shortened.map_or(0, |shortened| shortened.missing(raw.get())) {
            0 => (input, full_length),
            missing => (input, Some((raw.get().len() + missing) as u64)),
        }
    }

    /// Adds a summary.
    pub(super) fn sum_up(&mut self, kind: &str, text: &Words<'_>) -> usize {
        let preview = text.preview(self.batch.options.preview_limit);
        self.shown = true;
        self.batch.push(Summary {
            id: self.stamp.id.clone(),
            session_id: self.stamp.session_id.clone(),
            agent_id: self.stamp.agent_id.clone(),
            seq: self.line.seq(0),
            timestamp: self.stamp.timestamp,
            summary_kind: Text::from(kind),
            content: preview.text,
            full_length: preview.full_length,
            span: Some(self.line.span),
            ..Summary::default()
        })
    }

    /// The id of a message.
    pub(super) fn message_id(&self, record: usize) -> Option<Text> {
        match self.batch.records.get(record) {
            Some(TranscriptRecord::Message(message)) => Some(message.id.clone()),
            _ => None,
        }
    }

    /// Indices of the line's records.
    pub(super) fn records(&self) -> Range<usize> {
        self.start..self.batch.records.len()
    }

    /// A result without a call is a record of its own.
    pub(super) fn stands_alone(&mut self) {
        self.shown = true;
    }

    /// What became of the line.
    pub(super) fn outcome<'n>(self, name: impl FnOnce() -> Vec<&'n str>) -> Outcome {
        match (self.shown, self.merged) {
            (true, _) => Outcome::Read,
            (false, true) => Outcome::Merged,
            (false, false) => self.batch.ledger.not_shown(&name()),
        }
    }
}
