//! The list's part of the document: the box that scrolls, the track in it, and the window of
//! articles on the track.

use wasm_bindgen::prelude::*;
use web_sys::{Element, FocusOptions, HtmlElement, ResizeObserver, ResizeObserverEntry, ResizeObserverSize};

use super::Feed;
use super::articles::{Articles, key_of};
use super::model::Viewport;
use super::model::frame::Frame;
use crate::store::Store;

/// The elements of the list.
pub struct Stage {
    store: Store,
    scroller: HtmlElement,
    track: HtmlElement,
    window: HtmlElement,
    articles: Articles,
    observer: ResizeObserver,
    /// Called for as long as the observer is.
    _on_resize: Closure<dyn Fn(js_sys::Array)>,
    /// What the scroll bar says.
    scroll: f64,
}

/// What was measured.
#[derive(Debug, Default)]
pub struct Measured {
    /// The viewport, where it changed.
    pub viewport: Option<Viewport>,
    /// Keys and heights of articles with a body.
    pub rows: Vec<(u64, f64)>,
}

impl Stage {
    /// Takes hold of the elements. `None`: the browser measures nothing, and no list can be drawn.
    pub fn new(feed: Feed, store: Store, elements: [HtmlElement; 3]) -> Option<Stage> {
        let [scroller, track, window] = elements;
        let watched = track.clone();
        let on_resize = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
            feed.measured(read(&entries, &watched));
        });
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok()?;
        observer.observe(&scroller);
        let articles = Articles::new(window.clone(), observer.clone());
        Some(Stage { store, scroller, track, window, articles, observer, _on_resize: on_resize, scroll: 0.0 })
    }

    /// The size of what can be seen.
    pub fn viewport(&self) -> Viewport {
        Viewport {
            width: f64::from(self.track.client_width()),
            height: f64::from(self.scroller.client_height()),
        }
    }

    /// What the scroll bar says now.
    pub fn scroll(&mut self) -> f64 {
        self.scroll = f64::from(self.scroller.scroll_top());
        self.scroll
    }

    /// Draws the rows of a frame, and answers how tall the new ones are. They are measured at once,
    /// not when the observer comes to it, so that the document is never out of place, not even
    /// between two frames.
    pub fn draw(&mut self, frame: &Frame, total: usize) -> Vec<(u64, f64)> {
        let fresh = self.articles.update(self.store, &frame.slots, total);
        let height = |key: u64| Some((key, self.articles.element(key)?.get_bounding_client_rect().height()));
        fresh.into_iter().filter_map(height).collect()
    }

    /// Puts the rows that are drawn where they belong.
    pub fn place(&mut self, frame: &Frame) {
        let pixels = |length: f64| format!("{length}px");
        // Nothing of this can fail: all are valid.
        self.track.style().set_property("height", &pixels(frame.track)).ok();
        self.window.style().set_property("top", &pixels(frame.top)).ok();
        let apart = |key: u64| frame.slots.iter().find(|slot| slot.key == key).and_then(|slot| slot.apart);
        self.articles.place(apart, frame.top);
        if self.scroll != frame.scroll {
            self.scroller.set_scroll_top(frame.scroll as i32);
            self.scroll = frame.scroll;
        }
    }

    /// The element of a row.
    pub fn article(&self, key: u64) -> Option<HtmlElement> {
        self.articles.element(key).cloned()
    }

    /// The element that scrolls.
    pub fn scroller(&self) -> HtmlElement {
        self.scroller.clone()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Gives an element the focus, without letting the browser scroll to it.
pub fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    element.focus_with_options(&options).ok();
}

/// What the observer says.
fn read(entries: &js_sys::Array, track: &HtmlElement) -> Measured {
    let mut measured = Measured::default();
    for entry in entries.iter().filter_map(|entry| entry.dyn_into::<ResizeObserverEntry>().ok()) {
        let target = entry.target();
        let Some(size) = entry.border_box_size().get(0).dyn_into::<ResizeObserverSize>().ok() else {
            continue;
        };
        match key_of_article(&target) {
            // A box in place of a body has the height that it was given.
            Some(_) if target.has_attribute("aria-busy") || !target.is_connected() => {}
            Some(key) => measured.rows.push((key, size.block_size())),
            None => {
                let width = f64::from(track.client_width());
                measured.viewport = Some(Viewport { width, height: f64::from(target.client_height()) });
            }
        }
    }
    measured
}

fn key_of_article(target: &Element) -> Option<u64> {
    if target.has_attribute("data-key") { key_of(target) } else { None }
}
