//! The events in their order: which message each leads to, and which of them a rewind took back.

use std::collections::HashMap;
use std::ops::Range;

use palimpsest_record::{Superseded, SupersededBy, Text, Timestamp, TranscriptRecord, Visibility};

use crate::Batch;
use crate::undone::supersede;

/// All events so far.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    events: Vec<Event>,
    /// The last event of each id.
    by_id: HashMap<Text, usize>,
    rewinds: Vec<Rewind>,
    /// Why what a rewind took back is superseded, for each of them; known at the end.
    reasons: Vec<Superseded>,
}

#[derive(Debug)]
struct Event {
    records: Range<usize>,
    /// The last message at or above it.
    message: Option<Text>,
    /// The rewind that took it back.
    rewind: Option<usize>,
}

#[derive(Debug)]
struct Rewind {
    at: Option<Timestamp>,
    /// How many events there were.
    place: usize,
}

impl Timeline {
    /// The next event's number.
    pub(super) fn next(&self) -> usize {
        self.events.len()
    }

    /// The last message at or above the event with this id.
    pub(super) fn message(&self, id: Option<&str>) -> Option<Text> {
        self.events.get(*self.by_id.get(id?)?)?.message.clone()
    }

    /// Adds an event whose records are those from `first` on.
    pub(super) fn add(&mut self, id: Option<&str>, parent: Option<&str>, first: usize, batch: &Batch) {
        let records = first..batch.records.len();
        let own = batch.records.get(records.clone()).unwrap_or_default().iter().rev();
        let own = own.filter_map(|record| match record {
            TranscriptRecord::Message(message) => Some(message.id.clone()),
            _ => None,
        });
        let message = own.into_iter().next().or_else(|| self.message(parent));
        if let Some(id) = id {
            self.by_id.insert(Text::from(id), self.events.len());
        }
        self.events.push(Event { records, message, rewind: None });
    }

    /// Takes back the named event and all behind it. Some versions name the last event that stays: then the
    /// number of events that go does not count it.
    pub(super) fn rewind(&mut self, to: &str, removed: Option<u64>, at: Option<Timestamp>) {
        let Some(&named) = self.by_id.get(to) else { return };
        let behind = self.events.len() - named - 1;
        let first = if removed == Some(behind as u64) { named + 1 } else { named };
        for event in self.events.iter_mut().skip(first) {
            event.rewind.get_or_insert(self.rewinds.len());
        }
        self.rewinds.push(Rewind { at, place: self.events.len() });
    }

    /// The log holds a rewind.
    pub(super) fn attests(&self) -> bool {
        !self.rewinds.is_empty()
    }

    /// Makes inactive what was taken back.
    pub(super) fn settle(&mut self, batch: &mut Batch) {
        let reason = |rewind: &Rewind| Superseded {
            how: SupersededBy::RolledBack,
            at: rewind.at,
            by: self.instead(rewind.place, batch),
        };
        self.reasons = self.rewinds.iter().map(reason).collect();
        for event in &self.events {
            let Some(reason) = event.rewind.and_then(|rewind| self.reasons.get(rewind)) else { continue };
            for record in batch.records.get_mut(event.records.clone()).unwrap_or_default() {
                supersede(record, reason);
            }
        }
    }

    /// Makes a record inactive that was written late, where its event was taken back.
    pub(super) fn settle_late(&self, event: usize, record: &mut TranscriptRecord) {
        let rewind = self.events.get(event).and_then(|event| event.rewind);
        if let Some(reason) = rewind.and_then(|rewind| self.reasons.get(rewind)) {
            supersede(record, reason);
        }
    }

    /// The first message of the session's own behind a rewind that was not taken back itself.
    fn instead(&self, place: usize, batch: &Batch) -> Option<Text> {
        let events = self.events.iter().skip(place).filter(|event| event.rewind.is_none());
        let mut records =
            events.flat_map(|event| batch.records.get(event.records.clone()).unwrap_or_default());
        records.find_map(|record| match record {
            TranscriptRecord::Message(message)
                if message.visibility == Visibility::Visible && message.agent_id.is_none() =>
            {
                Some(message.id.clone())
            }
            _ => None,
        })
    }
}
