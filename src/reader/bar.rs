//! The bar above the transcript: where to, what this is, and what can be turned on.

use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::{Outline, SessionHead};

use crate::opening::Progress;
use crate::store::{Panel, Store, Theme, use_store};
use crate::{clock, open};

/// The bar.
#[component]
pub fn Bar() -> impl IntoView {
    let store = use_store();
    let head = Memo::new(move |_| store.outline.get().map(|outline| outline.session.clone()));
    let go_home = move |event: leptos::ev::MouseEvent| {
        // With a key held down the browser does what it does with links.
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            open::home(store);
        }
    };
    view! {
        <header class="bar">
            <a class="brand" href="./" aria-label="Palimpsest, first screen" on:click=go_home>
                "Palim"<span>"psest"</span>
            </a>
            {move || head.get().map(|head| title(&head))}
            <div class="bar-actions">
                <OutlineButton />
                {move || store.choices.get().map(|choices| view! {
                    <button type="button" class="button" data-quiet="" on:click=move |_| open::choices(store)>
                        {format!("All sessions ({})", choices.len())}
                    </button>
                })}
                <Inactive />
                <ThemeButton />
                <button
                    type="button"
                    class="button keys-button"
                    data-quiet=""
                    aria-label="Keys"
                    title="Keys (?)"
                    on:click=move |_| store.panel.set(Some(Panel::Help))
                >
                    "?"
                </button>
            </div>
            {move || store.progress.get().is_some().then(|| view! {
                <div class="bar-progress">
                    <Progress />
                    <button type="button" class="button" data-quiet="" on:click=move |_| open::cancel(store)>"Stop"</button>
                </div>
            })}
        </header>
    }
}

/// Names and dates.
fn title(head: &SessionHead) -> impl IntoView + use<> {
    let title = match head.title.as_str() {
        "" => "Untitled session".to_owned(),
        title => title.to_owned(),
    };
    let project = head.cwd.as_ref().map(|cwd| {
        let name = cwd.rsplit(['/', '\\']).find(|name| !name.is_empty()).unwrap_or(cwd).to_owned();
        view! { <span title=cwd.to_string()><bdi>{name}</bdi></span> }
    });
    let branch = head
        .git_branch
        .as_ref()
        .map(|branch| view! { <span title="Git branch"><bdi>{branch.to_string()}</bdi></span> });
    let model =
        head.model.as_ref().map(|model| view! { <span title="Model"><bdi>{model.to_string()}</bdi></span> });
    let origin = head.forked_from.as_ref().map(|id| {
        view! { <span title="The session it was forked from, or whose subagent it is">"from " <bdi>{id.to_string()}</bdi></span> }
    });
    let version = head.version.as_ref().map(|version| format!("Version {}", &**version));
    let times = head.times.map(|(first, last)| {
        let full = format!("{} to {}", clock::full(first), clock::full(last));
        view! { <time datetime=clock::instant(first) title=full>{clock::span(first, last)}</time> }
    });
    view! {
        <div class="bar-title">
            <h1 title=title.clone()><bdi>{title.clone()}</bdi></h1>
            <p><span title=version>{head.provider.to_string()}</span> {project} {branch} {model} {times} {origin}</p>
        </div>
    }
}

/// What is known of superseded history: a toggle, or that nothing is known.
#[component]
fn Inactive() -> impl IntoView {
    let store = use_store();
    let state = Memo::new(move |_| store.outline.get().as_deref().map(History::of));
    move || match state.get()? {
        History::Counted { count, is_shown } => Some(toggle(store, count, is_shown).into_any()),
        History::Unrecorded { is_forked } => Some(
            view! {
                <p class="unrecorded">
                    "This source does not record superseded history"
                    {is_forked.then_some(", nor which branch is current")}
                </p>
            }
            .into_any(),
        ),
    }
}

/// What a source says of what was superseded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum History {
    /// It can say, and this is how much.
    Counted { count: u32, is_shown: bool },
    /// It cannot say.
    Unrecorded { is_forked: bool },
}

impl History {
    fn of(outline: &Outline) -> History {
        let head = &outline.session;
        if outline.inactive == 0 && !head.attests_inactive {
            History::Unrecorded { is_forked: head.has_branch_points }
        } else {
            History::Counted { count: outline.inactive, is_shown: outline.shows_inactive }
        }
    }
}

fn toggle(store: Store, count: u32, is_shown: bool) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            aria-pressed=is_shown.to_string()
            disabled=count == 0
            title=if count == 0 { "Nothing in this session was superseded" } else { "Messages that were superseded (i)" }
            on:click=move |_| open::toggle_inactive(store)
        >
            {format!("Show inactive ({count})")}
        </button>
    }
}

/// Opens the outline where there is no room for it beside the transcript.
#[component]
fn OutlineButton() -> impl IntoView {
    let store = use_store();
    let has_marks = Memo::new(move |_| {
        store.outline.with(|outline: &Option<Arc<Outline>>| {
            outline.as_ref().is_some_and(|outline| !outline.marks.is_empty())
        })
    });
    view! {
        <Show when=move || has_marks.get()>
            <button
                type="button"
                class="button outline-button"
                data-quiet=""
                aria-expanded=move || store.is_outline_open.get().to_string()
                on:click=move |_| store.is_outline_open.update(|is_open| *is_open = !*is_open)
            >
                "Outline"
            </button>
        </Show>
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let store = use_store();
    let sign = move || match store.theme.get() {
        Theme::System => "◐",
        Theme::Light => "○",
        Theme::Dark => "●",
    };
    let name = move || format!("Theme: {}", store.theme.get().as_str());
    view! {
        <button
            type="button"
            class="button"
            data-quiet=""
            aria-label=name
            title=name
            on:click=move |_| store.theme.update(|theme| *theme = theme.next())
        >
            {sign}
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_is_honest() {
        let check = |inactive, attests_inactive, has_branch_points, want: History| {
            let session = SessionHead { attests_inactive, has_branch_points, ..SessionHead::default() };
            assert_eq!(History::of(&Outline { inactive, session, ..Outline::default() }), want);
        };
        check(0, true, false, History::Counted { count: 0, is_shown: false });
        check(4, true, false, History::Counted { count: 4, is_shown: false });
        check(4, false, false, History::Counted { count: 4, is_shown: false });
        check(0, false, false, History::Unrecorded { is_forked: false });
        check(0, false, true, History::Unrecorded { is_forked: true });
    }
}
