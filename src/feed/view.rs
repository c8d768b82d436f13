//! The list's elements, and what the person does to them.

use leptos::ev::{FocusEvent, KeyboardEvent};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

use super::Feed;
use super::articles::key_of;
use super::stage::Stage;
use crate::figures;
use crate::keys;
use crate::link;
use crate::store::use_store;

/// The transcript.
#[component]
pub fn FeedView() -> impl IntoView {
    let store = use_store();
    let feed = store.feed;
    let (scroller, track, window) = (NodeRef::<Div>::new(), NodeRef::<Div>::new(), NodeRef::<Div>::new());
    Effect::new(move |_| {
        let (Some(scroller), Some(track), Some(window)) = (scroller.get(), track.get(), window.get()) else {
            return;
        };
        let elements: [HtmlElement; 3] = [scroller.into(), track.into(), window.into()];
        let Some(stage) = Stage::new(feed, store, elements) else { return };
        feed.enter(stage);
    });
    on_cleanup(move || feed.leave());

    let focus_in = move |event: FocusEvent| {
        let key = element_of(&event).as_ref().and_then(key_of);
        feed.focused(key);
        if let Some(key) = key {
            store.selected.set(Some(key));
            link::follow(store);
        }
    };
    // It can come while the list is being drawn, when an element with the focus goes: then there is
    // nothing to be told before the drawing is over.
    let focus_out = move |_: FocusEvent| {
        queue_microtask(move || {
            // A window that is left keeps its focus for the return.
            if document().has_focus().unwrap_or(false) {
                feed.focused(document().active_element().as_ref().and_then(key_of));
            }
        });
    };
    let is_empty = Memo::new(move |_| {
        store.outline.with(|outline| outline.as_ref().is_some_and(|it| it.complete && it.rows.is_empty()))
    });
    view! {
        <div
            class="scroller"
            tabindex="0"
            role="group"
            aria-label="Messages"
            node_ref=scroller
            on:scroll=move |_| feed.scrolled()
            on:pointerdown=move |_| feed.touched()
            on:keydown=move |event| {
                feed.touched();
                move_by_key(feed, &event);
            }
            on:focusin=focus_in
            on:focusout=focus_out
        >
            <div
                class="track"
                // A feed without an article is none.
                role=move || (!is_empty.get()).then_some("feed")
                aria-label=move || (!is_empty.get()).then_some("Transcript")
                node_ref=track
            >
                <div class="window" node_ref=window></div>
            </div>
            {move || is_empty.get().then(|| view! { <Nothing /> })}
        </div>
    }
}

/// In place of a transcript that has no row.
#[component]
fn Nothing() -> impl IntoView {
    let store = use_store();
    let inactive =
        store.outline.with_untracked(|outline| outline.as_ref().map_or(0, |outline| outline.inactive));
    let why = match inactive {
        0 => "The log was read, and none of its lines is a message. The receipt below says what they are."
            .to_owned(),
        count => format!(
            "All it has was superseded: {} can be shown.",
            figures::of(count.into(), "message", "messages")
        ),
    };
    view! {
        <div class="nothing">
            <h2>"No messages in this session"</h2>
            <p>{why}</p>
        </div>
    }
}

fn element_of(event: &web_sys::Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The keys of a feed: Page Up and Page Down between articles, Home and End to the outermost ones.
fn move_by_key(feed: Feed, event: &KeyboardEvent) {
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key();
    if is_modified || event.default_prevented() || keys::is_typing(event) {
        return;
    }
    let here = element_of(event).as_ref().and_then(key_of).and_then(|key| feed.row_of(key));
    match (event.key().as_str(), here) {
        ("Home", _) => feed.show_row(0),
        ("End", _) => feed.focus_end(),
        ("PageDown", Some(row)) => feed.focus_row((row + 1).min(feed.len().saturating_sub(1))),
        ("PageUp", Some(row)) => feed.focus_row(row.saturating_sub(1)),
        _ => return,
    }
    event.prevent_default();
}
