//! Several sessions were found: one is chosen.
//!
//! - [`order`]: which of them are listed, and in what order

pub mod order;

use leptos::html::Input;
use leptos::prelude::*;
use palimpsest_protocol::SessionChoice;

use self::order::By;
use crate::store::{Store, use_store};
use crate::{clock, figures, open};

/// Most sessions that are listed at once; a filter leads to the others.
const MOST: usize = 1_000;

/// The list of sessions.
#[component]
pub fn Sessions() -> impl IntoView {
    let store = use_store();
    let count = Memo::new(move |_| store.choices.with(|choices| choices.as_ref().map_or(0, |it| it.len())));
    let listed = Memo::new(move |_| listed(store));
    go_back_to_place(store);
    view! {
        <div class="home list">
            <main>
                <h1>{move || figures::of(count.get() as u64, "session", "sessions")} " found"</h1>
                <p class="lede" role="status">{move || state(store)}</p>
                <Tools />
                <ol class="choices">
                    <For each=move || listed.get().0 key=|at| *at let:at><Choice at /></For>
                </ol>
                {move || match listed.get() {
                    (shown, 0) if shown.is_empty() => view! { <p class="lede">"None fits the filter."</p> }.into_any(),
                    (_, 0) => ().into_any(),
                    (_, left) => view! {
                        <p class="lede">{figures::count(left as u64)} " more: the filter leads to them."</p>
                    }.into_any(),
                }}
                <div class="buttons">
                    <button type="button" class="button" on:click=move |_| open::home(store)>"Back"</button>
                </div>
            </main>
        </div>
    }
}

/// Those that are listed, by their indices, and how many more there are.
fn listed(store: Store) -> (Vec<usize>, usize) {
    let Some(choices) = store.choices.get() else { return (Vec::new(), 0) };
    let mut found = store.order.with(|order| order.of(&choices));
    let left = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    (found, left)
}

/// How far the list is.
fn state(store: Store) -> String {
    let known = store.choices.with(|choices| {
        let choices = choices.as_deref().unwrap_or_default();
        (choices.iter().filter(|choice| choice.facts.is_some()).count(), choices.len())
    });
    match known {
        (known, all) if known < all => {
            // In tenths, so that they are not announced without end.
            format!("Choose the one to read. {}0 % of them are looked through.", known * 10 / all)
        }
        _ => "Choose the one to read.".to_owned(),
    }
}

/// The filter and the order.
#[component]
fn Tools() -> impl IntoView {
    let store = use_store();
    let input = NodeRef::<Input>::new();
    view! {
        <div class="tools">
            <input
                type="search"
                class="filter"
                aria-label="Filter the sessions"
                placeholder="Filter by title, project, path or product"
                node_ref=input
                prop:value=move || store.order.with(|order| order.filter.clone())
                on:input:target=move |event| {
                    let filter = event.target().value();
                    store.order.update(|order| order.filter = filter);
                }
            />
            <div class="sorts" role="group" aria-label="Order">
                {By::ALL.map(|by| view! { <Sort by /> })}
            </div>
        </div>
    }
}

/// A way to sort; again, and it is the other way round.
#[component]
fn Sort(by: By) -> impl IntoView {
    let store = use_store();
    let is_on = move || store.order.with(|order| order.by == by);
    let is_turned = move || store.order.with(|order| order.by == by && order.is_turned);
    view! {
        <button
            type="button"
            class="sort"
            aria-pressed=move || if is_on() { "true" } else { "false" }
            on:click=move |_| store.order.update(|order| order.choose(by))
        >
            {move || if is_turned() { by.turned() } else { by.label() }}
        </button>
    }
}

/// One session.
#[component]
fn Choice(at: usize) -> impl IntoView {
    let store = use_store();
    let choice = Memo::new(move |_| store.choices.with(|choices| choices.as_ref()?.get(at).cloned()));
    let choose = move |_| {
        let place = window().scroll_y().unwrap_or_default();
        store.place.set_value(place);
        open::choose(store, at as u32);
    };
    view! {
        <li>
            <button type="button" on:click=choose>
                {move || choice.get().map(|choice| lines(&choice))}
            </button>
        </li>
    }
}

fn lines(choice: &SessionChoice) -> impl IntoView + use<> {
    let facts = choice.facts.clone().unwrap_or_default();
    let name = choice.path.rsplit('/').next().unwrap_or_default().to_owned();
    let files = (choice.files > 1).then(|| figures::of(choice.files.into(), "file", "files"));
    let messages = facts.messages.map(|count| figures::of(count, "message", "messages"));
    let about = [Some(choice.provider.clone()), messages, Some(figures::bytes(choice.bytes)), files];
    let about = about.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let title = if facts.title.is_empty() { name } else { facts.title };
    // The path stands where the project would, where none is known.
    let path = view! { <span class="path"><bdi>{choice.path.clone()}</bdi></span> };
    let (second, third) = if facts.project.is_empty() {
        (path.into_any(), ().into_any())
    } else {
        let project = view! { <span class="project"><bdi>{facts.project}</bdi></span> };
        (project.into_any(), path.into_any())
    };
    view! {
        <span class="title"><bdi>{title}</bdi></span>
        <span class="about">{about}</span>
        {second}
        <span class="when">{when(facts.started, facts.ended)}</span>
        {third}
    }
}

/// From when to when, e.g. `2 Mar 10:04 to 11:30`.
fn when(started: Option<i64>, ended: Option<i64>) -> String {
    let at = |ms| format!("{} {}", clock::day(ms), clock::minute(ms));
    match (started, ended) {
        (Some(start), Some(end)) if clock::day(start) == clock::day(end) => {
            match clock::minute(start) == clock::minute(end) {
                true => at(start),
                false => format!("{} to {}", at(start), clock::minute(end)),
            }
        }
        (Some(start), Some(end)) => format!("{} to {}", at(start), at(end)),
        (Some(start), None) => format!("from {}", at(start)),
        (None, Some(end)) => format!("to {}", at(end)),
        (None, None) => String::new(),
    }
}

/// The list is where it was left.
fn go_back_to_place(store: Store) {
    let place = store.place.get_value();
    request_animation_frame(move || window().scroll_to_with_x_and_y(0.0, place));
}
