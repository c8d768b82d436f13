//! The virtual list without a browser: which rows are drawn, where, and what to ask for.
//!
//! It is told what happened (a new outline, a scrolled bar, measured rows, bodies that came) and
//! then says what the document should look like. One promise runs through it: whatever becomes
//! known of rows that are not being read, the row that is being read stays where it is.

pub mod frame;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use palimpsest_protocol::{Outline, Row, RowHint};

use super::bodies::Bodies;
use super::estimate::estimate;
use super::heights::Heights;
use super::track::{Position, Track};
use frame::Slot;

/// How far beyond the viewport bodies are at hand, in viewports.
const KNOWN_BEYOND: f64 = 2.0;
/// Most rows whose bodies are wanted at once.
const MOST_KNOWN: usize = 200;

/// How far down the viewport people read, as a part of its height.
const EYE: f64 = 0.33;
/// A row that is gone to begins so many pixels below the viewport's top.
const BELOW_TOP: f64 = 12.0;

/// The list's state.
#[derive(Debug, Default)]
pub struct Model {
    outline: Arc<Outline>,
    heights: Heights,
    /// Heights that were measured at the current width, by key.
    measured: HashMap<u64, f64>,
    bodies: Bodies,
    viewport: Viewport,
    position: Position,
    held: Held,
    /// The row that has the focus, by key: it stays in the document wherever the reader goes.
    focus: Option<u64>,
    /// What is drawn.
    drawn: Vec<Slot>,
}

/// The viewport in CSS pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Viewport {
    /// Width of the column of rows.
    pub width: f64,
    /// Height of what can be seen.
    pub height: f64,
}

/// What stays in place when heights change.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Held {
    /// The row that is being read.
    #[default]
    Read,
    /// A row that was gone to, at the viewport's top.
    Row(usize),
    /// The end.
    End,
}

impl Model {
    /// The view that is drawn.
    pub fn outline(&self) -> &Arc<Outline> {
        &self.outline
    }

    /// Takes a new view. What is read stays in place, in the new view too; where it is gone, what
    /// came next.
    pub fn take(&mut self, outline: Arc<Outline>) {
        let (row, inset) = match self.held {
            Held::Row(row) => (row, -BELOW_TOP),
            Held::Read | Held::End => {
                let row = self.read_row(&[]);
                (row, self.position.offset - self.heights.top(row))
            }
        };
        let old = std::mem::replace(&mut self.outline, outline);
        self.rebuild();
        let row = successor(&old.rows, &self.outline.rows, row);
        if let Held::Row(held) = &mut self.held {
            *held = row;
        }
        if self.held == Held::End {
            self.position.offset = self.track().last_offset();
        } else {
            self.position.offset = self.heights.top(row) + inset.min(self.heights.get(row));
        }
        self.position.settle(&self.track());
    }

    /// The viewport has this size now.
    pub fn resize(&mut self, viewport: Viewport) {
        let old = std::mem::replace(&mut self.viewport, viewport);
        if old.width == viewport.width {
            return self.position.settle(&self.track());
        }
        let row = self.top_row();
        let inset = self.position.offset - self.heights.top(row);
        let part = inset.max(0.0) / self.heights.get(row).max(1.0);
        self.measured.clear();
        self.rebuild();
        self.position.offset = match self.held {
            Held::Read => self.heights.top(row) + inset.min(part * self.heights.get(row)),
            Held::Row(row) => self.heights.top(row) - BELOW_TOP,
            Held::End => self.track().last_offset(),
        };
        self.position.settle(&self.track());
    }

    /// The scroll bar has moved.
    pub fn scrolled(&mut self, scroll: f64) {
        let track = self.track();
        if self.position.scrolled(&track, scroll) {
            self.held = Held::Read;
        }
        if self.position.is_urgent(&track) {
            self.position.settle(&track);
        }
    }

    /// The person has stopped scrolling.
    pub fn rested(&mut self) {
        self.position.settle(&self.track());
    }

    /// Rows with a body have these heights.
    pub fn measure(&mut self, heights: &[(u64, f64)]) {
        let mut changes = Vec::with_capacity(heights.len());
        for &(key, height) in heights {
            let Some(slot) = self.drawn.iter().find(|slot| slot.key == key) else { continue };
            let is_new = self.measured.insert(key, height).is_none();
            if is_new || (self.heights.get(slot.row) - height).abs() >= 1.0 / 64.0 {
                changes.push((slot.row, height, is_new));
            }
        }
        if changes.is_empty() {
            return;
        }
        let row = self.read_row(&changes);
        let inset = self.position.offset - self.heights.top(row);
        for &(row, height, _) in &changes {
            self.heights.set(row, height);
        }
        self.position.offset = match self.held {
            Held::Read => self.heights.top(row) + inset,
            Held::Row(row) => self.heights.top(row) - BELOW_TOP,
            Held::End => f64::INFINITY,
        };
        let track = self.track();
        self.position.offset = self.position.offset.clamp(0.0, track.last_offset());
        if self.held != Held::Read || self.position.is_urgent(&track) {
            self.position.settle(&track);
        }
    }

    /// Bodies of a view have come, which may no longer be the current one.
    pub fn insert(&mut self, view: u32, rows: Vec<Row>) {
        self.bodies.insert(view, rows);
    }

