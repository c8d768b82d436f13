//! The list in a browser of its own: true heights, a viewport, a person who scrolls.

use palimpsest_protocol::{Row, RowKind};
use proptest::prelude::*;

use super::*;

const HEIGHT: f64 = 800.0;

/// What a browser does with the list.
struct Browser {
    model: Model,
    /// Each key's true height where it has a body.
    truth: fn(u64) -> f64,
    /// The rows in the document: key, and where it is on the screen.
    screen: Vec<(u64, f64, f64)>,
    /// Most rows that were ever in the document.
    most: usize,
}

fn outline(view: u32, keys: impl Iterator<Item = u64>) -> Arc<Outline> {
    let rows = keys.map(|key| RowHint { key, kind: RowKind::Answer, height: 120, inactive: false }).collect();
    Arc::new(Outline { view, rows, ..Outline::default() })
}

fn body(key: u64) -> Row {
    Row { key, id: "".into(), kind: RowKind::Answer, ..Row::default() }
}

/// Heights that no guess foresees: mostly small, now and then huge.
fn uneven(key: u64) -> f64 {
    let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    if mixed.is_multiple_of(31) { 2_400.0 + (mixed % 700) as f64 } else { 28.0 + (mixed % 300) as f64 + 0.25 }
}

impl Browser {
    fn new(rows: u64, truth: fn(u64) -> f64) -> Browser {
        let mut browser = Browser { model: Model::default(), truth, screen: Vec::new(), most: 0 };
        browser.model.resize(Viewport { width: 800.0, height: HEIGHT });
        browser.model.take(outline(1, 0..rows));
        browser.paint();
        browser
    }

    /// One frame: what is drawn is laid out, and what was not known of it is told.
    fn frame(&mut self) -> bool {
        let frame = self.model.frame();
        let mut measured = Vec::new();
        for slot in &frame.slots {
            if slot.body.is_some() {
                measured.push((slot.key, (self.truth)(slot.key)));
            }
        }
        self.model.measure(&measured);
        let painted = self.model.layout();
        let mut place = painted.top - painted.scroll;
        self.screen.clear();
        for slot in frame.slots.iter().filter(|slot| slot.apart.is_none()) {
            let height = if slot.body.is_some() { (self.truth)(slot.key) } else { slot.height };
            self.screen.push((slot.key, place, height));
            place += height;
        }
        self.most = self.most.max(frame.slots.len());
        frame.is_more
    }

    /// Draws until there is nothing left to draw or to ask for.
    fn paint(&mut self) {
        loop {
            let is_more = self.frame();
            let wanted = self.model.wanted();
            if let Some(range) = &wanted {
                self.answer(range.clone());
            }
            if !is_more && wanted.is_none() {
                break;
            }
        }
        let start = self.screen.first().map_or(0.0, |first| first.1);
        let end = self.screen.last().map_or(0.0, |last| last.1 + last.2);
        let is_all = self.model.heights.total() <= HEIGHT;
        assert!(start <= 0.0, "a gap at the top: {start}");
        assert!(end >= HEIGHT - 1.0 || is_all, "a gap at the bottom: {end}");
    }

    /// The bodies that were asked for come.
    fn answer(&mut self, range: Range<usize>) {
        let keys = self.model.outline().rows[range].iter().map(|hint| hint.key);
        let rows = keys.map(body).collect();
        self.model.insert(self.model.outline().view, rows);
    }

    /// The row in the middle of the viewport, and where it begins on the screen.
    fn eye(&self) -> (u64, f64) {
        let middle = |&&(_, place, height): &&(u64, f64, f64)| place + height > HEIGHT / 2.0;
        let &(key, place, _) = self.screen.iter().find(middle).expect("a row in the middle");
        (key, place)
    }

    fn place(&self, key: u64) -> f64 {
        self.screen.iter().find(|row| row.0 == key).map_or(f64::NAN, |row| row.1)
    }

