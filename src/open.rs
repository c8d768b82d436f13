//! From files to a session, and what the worker says on the way.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use palimpsest_protocol::{Outline, Request, Response, SessionFacts};
use web_sys::File;

use crate::client::News;
use crate::sessions::order::Order;
use crate::store::{Failure, Panel, Screen, Store};
use crate::{go, link};

/// Remembers that the page was loaded again because of another build's worker: once is enough.
const RELOADED: &str = "palimpsest.reloaded";

/// A file and its path as it was given, with folders.
#[derive(Debug, Clone)]
pub struct Picked {
    /// Name, behind the folders it was found in.
    pub path: String,
    /// The file; only the worker reads it.
    pub file: File,
}

/// Where the files came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The person's disk.
    Disk,
    /// The sample that comes with the page.
    Sample,
}

/// Opens files; what was open before is closed.
pub fn files(store: Store, mut picked: Vec<Picked>, origin: Origin) {
    mark("drop");
    // Folders are handed out in no order.
    picked.sort_by(|a, b| a.path.cmp(&b.path));
    store.is_sample.set(origin == Origin::Sample);
    link::enter(store);
    begin(store);
    store.choices.set(None);
    store.order.set(Order::default());
    store.place.set_value(0.0);
    store.picked.set_value(picked.clone());
    let paths = picked.iter().map(|picked| picked.path.clone()).collect();
    let files: Vec<File> = picked.into_iter().map(|picked| picked.file).collect();
    store.client.open(paths, &files);
}

/// Opens the same files again, after a crash.
pub fn again(store: Store) {
    let origin = if store.is_sample.get_untracked() { Origin::Sample } else { Origin::Disk };
    files(store, store.picked.get_value(), origin);
}

/// Nothing could be opened: says why.
pub fn fail(store: Store, failure: Failure) {
    // The next log finds a worker that is ready, and one that found several sessions can read another of them. One that
    // crashed might do so again at once: it is started again only when there is something to open.
    match failure {
        Failure::Refused(_) if store.choices.with_untracked(Option::is_none) => store.client.warm(),
        Failure::Refused(_) => {}
        Failure::Crashed(_) | Failure::OtherBuild => store.choices.set(None),
    }
    store.progress.set(None);
    store.panel.set(None);
    store.outline.set(None);
    store.feed.reset();
    store.screen.set(Screen::Failed(failure));
}

/// Opens one of several sessions.
pub fn choose(store: Store, session: u32) {
    mark("drop");
    begin(store);
    // Its rows come as news, and so does its failure.
    drop(store.client.ask(Request::Choose { session }));
}

/// Back to the list of sessions.
pub fn choices(store: Store) {
    store.panel.set(None);
    store.screen.set(Screen::Sessions);
}

/// Stops reading. What is read so far stays open; where that is nothing, the list of sessions comes, or the first screen.
pub fn cancel(store: Store) {
    if store.outline.with_untracked(Option::is_none) {
        store.progress.set(None);
        if store.choices.with_untracked(Option::is_none) {
            store.client.close();
            store.client.warm();
            return home(store);
        }
        choices(store);
    }
    spawn_local(async move {
        store.client.ask(Request::Cancel).await.ok();
    });
}

/// To the first screen; the session stays open behind it.
pub fn home(store: Store) {
    link::leave();
    store.panel.set(None);
    store.screen.set(Screen::Home);
}

/// Back to the session that is open, or to the list of those that were found.
pub fn resume(store: Store) {
    link::re_enter(store);
    store.screen.set(behind_home(store));
}

/// The history leads to the reader or away from it.
pub fn step(store: Store, is_reader: bool) {
    store.panel.set(None);
    store.screen.set(if is_reader { behind_home(store) } else { Screen::Home });
}

/// What is open behind the first screen; that itself where nothing is.
fn behind_home(store: Store) -> Screen {
    if store.outline.with_untracked(Option::is_some) {
        Screen::Reading
    } else if store.choices.with_untracked(Option::is_some) {
        Screen::Sessions
    } else {
        Screen::Home
    }
}

/// Turns inactive messages on or off.
pub fn toggle_inactive(store: Store) {
    let Some(outline) = store.outline.get_untracked() else { return };
    if outline.inactive == 0 {
        return;
    }
    let on = !outline.shows_inactive;
    spawn_local(async move {
        // The new view comes as news.
        store.client.ask(Request::ShowInactive(on)).await.ok();
    });
}

/// Takes what the worker says unasked.
pub fn hear(store: Store, news: News) {
    match news {
        News::Ready => forget_reload(),
        News::Says(Response::Progress { read, total }) => store.progress.set(Some((read, total))),
        News::Says(Response::Sessions(list)) => {
            store.choices.set(Some(list.into()));
            store.screen.set(Screen::Sessions);
        }
        News::Says(Response::Facts(facts)) => learn(store, facts),
        News::Says(Response::Outline(outline)) => take(store, *outline),
        News::Says(Response::Failed(sentence)) => fail(store, Failure::Refused(sentence)),
        News::Says(_) => {}
        News::Crashed(reason) => fail(store, Failure::Crashed(reason)),
        News::OtherBuild => load_again(store),
    }
}

/// More is known of the sessions that were found.
fn learn(store: Store, facts: Vec<(u32, SessionFacts)>) {
    store.choices.update(|choices| {
        let Some(known) = choices else { return };
        let mut list = known.to_vec();
        for (at, facts) in facts {
            if let Some(choice) = list.get_mut(at as usize) {
                choice.facts = Some(facts);
            }
        }
        *known = list.into();
    });
}

fn take(store: Store, outline: Outline) {
    let is_complete = outline.complete;
    let was_complete = store.outline.with_untracked(|old| old.as_ref().is_some_and(|old| old.complete));
    let outline = Arc::new(outline);
    if is_complete {
        store.progress.set(None);
    }
    store.feed.take(outline.clone());
    store.outline.set(Some(outline));
    if store.screen.get_untracked() == Screen::Opening {
        store.screen.set(Screen::Reading);
    }
    go::to_wanted(store, is_complete);
    if is_complete && !was_complete {
        request_animation_frame(|| mark("ready"));
    }
}

/// A fresh start for a session.
fn begin(store: Store) {
    store.outline.set(None);
    store.progress.set(None);
    store.panel.update(|panel| {
        // The help is about the page, not about the session.
        if *panel != Some(Panel::Help) {
            *panel = None;
        }
    });
    store.selected.set(None);
    store.folds.close_all();
    store.feed.reset();
    store.screen.set(Screen::Opening);
}

/// Page and worker are of different builds: one of them came from a cache. Loading the page again
/// mends that, and where it does not, nothing would.
fn load_again(store: Store) {
    let storage = window().session_storage().ok().flatten();
    let was_tried =
        storage.as_ref().is_none_or(|storage| storage.get_item(RELOADED).ok().flatten().is_some());
    if was_tried {
        return fail(store, Failure::OtherBuild);
    }
    storage.map(|storage| storage.set_item(RELOADED, "yes"));
    window().location().reload().ok();
}

fn forget_reload() {
    if let Ok(Some(storage)) = window().session_storage() {
        storage.remove_item(RELOADED).ok();
    }
}

/// Leaves a mark in the browser's own record of times: `drop`, `first-row`, `ready`.
pub fn mark(name: &str) {
    if let Some(performance) = window().performance() {
        if name == "drop" {
            for old in ["drop", "first-row", "ready"] {
                performance.clear_marks_with_mark_name(old);
            }
        }
        performance.mark(name).ok();
    }
}
