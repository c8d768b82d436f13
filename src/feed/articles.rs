//! The articles in the document, kept in step with what the model wants there.
//!
//! The framework's keyed list would move an article in the document when the rows around it are
//! exchanged, and an element that is moved loses the focus. Here an article is put in once, stays
//! where it is among its neighbours, and goes when its row goes.

use std::any::Any;
use std::sync::Arc;

use leptos::mount::mount_to;
use leptos::prelude::*;
use palimpsest_protocol::{Row, RowKind};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, ResizeObserver};

use super::model::frame::Slot;
use crate::clock;
use crate::row::RowView;
use crate::store::Store;

/// The articles in the document, in the order of their rows.
pub struct Articles {
    /// What they are in.
    window: HtmlElement,
    observer: ResizeObserver,
    list: Vec<Article>,
}

struct Article {
    key: u64,
    element: HtmlElement,
    /// What its attributes say.
    said: Option<Said>,
    body: Option<Body>,
}

/// What the attributes of an article are made of.
#[derive(Clone, Copy, PartialEq)]
struct Said {
    row: usize,
    total: usize,
    kind: RowKind,
    inactive: bool,
}

/// A body in the document. Dropping it takes it out and ends what is reactive in it.
struct Body {
    row: Arc<Row>,
    _view: Box<dyn Any>,
    _owner: Owner,
}

impl Articles {
    /// No articles yet, in `window`; each will be measured by `observer`.
    pub fn new(window: HtmlElement, observer: ResizeObserver) -> Articles {
        Articles { window, observer, list: Vec::new() }
    }

    /// Brings the document to these slots, of a list of `total` rows. Answers which bodies are new.
    pub fn update(&mut self, store: Store, slots: &[Slot], total: usize) -> Vec<u64> {
        let mut fresh = Vec::new();
        let mut old = std::mem::take(&mut self.list);
        old.retain(|article| {
            let stays = slots.iter().any(|slot| slot.key == article.key);
            if !stays {
                self.observer.unobserve(&article.element);
                article.element.remove();
            }
            stays
        });
        let mut old = old.into_iter().peekable();
        for slot in slots {
            let article = match old.next_if(|article| article.key == slot.key) {
                Some(article) => Some(article),
                // A new view can bring rows into another order: then the row is drawn anew.
                None => self.insert(slot.key, old.peek().map(|next| &next.element)),
            };
            if let Some(mut article) = article {
                article.say(Said { row: slot.row, total, kind: slot.kind, inactive: slot.inactive });
                if article.draw(store, slot) {
                    fresh.push(slot.key);
                }
                self.list.push(article);
            }
        }
        for article in old {
            self.observer.unobserve(&article.element);
            article.element.remove();
        }
        fresh
    }

    /// Puts those apart where they belong, now that the window begins at `top` in the track.
    pub fn place(&self, apart: impl Fn(u64) -> Option<f64>, top: f64) {
        for article in &self.list {
            let style = article.element.style();
            // Neither can fail: both are valid.
            match apart(article.key) {
                Some(place) => {
                    style.set_property("position", "absolute").ok();
                    style.set_property("top", &format!("{}px", place - top)).ok();
                }
                None => {
                    style.remove_property("position").ok();
                    style.remove_property("top").ok();
                }
            }
        }
    }

    /// The element of a row.
    pub fn element(&self, key: u64) -> Option<&HtmlElement> {
        self.list.iter().find(|article| article.key == key).map(|article| &article.element)
    }

    fn insert(&self, key: u64, before: Option<&HtmlElement>) -> Option<Article> {
        let element = document().create_element("article").ok()?.dyn_into::<HtmlElement>().ok()?;
        element.set_attribute("tabindex", "-1").ok()?;
        element.set_attribute("data-key", &format!("{key:016x}")).ok()?;
        let before = before.map(|element| element.as_ref());
        self.window.insert_before(&element, before).ok()?;
        self.observer.observe(&element);
        Some(Article { key, element, said: None, body: None })
    }
}

impl Article {
    fn say(&mut self, now: Said) {
        if self.said == Some(now) {
            return;
        }
        self.said = Some(now);
        let set = |name: &str, value: &str| self.element.set_attribute(name, value).ok();
        set("aria-posinset", &(now.row + 1).to_string());
        set("aria-setsize", &now.total.to_string());
        set("data-kind", now.kind.as_str());
        self.label();
    }

    /// What a screen reader says on arriving here: what it is, and when it was once that is known.
    fn label(&self) {
        let Some(said) = self.said else { return };
        let what = match said.kind {
            RowKind::Prompt => "Prompt",
            RowKind::Answer => "Answer",
            RowKind::System => "System",
            RowKind::Error => "Error",
            RowKind::Summary => "Summary",
        };
        let inactive = if said.inactive { ", inactive" } else { "" };
        let time = self.body.as_ref().and_then(|body| body.row.time);
        let time = time.map(|time| format!(", {}", clock::minute(time))).unwrap_or_default();
        self.element.set_attribute("aria-label", &format!("{what}{inactive}{time}")).ok();
    }

    /// Puts the slot's body in. Answers whether there is a new one.
    fn draw(&mut self, store: Store, slot: &Slot) -> bool {
        let style = self.element.style();
        let Some(row) = &slot.body else {
            // Nothing can fail: all are valid.
            style.set_property("height", &format!("{}px", slot.height)).ok();
            self.element.set_attribute("aria-busy", "true").ok();
            return false;
        };
        if self.body.as_ref().is_some_and(|body| Arc::ptr_eq(&body.row, row)) {
            return false;
        }
        // The old body goes before the new one comes: both would be measured together.
        self.body = None;
        style.remove_property("height").ok();
        self.element.remove_attribute("aria-busy").ok();
        self.element.set_attribute("data-message-id", &row.id).ok();
        self.body = Some(Body::mount(store, &self.element, row));
        self.label();
        true
    }
}

impl Body {
    fn mount(store: Store, element: &HtmlElement, row: &Arc<Row>) -> Body {
        // An owner of its own, not a child of the list's: that one would remember every row that
        // was ever drawn.
        let owner = Owner::new_root(None);
        let (parent, drawn) = (element.clone(), row.clone());
        let view = owner.with(|| {
            provide_context(store);
            mount_to(parent, move || view! { <RowView row=drawn agent=None /> }.into_any())
        });
        Body { row: row.clone(), _view: Box::new(view), _owner: owner }
    }
}

/// The key of the article that holds an element.
pub fn key_of(element: &Element) -> Option<u64> {
    let article = element.closest("article[data-key]").ok()??;
    u64::from_str_radix(&article.get_attribute("data-key")?, 16).ok()
}
