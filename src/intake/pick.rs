//! The two buttons that let the person pick files or a folder.

use leptos::html::Input;
use leptos::prelude::*;

use super::{picked, take};
use crate::store::use_store;

/// `Open files`.
#[component]
pub fn OpenFiles() -> impl IntoView {
    view! { <Picker label="Open files" of=Of::Files /> }
}

/// `Open folder`.
#[component]
pub fn OpenFolder() -> impl IntoView {
    view! { <Picker label="Open folder" of=Of::Folder /> }
}

/// What can be picked.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Files,
    Folder,
}

/// A button in front of the browser's own input, which cannot be given a look.
#[component]
fn Picker(label: &'static str, of: Of) -> impl IntoView {
    let store = use_store();
    let input = NodeRef::<Input>::new();
    let pick = move |_| {
        if let Some(input) = input.get() {
            // The same files again are a change, too.
            input.set_value("");
            input.set_webkitdirectory(of == Of::Folder);
            input.click();
        }
    };
    let take_picked = move |_| {
        let Some(files) = input.get().and_then(|input| input.files()) else { return };
        let what = if of == Of::Folder { "the folder" } else { "what was picked" };
        take(store, picked(&files), what);
    };
    let is_first = of == Of::Files;
    view! {
        <button type="button" class="button" data-first=is_first.then_some("") on:click=pick>{label}</button>
        <input
            type="file"
            hidden
            multiple
            node_ref=input
            on:change=take_picked
        />
    }
}
