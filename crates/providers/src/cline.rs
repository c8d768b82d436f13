//! Cline and Roo Code: a task is a folder with two views of one conversation (2024 to 2026).
//!
//! - [`api`]: `api_conversation_history.json`, what the model is given; shown where it is there
//! - [`ui`]: `ui_messages.json`, what the screen showed: shown alone, else it says when, and with how many tokens

use palimpsest_record::TranscriptRecord;
use serde_json::value::RawValue;

use crate::batch::Document;
use crate::notes::Notes;
use crate::{Batch, Claim, FileKey, FileRole, Line, Object, Outcome, Provider, Reader};

mod api;
mod ui;

/// Cline and Roo Code.
pub(crate) struct Cline;

impl Provider for Cline {
    fn id(&self) -> &'static str {
        "cline"
    }

    fn label(&self) -> &'static str {
        "Cline and Roo Code"
    }

    fn claims(&self, _: &Object<'_>) -> Claim {
        Claim::No
    }

    fn claims_list(&self, first: &Object<'_>) -> Claim {
        if ui::is_event(first) || api::is_message(first) { Claim::Document } else { Claim::No }
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        // Neither names the task.
        let role = if head.first().is_some_and(ui::is_event) { FileRole::Piece } else { FileRole::Main };
        FileKey { role, ..FileKey::default() }
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ClineReader { notes: Notes::new(self.id()), events: ui::Events::default() })
    }
}

/// Reads the logs of one task.
struct ClineReader {
    notes: Notes,
    events: ui::Events,
}

impl Reader for ClineReader {
    /// A message, or an event of the screen.
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let object: Object<'_> = serde_json::from_str(line.text)?;
        if ui::is_event(&object) {
            self.events.keep(line);
            return Ok(Outcome::Merged);
        }
        Ok(api::message(&object, line, &mut self.notes, batch))
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let list: Vec<&RawValue> = serde_json::from_str(document.text)?;
        document.read_each(list, 1, batch, |line, batch| self.line(line, batch));
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        let is_told = batch.records.iter().any(|record| matches!(record, TranscriptRecord::Message(_)));
        let events = std::mem::take(&mut self.events);
        if is_told {
            events.annotate(&mut self.notes, batch);
        } else {
            events.tell(&mut self.notes, batch);
        }
        self.notes.finish(false, batch);
    }
}
