//! Prompts that were typed while the agent worked.
//!
//! A queued prompt comes again as a user line or as an attachment, or goes back to the editor. One
//! for which none of this is logged was never sent: it is kept, hidden, because no other line holds it.

use palimpsest_record::{ContentType, Message, MessageType, TranscriptRecord, Visibility};

use super::agents::fingerprint;
use super::record::Record;
use super::writer::Writer;
use crate::Batch;

/// Most prompts that wait at once.
const WAITING: usize = 256;

/// What waits: the message that it becomes if it never goes on.
#[derive(Debug, Default)]
pub(super) struct Queue(Vec<(u64, Message)>);

impl Queue {
    /// Reads a line of the queue's bookkeeping.
    pub(super) fn operate(&mut self, record: &Record<'_>, out: &Writer<'_>) {
        match (record.operation.text(), record.content.text()) {
            (Some("enqueue"), Some(prompt)) if !prompt.trim().is_empty() && self.0.len() < WAITING => {
                let message = out.text(0, MessageType::User, ContentType::Text, &prompt.into());
                let id = out.stamp.id.clone();
                self.0.push((fingerprint(prompt), Message { id, visibility: Visibility::Hidden, ..message }));
            }
            (Some("popAll"), _) => self.0.clear(),
            _ => {}
        }
    }

    /// A text of a user line or attachment: it waits no longer.
    pub(super) fn delivered(&mut self, text: &str) {
        if self.0.is_empty() {
            return;
        }
        let print = fingerprint(text);
        if let Some(at) = self.0.iter().position(|waiting| waiting.0 == print) {
            self.0.remove(at);
        }
    }

    /// The log is at its end.
    pub(super) fn keep_unsent(&mut self, batch: &mut Batch) {
        batch.records.extend(self.0.drain(..).map(|waiting| TranscriptRecord::from(waiting.1)));
    }
}
