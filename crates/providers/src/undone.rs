//! What a source took back, and what stands in its place.

use std::ops::Range;

use palimpsest_record::{Superseded, SupersededBy, Text, Timestamp, TranscriptRecord, Visibility};

use crate::Batch;

/// Ranges of records that were taken back.
#[derive(Debug, Default)]
pub(crate) struct TakenBack(Vec<Step>);

#[derive(Debug)]
struct Step {
    records: Range<usize>,
    how: SupersededBy,
    /// Where what stands instead begins.
    place: usize,
}

impl TakenBack {
    /// These records are superseded by what stands from record `place` on.
    pub(crate) fn add(&mut self, records: Range<usize>, how: SupersededBy, place: usize) {
        self.0.push(Step { records, how, place });
    }

    /// All is read: makes inactive what was taken back. In its place stands the first message behind it that is shown.
    pub(crate) fn settle(self, batch: &mut Batch) {
        for step in &self.0 {
            let reason = Superseded { how: step.how, at: None, by: None };
            for record in batch.records.get_mut(step.records.clone()).unwrap_or_default() {
                supersede(record, &reason);
            }
        }
        for step in self.0 {
            let Some((id, at)) = shown_behind(step.place, batch) else { continue };
            for record in batch.records.get_mut(step.records).unwrap_or_default() {
                let TranscriptRecord::Message(message) = record else { continue };
                if let Some(reason) = message.superseded.as_mut().filter(|reason| reason.by.is_none()) {
                    (reason.by, reason.at) = (Some(id.clone()), at);
                }
            }
        }
    }
}

/// The first message of the session's own from a record on that is shown.
fn shown_behind(first: usize, batch: &Batch) -> Option<(Text, Option<Timestamp>)> {
    batch.records.iter().skip(first).find_map(|record| match record {
        TranscriptRecord::Message(message)
            if message.visibility == Visibility::Visible && message.agent_id.is_none() =>
        {
            Some((message.id.clone(), message.timestamp))
        }
        _ => None,
    })
}

/// Makes a record inactive. What is hidden stays hidden, and the first reason stays.
pub(crate) fn supersede(record: &mut TranscriptRecord, reason: &Superseded) {
    match record {
        TranscriptRecord::Message(message) if message.visibility == Visibility::Visible => {
            message.visibility = Visibility::Inactive;
            message.superseded = Some(reason.clone());
        }
        TranscriptRecord::Summary(summary) if summary.visibility == Visibility::Visible => {
            summary.visibility = Visibility::Inactive;
        }
        _ => {}
    }
}
