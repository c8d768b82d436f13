//! What the keys' commands do.

use leptos::prelude::*;
use palimpsest_protocol::BodyPlace;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::go::{self, Way};
use crate::keys::Command;
use crate::open;
use crate::store::{Panel, Screen, Store};

/// Does it; false where there is nothing to do here.
pub fn act(store: Store, command: Command) -> bool {
    let is_reading = store.screen.get_untracked() == Screen::Reading;
    // Behind the help nothing can be reached, not even by keys.
    let is_covered = store.panel.with_untracked(|panel| *panel == Some(Panel::Help));
    match command {
        Command::Help => store.panel.set(Some(Panel::Help)),
        Command::Close => return close(store),
        _ if !is_reading || is_covered => return false,
        Command::NextMessage => go::to_neighbour(store, Way::Down),
        Command::PreviousMessage => go::to_neighbour(store, Way::Up),
        Command::NextPrompt => go::to_prompt(store, Way::Down),
        Command::PreviousPrompt => go::to_prompt(store, Way::Up),
        Command::First => store.feed.show_row(0),
        Command::Last => store.feed.focus_end(),
        Command::Inactive => open::toggle_inactive(store),
        Command::Outline => to_outline(store),
        Command::Raw => with_selected(store, |id| {
            let place = BodyPlace { agent_id: None, id: id.as_str().to_owned(), part: 0 };
            store.panel.set(Some(Panel::Raw(place)));
        }),
        Command::CopyLink => with_selected(store, |id| store.copy_link(id)),
    }
    true
}

fn with_selected(store: Store, act: impl FnOnce(palimpsest_record::Text)) {
    match store.selected.get_untracked().and_then(|key| store.feed.id_of(key)) {
        Some(id) => act(id),
        None => store.say("No message is selected: press j for one".to_owned()),
    }
}

/// Closes what lies uppermost.
fn close(store: Store) -> bool {
    if store.panel.with_untracked(Option::is_some) {
        store.close_panel();
    } else if store.is_outline_open.get_untracked() {
        store.is_outline_open.set(false);
        store.feed.focus_list();
    } else {
        return false;
    }
    true
}

/// Opens the outline, where it is not always open, and gives the focus to the mark of what is read.
fn to_outline(store: Store) {
    store.is_outline_open.set(true);
    request_animation_frame(|| {
        let mark = document().query_selector(".outline [aria-current], .outline button").ok().flatten();
        if let Some(mark) = mark.and_then(|mark| mark.dyn_into::<HtmlElement>().ok()) {
            mark.focus().ok();
        }
    });
}
