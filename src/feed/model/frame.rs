//! What the document should look like: the rows around the viewport, and of new bodies as many at
//! a time as a frame bears.

use std::ops::Range;
use std::sync::Arc;

use palimpsest_protocol::{Row, RowKind};

use super::Model;

/// Most articles in the document, when rows are tiny.
const MOST_DRAWN: usize = 90;
/// How far beyond the viewport rows are drawn, in viewports.
const DRAWN_BEYOND: f64 = 0.75;
/// How many pixels of new bodies go into the document in one frame: they cost their time by size.
const DRAWN_AT_ONCE: f64 = 1_800.0;

/// A row in the document.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its key.
    pub key: u64,
    /// Its number.
    pub row: usize,
    /// What it is.
    pub kind: RowKind,
    /// It is inactive.
    pub inactive: bool,
    /// Its body; a box of its probable height is drawn without.
    pub body: Option<Arc<Row>>,
    /// Its height as far as it is known.
    pub height: f64,
    /// Where it is in the track, for one that is not among its neighbours because it only stays
    /// for its focus.
    pub apart: Option<f64>,
}

/// What the document should look like.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The rows in order.
    pub slots: Vec<Slot>,
    /// Where the first of those that are not apart is, in the track.
    pub top: f64,
    /// Height of the track.
    pub track: f64,
    /// What the scroll bar should say.
    pub scroll: f64,
    /// Bodies are at hand that are to be drawn in the next frame.
    pub is_more: bool,
}

impl Model {
    /// What the document should look like.
    pub fn frame(&mut self) -> Frame {
        let window = self.rows_within(DRAWN_BEYOND * self.viewport.height, MOST_DRAWN);
        // The first bodies come in a moment: a flash of empty boxes before them would only unsettle.
        let window = if self.bodies.is_empty() { window.start..window.start } else { window };
        let seen = self.rows_within(0.0, MOST_DRAWN);
        let mut slots: Vec<Slot> = window.clone().filter_map(|row| self.slot(row)).collect();
        if let Some(slot) = self.slot_of_focus(&window) {
            let at = slots.partition_point(|other| other.row < slot.row);
            slots.insert(at, slot);
        }
        let is_more = self.fill(&mut slots, &seen);
        self.drawn = slots;
        Frame { is_more, ..self.layout() }
    }

    /// The same rows as in the last frame, where they belong by what is known now.
    pub fn layout(&mut self) -> Frame {
        let to_track = self.position.scroll - self.position.offset;
        let track = self.track().length();
        let first = self.drawn.iter().find(|slot| slot.apart.is_none()).map_or(0, |slot| slot.row);
        for slot in self.drawn.iter_mut().filter(|slot| slot.apart.is_some()) {
            // A scaled track may end before a row's true place: the row must not stretch it.
            let last = track - self.heights.get(slot.row);
            slot.apart = Some((self.heights.top(slot.row) + to_track).min(last));
        }
        Frame {
            slots: self.drawn.clone(),
            top: self.heights.top(first) + to_track,
            track,
            scroll: self.position.scroll,
            is_more: false,
        }
    }

    /// Gives the slots their bodies: those they have had, and of the new ones as many as a frame
    /// bears, those in sight first. Says whether some are left.
    fn fill(&mut self, slots: &mut [Slot], seen: &Range<usize>) -> bool {
        let mut fresh = Vec::new();
        for (at, slot) in slots.iter_mut().enumerate() {
            slot.body = self.drawn.iter().find(|old| old.key == slot.key).and_then(|old| old.body.clone());
            let at_hand = self.bodies.get(slot.key);
            let is_fresh = match (&slot.body, &at_hand) {
                (Some(drawn), Some(at_hand)) => !Arc::ptr_eq(drawn, at_hand),
                (None, at_hand) => at_hand.is_some(),
                (Some(_), None) => false,
            };
            if is_fresh {
                let distance = seen.start.saturating_sub(slot.row) + slot.row.saturating_sub(seen.end);
                fresh.push((distance, at, at_hand));
            }
        }
        fresh.sort_by_key(|&(distance, at, _)| (distance, at));
        let mut left = DRAWN_AT_ONCE;
        for (_, at, body) in fresh {
            if left <= 0.0 {
                return true;
            }
            if let Some(slot) = slots.get_mut(at) {
                left -= slot.height;
                slot.body = body;
            }
        }
        false
    }

    fn slot(&self, row: usize) -> Option<Slot> {
        let hint = self.outline.rows.get(row)?;
        let height = self.heights.get(row);
        Some(Slot {
            key: hint.key,
            row,
            kind: hint.kind,
            inactive: hint.inactive,
            body: None,
            height,
            apart: None,
        })
    }

    /// The slot of the row with the focus, where it is outside of the window.
    fn slot_of_focus(&self, window: &Range<usize>) -> Option<Slot> {
        let key = self.focus?;
        let guess = self.drawn.iter().find(|slot| slot.key == key).map_or(0, |slot| slot.row);
        let row = self.row_of(key, guess)?;
        if window.contains(&row) {
            return None;
        }
        Some(Slot { apart: Some(0.0), ..self.slot(row)? })
    }
}
