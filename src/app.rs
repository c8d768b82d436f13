//! The frame around every screen.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::help::Help;
use crate::home::Home;
use crate::intake::{drop_zone, sample};
use crate::opening::Opening;
use crate::panel::{RawPanel, ReceiptPanel};
use crate::reader::Reader;
use crate::sessions::Sessions;
use crate::store::{Panel, Screen, Store};
use crate::{commands, failed, keys, link, open, settings};

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::new();
    provide_context(store);
    start(store);
    let is_over = drop_zone::listen(store);
    // What is set again to what it was is not drawn again.
    let screen = Memo::new(move |_| store.screen.get());
    let panel = Memo::new(move |_| store.panel.get());
    view! {
        {move || match screen.get() {
            Screen::Home => view! { <Home /> }.into_any(),
            Screen::Opening => view! { <Opening /> }.into_any(),
            Screen::Sessions => view! { <Sessions /> }.into_any(),
            Screen::Reading => view! { <Reader /> }.into_any(),
            Screen::Failed(failure) => failed::card(store, failure).into_any(),
        }}
        {move || match panel.get() {
            Some(Panel::Receipt) => view! { <ReceiptPanel /> }.into_any(),
            Some(Panel::Raw(place)) => view! { <RawPanel place /> }.into_any(),
            Some(Panel::Help) => view! { <Help /> }.into_any(),
            None => ().into_any(),
        }}
        <p class="notice" role="status">{move || store.notice.get()}</p>
        <Show when=move || is_over.get()>
            <div class="drop-over" aria-hidden="true"><p>"Drop to read"</p></div>
        </Show>
    }
}

/// Ties the page to what is around it.
fn start(store: Store) {
    store.client.listen(move |news| open::hear(store, news));
    store.client.warm();
    settings::keep(store);
    keys::listen(move || store.single_keys.get_untracked(), move |command| commands::act(store, command));
    link::on_step(move |is_reader| open::step(store, is_reader));
    give_focus_back(store);
    Effect::new(move |_| document().set_title(&title(store)));
    Effect::new(move |_| {
        if store.feed.is_drawn.get() {
            request_animation_frame(|| open::mark("first-row"));
        }
    });
    if link::is_sample() {
        sample::open(store);
    }
}

/// What the browser's tab says.
fn title(store: Store) -> String {
    let title = store.outline.with(|outline| outline.as_ref().map(|outline| outline.session.title.clone()));
    match title.filter(|title| !title.is_empty() && store.screen.get() == Screen::Reading) {
        Some(title) => format!("{} · Palimpsest", &*title),
        None => "Palimpsest".to_owned(),
    }
}

/// When a panel closes, the focus goes back to where it was.
fn give_focus_back(store: Store) {
    Effect::new(move |before: Option<Option<HtmlElement>>| {
        let is_open = store.panel.with(Option::is_some);
        match before.flatten() {
            // Another panel in place of this one: the way back is the same.
            Some(element) if is_open => Some(element),
            Some(element) => {
                if element.is_connected() && element.tag_name() != "BODY" {
                    element.focus().ok();
                } else {
                    store.feed.focus_list();
                }
                None
            }
            None if is_open => document().active_element().and_then(|element| element.dyn_into().ok()),
            None => None,
        }
    });
}