    /// Goes to a row and keeps it at the viewport's top until the person scrolls.
    pub fn go_to(&mut self, row: usize) {
        self.held = Held::Row(row);
        self.position.offset = self.heights.top(row) - BELOW_TOP;
        self.position.settle(&self.track());
    }

    /// The person has turned to the rows themselves: what is read stays in place from now on.
    pub fn touched(&mut self) {
        self.held = Held::Read;
    }

    /// Goes to the end and stays there until the person scrolls.
    pub fn go_to_end(&mut self) {
        self.held = Held::End;
        self.position.offset = self.track().last_offset();
        self.position.settle(&self.track());
    }

    /// Which row has the focus.
    pub fn focus(&mut self, key: Option<u64>) {
        self.focus = key;
    }

    /// The row that has the focus, by key.
    pub fn focused(&self) -> Option<u64> {
        self.focus
    }

    /// Whether a part of a row is in sight.
    pub fn is_partly_in_sight(&self, row: usize) -> bool {
        self.rows_within(0.0, usize::MAX).contains(&row)
    }

    /// Whether a row is wholly in sight.
    pub fn is_in_sight(&self, row: usize) -> bool {
        let from = self.position.offset;
        self.heights.top(row) >= from && self.heights.bottom(row) <= from + self.viewport.height
    }

    /// The row at the viewport's top, where a row that was gone to begins.
    pub fn top_row(&self) -> usize {
        self.heights.row_at(self.position.offset + BELOW_TOP)
    }

    /// The number of the row with this key; it looks near `guess` first.
    pub fn row_of(&self, key: u64, guess: usize) -> Option<usize> {
        let rows = &self.outline.rows;
        if rows.get(guess).is_some_and(|hint| hint.key == key) {
            return Some(guess);
        }
        rows.iter().position(|hint| hint.key == key)
    }

    /// The body of a row, where it is at hand.
    pub fn body(&self, key: u64) -> Option<&Row> {
        self.bodies.peek(key)
    }

    /// Which rows to ask for next.
    pub fn wanted(&self) -> Option<Range<usize>> {
        let seen = self.rows_within(0.0, MOST_KNOWN);
        let near = self.rows_within(KNOWN_BEYOND * self.viewport.height, MOST_KNOWN);
        self.bodies.missing(self.outline.view, &self.outline.rows, seen, near)
    }

    /// The rows that are in the viewport or within `beyond` pixels of it, at most `most` of them.
    fn rows_within(&self, beyond: f64, most: usize) -> Range<usize> {
        if self.heights.len() == 0 {
            return 0..0;
        }
        let from = self.position.offset;
        let to = from + self.viewport.height;
        let first_seen = self.heights.row_at(from);
        let last_seen = self.heights.row_at(to).max(first_seen);
        let spare = most.saturating_sub(last_seen + 1 - first_seen);
        let first = self.heights.row_at(from - beyond).max(first_seen.saturating_sub(spare / 2));
        let last = self.heights.row_at(to + beyond).min(last_seen + spare.div_ceil(2));
        first..last + 1
    }

    /// The row that is being read, while `changes` come in: it is what stays in place.
    ///
    /// Where a row in sight has changed that was known before, a fold in it was opened or closed:
    /// that shows below the place of the click, so the first row in sight stays. Else the rows that
    /// change have only just been drawn and were not read yet: what stays is the row in the eye, or
    /// the one next to it that was there already.
    fn read_row(&self, changes: &[(usize, f64, bool)]) -> usize {
        let seen = self.rows_within(0.0, usize::MAX);
        let is_new = |row: usize| changes.iter().any(|&(changed, _, is_new)| changed == row && is_new);
        let is_known = |row: &usize| {
            let hint = self.outline.rows.get(*row);
            !is_new(*row) && hint.is_some_and(|hint| self.measured.contains_key(&hint.key))
        };
        let is_folded = changes.iter().any(|&(row, _, is_new)| !is_new && seen.contains(&row));
        if is_folded {
            return seen.clone().find(is_known).unwrap_or(seen.start);
        }
        let eye = self.heights.row_at(self.position.offset + self.viewport.height * EYE);
        seen.filter(is_known).min_by_key(|row| row.abs_diff(eye)).unwrap_or(eye)
    }

    fn track(&self) -> Track {
        Track::new(self.heights.total(), self.viewport.height)
    }

    fn rebuild(&mut self) {
        let (width, measured) = (self.viewport.width, &self.measured);
        let height_of =
            |hint: &RowHint| measured.get(&hint.key).copied().unwrap_or_else(|| estimate(hint.height, width));
        self.heights = Heights::new(self.outline.rows.iter().map(height_of));
    }
}

/// Where `row` of the old rows is among the new ones: itself, or else the next that is left, or
/// else the last.
fn successor(old: &[RowHint], new: &[RowHint], row: usize) -> usize {
    let key_at = |rows: &[RowHint], row: usize| rows.get(row).map(|hint| hint.key);
    let Some(key) = key_at(old, row) else { return 0 };
    if key_at(new, row) == Some(key) {
        return row;
    }
    let places: HashMap<u64, usize> = new.iter().enumerate().map(|(row, hint)| (hint.key, row)).collect();
    let from_here = old.get(row..).unwrap_or_default().iter();
    from_here
        .filter_map(|hint| places.get(&hint.key).copied())
        .next()
        .unwrap_or_else(|| new.len().saturating_sub(1))
}
