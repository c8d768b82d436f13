//! Several sessions were found: one is chosen.

use leptos::prelude::*;
use palimpsest_protocol::SessionChoice;

use crate::figures;
use crate::open;
use crate::store::use_store;

/// Most sessions that are listed at once; a filter leads to the others.
const MOST: usize = 200;
/// A list of so many is looked through faster than a filter is typed.
const SHORT: usize = 12;

/// The list of sessions.
#[component]
pub fn Sessions() -> impl IntoView {
    let store = use_store();
    let choices = store.choices.get_untracked().unwrap_or_default();
    let count = figures::of(choices.len() as u64, "session", "sessions");
    let filter = RwSignal::new(String::new());
    let has_filter = choices.len() > SHORT;
    view! {
        <div class="home">
            <main>
                <h1>{count} " found"</h1>
                <p class="lede">"Choose the one to read."</p>
                {has_filter.then(|| view! {
                    <input
                        type="search"
                        class="filter"
                        aria-label="Filter the sessions"
                        placeholder="Filter by path or product"
                        on:input:target=move |event| filter.set(event.target().value())
                    />
                })}
                {move || list(&choices, &filter.get())}
                <div class="buttons">
                    <button type="button" class="button" on:click=move |_| open::home(store)>"Back"</button>
                </div>
            </main>
        </div>
    }
}

fn list(choices: &[SessionChoice], filter: &str) -> impl IntoView + use<> {
    let found: Vec<usize> = choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| fits(choice, filter))
        .map(|(index, _)| index)
        .collect();
    let left = found.len().saturating_sub(MOST);
    let shown = found.iter().take(MOST).filter_map(|&index| Some((index, choices.get(index)?)));
    view! {
        <ul class="choices">{shown.map(choice).collect_view()}</ul>
        {(left > 0).then(|| view! { <p class="lede">{figures::count(left as u64)} " more: the filter leads to them."</p> })}
        {found.is_empty().then(|| view! { <p class="lede">"None fits."</p> })}
    }
}

/// Every word of the filter is in the path or in the product's name.
fn fits(choice: &SessionChoice, filter: &str) -> bool {
    let text = format!("{} {}", choice.path, choice.provider).to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_words_in_any_order() {
        let choice = SessionChoice {
            path: "projects/Shop-API/one.jsonl".to_owned(),
            provider: "Claude Code".to_owned(),
            bytes: 1,
            files: 1,
        };
        for (filter, want) in [
            ("", true),
            ("  ", true),
            ("shop", true),
            ("claude ONE", true),
            ("one shop", true),
            ("two", false),
        ] {
            assert_eq!(fits(&choice, filter), want, "{filter}");
        }
    }
}
