//! Several sessions were found: one is chosen.

use leptos::prelude::*;
use palimpsest_protocol::SessionChoice;

use crate::figures;
use crate::open;
use crate::store::use_store;

/// The list of sessions.
#[component]
pub fn Sessions() -> impl IntoView {
    let store = use_store();
    let choices = store.choices.get_untracked().unwrap_or_default();
    let count = figures::of(choices.len() as u64, "session", "sessions");
    view! {
        <div class="home">
            <main>
                <h1>{count} " found"</h1>
                <p class="lede">"Choose the one to read."</p>
                <ul class="choices">{choices.iter().enumerate().map(choice).collect_view()}</ul>
                <div class="buttons">
                    <button type="button" class="button" on:click=move |_| open::home(store)>"Back"</button>
                </div>
            </main>
        </div>
    }
}

fn choice((index, choice): (usize, &SessionChoice)) -> impl IntoView + use<> {
    let store = use_store();
    let (folder, name) = match choice.path.rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name.to_owned()),
        None => (String::new(), choice.path.clone()),
    };
    let files =
        (choice.files > 1).then(|| format!(" · {}", figures::of(choice.files.into(), "file", "files")));
    view! {
        <li>
            <button type="button" on:click=move |_| open::choose(store, index as u32)>
                <span class="path"><span class="folder">{folder}</span><bdi>{name}</bdi></span>
                <span class="about">{choice.provider.clone()} " · " {figures::bytes(choice.bytes)} {files}</span>
            </button>
        </li>
    }
}
