//! Where the reader is in the list, and what that is on the scroll bar.
//!
//! Two places are kept apart: the *offset*, where the viewport begins in the list, and the
//! *scroll*, what the browser says of its bar. They differ in two cases. Above some ten million
//! pixels browsers clamp a box, so a longer list has a shorter track and its middle is scaled.
//! And where a row above the reader turns out taller than it was taken for, the offset changes at
//! once and the bar later, when the person has stopped: setting it amid a flick would stop the flick.

/// Longest track in CSS pixels. Firefox clamps at 17.9 million, Chromium on dense screens at 16.8.
const LONGEST: f64 = 10_000_000.0;

/// At both ends of a scaled track one pixel of the bar is one pixel of the list, so that the ends
/// can be reached by small steps. It is far more than a person scrolls without a pause.
const EVEN: f64 = 200_000.0;

/// A step of more than this many viewports is a jump: the thumb was dragged or a key sent it far.
const JUMP_VIEWPORTS: f64 = 4.0;

/// The list's length and the viewport's, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Track {
    list: f64,
    viewport: f64,
}

impl Track {
    /// The track of a list in a viewport.
    pub fn new(list: f64, viewport: f64) -> Track {
        Track { list, viewport }
    }

    /// Height of the box that is scrolled.
    pub fn length(&self) -> f64 {
        self.list.min(LONGEST)
    }

    /// The greatest offset.
    pub fn last_offset(&self) -> f64 {
        (self.list - self.viewport).max(0.0)
    }

    fn last_scroll(&self) -> f64 {
        (self.length() - self.viewport).max(0.0)
    }

    /// What the bar should say at an offset.
    pub fn scroll_of(&self, offset: f64) -> f64 {
        self.scaled(offset, self.last_offset(), self.last_scroll())
    }

    /// Which offset a place on the bar means by itself.
    pub fn offset_of(&self, scroll: f64) -> f64 {
        self.scaled(scroll, self.last_scroll(), self.last_offset())
    }

    /// A place on the way from 0 to `from_end`, on the way from 0 to `to_end`: even at both ends.
    fn scaled(&self, place: f64, from_end: f64, to_end: f64) -> f64 {
        if self.list <= LONGEST || place <= EVEN {
            return place.clamp(0.0, to_end);
        }
        let left = from_end - place;
        if left <= EVEN {
            return (to_end - left).min(to_end);
        }
        EVEN + (place - EVEN) * (to_end - 2.0 * EVEN) / (from_end - 2.0 * EVEN)
    }
}

/// Where the reader is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Position {
    /// Where the viewport begins in the list.
    pub offset: f64,
    /// What the bar says.
    pub scroll: f64,
}

impl Position {
    /// The bar has moved. Says whether the person did it, not we.
    pub fn scrolled(&mut self, track: &Track, scroll: f64) -> bool {
        let step = scroll - self.scroll;
        if step == 0.0 {
            return false;
        }
        self.scroll = scroll;
        let offset = if step.abs() > JUMP_VIEWPORTS * track.viewport {
            track.offset_of(scroll)
        } else {
            self.offset + step
        };
        self.offset = offset.clamp(0.0, track.last_offset());
        true
    }

    /// Whether the bar must be set before the person has stopped: it is at its end while the list
    /// is not, or it has gone so far astray that it soon will be.
    pub fn is_urgent(&self, track: &Track) -> bool {
        let astray = (self.scroll - track.scroll_of(self.offset)).abs();
        let near_end = self.scroll < track.viewport || self.scroll > track.last_scroll() - track.viewport;
        astray > EVEN / 2.0 || (near_end && astray >= 1.0)
    }

    /// Brings the bar to where it belongs; nothing on the screen moves.
    pub fn settle(&mut self, track: &Track) {
        self.offset = self.offset.clamp(0.0, track.last_offset());
        // A browser rounds what it is set to; a whole pixel it takes as it is.
        self.scroll = track.scroll_of(self.offset).round();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VIEWPORT: f64 = 800.0;

    #[test]
    fn a_short_list_is_not_scaled() {
        let track = Track::new(9_000_000.0, VIEWPORT);
        assert_eq!(track.length(), 9_000_000.0);
        assert_eq!(track.scroll_of(8_000_000.0), 8_000_000.0);
        assert_eq!(track.scroll_of(9_000_000.0), track.last_offset());
    }

    #[test]
    fn a_list_shorter_than_the_viewport_does_not_scroll() {
        let track = Track::new(300.0, VIEWPORT);
        assert_eq!((track.last_offset(), track.scroll_of(50.0), track.offset_of(50.0)), (0.0, 0.0, 0.0));
    }

    proptest! {
        #[test]
        fn both_ways_agree(list in 1.0..200_000_000.0_f64, part in 0.0..=1.0_f64) {
            let track = Track::new(list, VIEWPORT);
            let offset = track.last_offset() * part;
            let scroll = track.scroll_of(offset);
            prop_assert!(scroll >= 0.0 && scroll <= track.last_scroll() + 1e-6);
            prop_assert!((track.offset_of(scroll) - offset).abs() < 1e-3);
        }

        /// Small steps move the text exactly, whatever the scale, and the ends can be reached.
        #[test]
        fn small_steps_are_even(list in 1_000.0..200_000_000.0_f64, part in 0.0..=1.0_f64, step in -900.0..900.0_f64) {
            let track = Track::new(list, VIEWPORT);
            let mut position = Position { offset: track.last_offset() * part, scroll: 0.0 };
            position.settle(&track);
            let before = position;
            let scroll = (before.scroll + step).clamp(0.0, track.last_scroll());
            position.scrolled(&track, scroll);
            let moved = position.offset - before.offset;
            prop_assert!((moved - (scroll - before.scroll)).abs() <= 1.0, "{moved} for {step}");
            position.settle(&track);
            prop_assert!(!position.is_urgent(&track));
        }
    }

    #[test]
    fn a_flick_through_a_long_list_reaches_its_beginning() {
        let track = Track::new(60_000_000.0, VIEWPORT);
        let mut position = Position { offset: 2_000_000.0, scroll: 0.0 };
        position.settle(&track);
        let mut steps = 0;
        while position.offset > 0.0 {
            assert!(position.scroll > 0.0, "stuck at {}", position.offset);
            let scroll = (position.scroll - 700.0).max(0.0);
            position.scrolled(&track, scroll);
            if position.is_urgent(&track) {
                position.settle(&track);
            }
            steps += 1;
        }
        assert_eq!(steps, 2_000_000_usize.div_ceil(700));
    }

    #[test]
    fn a_dragged_thumb_means_a_place() {
        let track = Track::new(60_000_000.0, VIEWPORT);
        let mut position = Position { offset: 5_000.0, scroll: 4_000.0 };
        assert!(position.scrolled(&track, 5_000_000.0));
        assert_eq!(position.offset, track.offset_of(5_000_000.0));
        assert!(!position.scrolled(&track, 5_000_000.0), "our own setting is not the person's");
    }
}
