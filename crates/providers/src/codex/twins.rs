//! The two streams of a log that say the same.
//!
//! What the model has (response items) and what a person was shown (events, or completed items) are
//! both logged, one line beside the other. A response item is what counts; an event is shown only
//! where no equal item is in its turn. Each line pairs with at most one, so that what was said twice
//! is shown twice. An event is shown at once, and its record taken over when its item comes: the page
//! shows a log that is still being read.

use std::collections::VecDeque;

use palimpsest_record::{Message, TranscriptRecord};

use crate::{Batch, EntryId};

/// Most unpaired lines remembered of each stream. Twins are neighbours in every real log.
const MAX_LONE: usize = 32;

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// The agent's text, or a plan that it proposed.
    Answer,
    /// The agent's thought.
    Thought,
}

/// A line whose twin has not come.
struct Lone {
    voice: Voice,
    record: usize,
    entry: EntryId,
}

/// The unpaired lines of the current turn, but for prompts.
#[derive(Default)]
pub(super) struct Twins {
    events: VecDeque<Lone>,
    items: VecDeque<Lone>,
}

impl Twins {
    /// Takes the event that says `text`: its record, and its line.
    pub(super) fn take_event(&mut self, voice: Voice, text: &str, batch: &Batch) -> Option<(usize, EntryId)> {
        take(&mut self.events, voice, text, batch)
    }

    /// Takes the item that says `text`.
    pub(super) fn take_item(&mut self, voice: Voice, text: &str, batch: &Batch) -> Option<usize> {
        take(&mut self.items, voice, text, batch).map(|found| found.0)
    }

    /// An event without an item so far.
    pub(super) fn lone_event(&mut self, voice: Voice, record: usize, entry: EntryId) {
        add(&mut self.events, Lone { voice, record, entry });
    }

    /// An item without an event so far.
    pub(super) fn lone_item(&mut self, voice: Voice, record: usize, entry: EntryId) {
        add(&mut self.items, Lone { voice, record, entry });
    }

    /// Another turn begins.
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.items.clear();
    }
}

fn add(lone: &mut VecDeque<Lone>, line: Lone) {
    if lone.len() == MAX_LONE {
        lone.pop_front();
    }
    lone.push_back(line);
}

fn take(lone: &mut VecDeque<Lone>, voice: Voice, text: &str, batch: &Batch) -> Option<(usize, EntryId)> {
    let at = lone.iter().position(|line| {
        line.voice == voice
            && matches!(batch.records.get(line.record),
                Some(TranscriptRecord::Message(message)) if says(message, text))
    })?;
    lone.remove(at).map(|line| (line.record, line.entry))
}

/// Whether a message says `text`, white space around it aside.
fn says(message: &Message, text: &str) -> bool {
    let own = message.text.as_deref().unwrap_or_default();
    match message.full_length {
        None => own.trim() == text.trim(),
        Some(length) => length == text.len() as u64 && text.starts_with(own),
    }
}
