//! The address holds what is read: `?m=<message id>`, and `?sample` where the sample is open.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{Url, UrlSearchParams};

use crate::store::{Screen, Store};

/// The address follows the selected row after this pause: browsers refuse more than some hundred
/// changes in half a minute.
const PAUSE: Duration = Duration::from_millis(400);

const MESSAGE: &str = "m";
const SAMPLE: &str = "sample";
/// The state of a history entry that shows the reader.
const READER: &str = "reader";

/// The message that the address names.
pub fn message() -> Option<String> {
    parameters()?.get(MESSAGE).filter(|id| !id.is_empty())
}

/// The address asks for the sample.
pub fn is_sample() -> bool {
    parameters().is_some_and(|parameters| parameters.has(SAMPLE))
}

/// The address of this page at a message.
pub fn to_message(store: Store, id: &str) -> String {
    address(store, Some(id)).map(|url| url.href()).unwrap_or_default()
}

/// What an address may name: a message, or a range `a..b` that is opened at its first one. An id
/// can hold any characters, two dots too, so the whole is tried first.
pub fn candidates(wanted: &str) -> Vec<String> {
    let first = wanted.split_once("..").map(|(first, _)| first).filter(|first| !first.is_empty());
    std::iter::once(wanted).chain(first).map(str::to_owned).collect()
}

/// Files are opened: a step in the history, where it is from the first screen.
pub fn enter(store: Store) {
    // The message that a person came for is named until it has been gone to.
    let wanted = store.wanted.get_untracked();
    let url = address(store, wanted.as_deref());
    write(if store.screen.get_untracked() == Screen::Home { Step::Forward } else { Step::None }, READER, url);
}

/// To the first screen: a step in the history, too.
pub fn leave() {
    write(Step::Forward, "", bare());
}

/// The reader is shown again without a step of the browser's.
pub fn re_enter(store: Store) {
    write(Step::Forward, READER, address(store, None));
}

/// Calls back when the person goes through the history: whether it leads to the reader.
pub fn on_step(act: impl Fn(bool) + 'static) {
    let handle = window_event_listener(leptos::ev::popstate, move |event| {
        act(event.state().as_string().as_deref() == Some(READER));
    });
    on_cleanup(move || handle.remove());
}

/// The address names the selected row, after a pause.
pub fn follow(store: Store) {
    store.following.update_value(|timer| {
        if let Some(timer) = timer.take() {
            timer.clear();
        }
        *timer = set_timeout_with_handle(move || name_selected(store), PAUSE).ok();
    });
}

fn name_selected(store: Store) {
    let Some(id) = store.selected.get_untracked().and_then(|key| store.feed.id_of(key)) else { return };
    if store.screen.get_untracked() == Screen::Reading
        && let Some(url) = address(store, Some(&id))
    {
        write(Step::None, READER, Some(url));
    }
}

/// Whether a new address is a new step in the history.
#[derive(PartialEq)]
enum Step {
    Forward,
    None,
}

fn write(step: Step, state: &str, url: Option<Url>) {
    let (Some(url), Ok(history)) = (url, window().history()) else { return };
    let (state, href) = (JsValue::from_str(state), url.href());
    // Refused only where it was done too often: then the address lags behind.
    match step {
        Step::Forward => history.push_state_with_url(&state, "", Some(&href)),
        Step::None => history.replace_state_with_url(&state, "", Some(&href)),
    }
    .ok();
}

/// The page's address at a message of the open session.
fn address(store: Store, id: Option<&str>) -> Option<Url> {
    let url = bare()?;
    let parameters = url.search_params();
    if let Some(id) = id {
        parameters.set(MESSAGE, id);
    }
    let query = String::from(parameters.to_string());
    // A flag, not a name with an empty value.
    let flag = if store.is_sample.get_untracked() { SAMPLE } else { "" };
    let glue = if flag.is_empty() || query.is_empty() { "" } else { "&" };
    url.set_search(&format!("{flag}{glue}{query}"));
    Some(url)
}

/// The page's address without what it names.
fn bare() -> Option<Url> {
    let url = Url::new(&window().location().href().ok()?).ok()?;
    url.set_search("");
    url.set_hash("");
    Some(url)
}

fn parameters() -> Option<UrlSearchParams> {
    UrlSearchParams::new_with_str(&window().location().search().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn a_range_opens_at_its_first_message() {
        assert_eq!(candidates("a"), ["a"]);
        assert_eq!(candidates("a..b"), ["a..b", "a"]);
        assert_eq!(candidates("a..b..c"), ["a..b..c", "a"]);
        assert_eq!(candidates("..b"), ["..b"]);
    }
}