    fn scroll_by(&mut self, step: f64) {
        let frame = self.model.frame();
        let last = (frame.track - HEIGHT).max(0.0);
        self.model.scrolled((frame.scroll + step).clamp(0.0, last));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Whatever is measured meanwhile, a step of the wheel moves the text by that step.
    #[test]
    fn the_row_under_the_eye_follows_the_wheel(start in 0..20_000_usize, steps in prop::collection::vec(-700.0..700.0_f64, 1..30)) {
        let mut browser = Browser::new(20_000, uneven);
        browser.model.go_to(start);
        browser.paint();
        for step in steps {
            let (key, before) = browser.eye();
            browser.scroll_by(step);
            browser.paint();
            let at_end = browser.model.position.offset == 0.0
                || browser.model.position.offset >= browser.model.track().last_offset() - 1.0;
            let moved = browser.place(key) - before;
            prop_assert!(moved.is_nan() || at_end || (moved + step).abs() < 1.0, "{moved} for {step}");
            browser.model.rested();
            browser.paint();
            prop_assert!(moved.is_nan() || (browser.place(key) - before - moved).abs() < 1.0, "resting moves nothing");
        }
    }
}

#[test]
fn from_end_to_end() {
    let mut browser = Browser::new(20_000, uneven);
    let mut steps = 0;
    while browser.model.position.offset < browser.model.track().last_offset() - 1.0 {
        browser.scroll_by(650.0);
        browser.paint();
        steps += 1;
    }
    let length: f64 = (0..20_000).map(uneven).sum();
    assert_eq!(browser.model.heights.total(), length);
    assert!((f64::from(steps) - length / 650.0).abs() < 5.0, "{steps} steps");
    assert!(browser.most <= MOST_ARTICLES, "{} articles", browser.most);
    while browser.model.position.offset > 0.0 {
        browser.scroll_by(-650.0);
        browser.paint();
    }
    assert_eq!(browser.screen.first().map(|row| (row.0, row.1)), Some((0, 0.0)));
}

/// What the page promises is 300; this list stays far below.
const MOST_ARTICLES: usize = 91;

/// Once a row in sight is drawn it stays where it is, while the rows around it are still coming.
#[test]
fn what_is_drawn_stays_after_a_jump() {
    let mut browser = Browser::new(20_000, uneven);
    for step in 0..200_u32 {
        let track = browser.model.frame().track - HEIGHT;
        browser.model.scrolled((track * f64::from(step * 77 % 200) / 200.0).round());
        let mut before: Vec<(u64, f64, f64)> = Vec::new();
        loop {
            let is_more = browser.frame();
            for &(key, place, height) in &before {
                let now = browser.place(key);
                let was_seen = place + height > 0.0 && place < HEIGHT;
                assert!(!was_seen || (now - place).abs() < 1.0, "step {step}: {key} from {place} to {now}");
            }
            before = browser.screen.clone();
            let drawn = &browser.model.drawn;
            before.retain(|row| drawn.iter().any(|slot| slot.key == row.0 && slot.body.is_some()));
            let wanted = browser.model.wanted();
            if let Some(range) = &wanted {
                browser.answer(range.clone());
            }
            if !is_more && wanted.is_none() {
                break;
            }
        }
        browser.model.rested();
    }
}

#[test]
fn rows_of_one_line_each() {
    let mut browser = Browser::new(100_000, |_| 24.0);
    browser.model.go_to(50_000);
    browser.paint();
    assert!(browser.most <= MOST_ARTICLES, "{} articles", browser.most);
}

#[test]
fn beyond_what_a_browser_can_scroll() {
    let mut browser = Browser::new(100_000, |key| 400.0 + (key % 3) as f64);
    for row in [99_999, 0, 50_000, 12_345] {
        browser.model.go_to(row);
        browser.paint();
        let last = HEIGHT - (browser.truth)(row as u64);
        let place = browser.place(row as u64);
        assert!(
            (place - BELOW_TOP).abs() <= 1.0
                || (row == 0 && place == 0.0)
                || (row == 99_999 && (place - last).abs() <= 1.0),
            "{row} at {place}"
        );
        assert!(browser.model.frame().track <= 10_000_000.0);
    }
}

#[test]
fn the_end_is_the_end() {
    let mut browser = Browser::new(5_000, uneven);
    browser.model.go_to_end();
    browser.paint();
    let &(key, place, height) = browser.screen.last().expect("a row");
    assert_eq!(key, 4_999);
    assert!((place + height - HEIGHT).abs() <= 1.0, "the last row ends at {}", place + height);
}

#[test]
fn a_fold_opens_downwards() {
    let mut browser = Browser::new(1_000, uneven);
    browser.model.go_to(500);
    browser.paint();
    browser.model.touched();
    let before = browser.place(500);
    browser.model.measure(&[(500, 3_000.0)]);
    assert_eq!(browser.model.heights.top(500) - browser.model.position.offset, before);
    // The reader goes down into it; it closes, and what is below comes up.
    browser.scroll_by(1_000.0);
    browser.model.frame();
    let top = browser.model.heights.top(500) - browser.model.position.offset;
    browser.model.measure(&[(500, 2_900.0)]);
    assert_eq!(browser.model.heights.top(500) - browser.model.position.offset, top);
}

/// A new view leaves what is read in place: rows at the end, rows between, rows gone.
#[test]
fn a_new_view_moves_nothing() {
    let check = |before: &[u64], after: &[u64], instead: Option<u64>| {
        let mut browser = Browser::new(0, uneven);
        browser.model.take(outline(2, before.iter().copied()));
        browser.model.go_to(before.len() / 4);
        browser.paint();
        browser.model.touched();
        browser.scroll_by(22.0);
        browser.paint();
        let read = browser.model.read_row(&[]);
        let key = browser.model.outline().rows[read].key;
        let place = browser.place(key);
        browser.model.take(outline(3, after.iter().copied()));
        browser.paint();
        let now = browser.place(instead.unwrap_or(key));
        assert!((now - place).abs() <= 1.0, "{key} from {place}, now {now}");
    };
    let all: Vec<u64> = (0..200).collect();
    let without =
        |gone: fn(u64) -> bool| -> Vec<u64> { all.iter().copied().filter(|&key| !gone(key)).collect() };
    let even = without(|key| key % 2 == 1);
    check(&all, &(0..300).collect::<Vec<u64>>(), None);
    check(&all, &(500..510).chain(0..200).collect::<Vec<u64>>(), None);
    check(&even, &all, None);
    // Row 50 fills the upper part of the viewport.
    check(&all, &without(|key| key == 50), Some(51));
    check(&all, &without(|key| (40..60).contains(&key)), Some(60));
}

#[test]
fn the_focused_row_stays() {
    let mut browser = Browser::new(20_000, uneven);
    browser.model.focus(Some(3));
    for row in [0, 10_000, 19_999, 2] {
        browser.model.go_to(row);
        browser.paint();
        let frame = browser.model.frame();
        let slot = frame.slots.iter().find(|slot| slot.key == 3).expect("the focused row");
        let is_neighbour = |other: &&frame::Slot| other.apart.is_none() && other.row.abs_diff(3) == 1;
        assert_eq!(slot.apart.is_none(), frame.slots.iter().any(|other| is_neighbour(&other)), "at {row}");
        assert!(frame.slots.is_sorted_by_key(|slot| slot.row));
        assert!(slot.apart.is_none_or(|place| place + slot.height <= frame.track));
    }
}

#[test]
fn a_narrower_column_keeps_the_row() {
    let mut browser = Browser::new(2_000, uneven);
    browser.model.go_to(1_000);
    browser.paint();
    browser.model.touched();
    browser.model.resize(Viewport { width: 320.0, height: HEIGHT });
    browser.paint();
    assert_eq!(browser.model.outline().rows[browser.model.top_row()].key, 1_000);
}
