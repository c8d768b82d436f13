//! The way from a summary to the messages that it took the place of.

use leptos::prelude::*;

use crate::figures;
use crate::open;
use crate::store::use_store;

/// The button that shows them, where the source says that there are any.
pub fn shown(count: u32) -> Option<AnyView> {
    let store = use_store();
    let is_shown = Memo::new(move |_| {
        store.outline.with(|outline| outline.as_ref().is_some_and(|it| it.shows_inactive))
    });
    let words = move || match is_shown.get() {
        true => "Hide what it took the place of".to_owned(),
        false => format!("Show {}", figures::of(count.into(), "message", "messages")),
    };
    (count > 0).then(|| {
        view! {
            <button type="button" class="long-more" on:click=move |_| open::toggle_inactive(store)>{words}</button>
        }
        .into_any()
    })
}
