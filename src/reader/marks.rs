//! The outline beside the transcript: the prompts, errors, summaries and branch points. A session
//! can have tens of thousands of them, so only those around what is read are in the document; the
//! rest is reached by going on from there.

use std::ops::Range;
use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::{Mark, MarkKind, Outline};

use crate::store::{Store, use_store};

/// Most marks in the document. A list that is shorter is there as a whole.
const MOST: usize = 100;

/// The outline.
#[component]
pub fn Marks() -> impl IntoView {
    let store = use_store();
    let outline = move || store.outline.get().unwrap_or_default();
    let here = Memo::new(move |_| mark_at(&outline().marks, store.feed.top_row.get()));
    // It moves on by whole pages, so that it stands still while the person reads on.
    let page = Memo::new(move |_| page_around(here.get().unwrap_or(0), outline().marks.len()));
    view! {
        <nav class="outline" aria-label="Outline" data-open=move || store.is_outline_open.get().to_string()>
            <h2>"Outline"</h2>
            // After the first rows: they are what the person waits for.
            {move || store.feed.is_drawn.get().then(|| list(store, &outline(), page.get(), here))}
        </nav>
    }
}

fn list(
    store: Store,
    outline: &Arc<Outline>,
    page: Range<usize>,
    here: Memo<Option<usize>>,
) -> impl IntoView + use<> {
    let marks = outline.marks.get(page.clone()).unwrap_or_default();
    let before = page.start.checked_sub(1).and_then(|last| outline.marks.get(last));
    let behind = outline.marks.get(page.end);
    let rest = outline.marks.len().saturating_sub(page.end);
    view! {
        {before.map(|mark| way_on(store, format!("{} earlier", page.start), mark.row))}
        <ol>
            {marks.iter().zip(page).map(|(mark, index)| entry(store, outline, mark, index, here)).collect_view()}
        </ol>
        {behind.map(|mark| way_on(store, format!("{rest} more"), mark.row))}
    }
}

/// To the marks that are not in the document.
fn way_on(store: Store, words: String, row: u32) -> impl IntoView {
    view! { <button type="button" class="link" on:click=move |_| go(store, row)>{words}</button> }
}

fn entry(
    store: Store,
    outline: &Outline,
    mark: &Mark,
    index: usize,
    here: Memo<Option<usize>>,
) -> impl IntoView + use<> {
    let row = mark.row;
    let is_inactive = outline.rows.get(row as usize).is_some_and(|hint| hint.inactive);
    view! {
        <li data-mark=name(mark.kind) data-inactive=is_inactive>
            <button
                type="button"
                aria-current=move || (here.get() == Some(index)).then_some("true")
                on:click=move |_| go(store, row)
            >
                {label(mark.kind).map(|label| view! { <span class="mark-kind">{label}</span> })}
                <bdi>{mark.short.to_string()}</bdi>
            </button>
        </li>
    }
}

fn go(store: Store, row: u32) {
    store.is_outline_open.set(false);
    store.feed.show_row(row as usize);
}

/// The word used in CSS.
fn name(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Prompt => "prompt",
        MarkKind::Error => "error",
        MarkKind::Summary => "summary",
        MarkKind::BranchPoint => "branch",
    }
}

/// What a mark is, where it is no prompt.
fn label(kind: MarkKind) -> Option<&'static str> {
    match kind {
        MarkKind::Prompt => None,
        MarkKind::Error => Some("Error"),
        MarkKind::Summary => Some("Summary"),
        MarkKind::BranchPoint => Some("Branches"),
    }
}

/// The mark that a row is under: the last one that is not below it.
fn mark_at(marks: &[Mark], row: usize) -> Option<usize> {
    marks.partition_point(|mark| mark.row as usize <= row).checked_sub(1)
}

/// The marks in the document: pages of half their number, so that there is always some before and
/// some behind.
fn page_around(here: usize, count: usize) -> Range<usize> {
    if count <= MOST {
        return 0..count;
    }
    let half = MOST / 2;
    let start = (here / half * half).saturating_sub(half / 2).min(count - MOST);
    start..start + MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_above() {
        let marks: Vec<Mark> =
            [2, 5, 5, 9].map(|row| Mark { row, kind: MarkKind::Prompt, short: "".into() }).into();
        for (row, want) in
            [(0, None), (2, Some(0)), (4, Some(0)), (5, Some(2)), (8, Some(2)), (1_000, Some(3))]
        {
            assert_eq!(mark_at(&marks, row), want, "row {row}");
        }
        assert_eq!(mark_at(&[], 3), None);
    }

    #[test]
    fn only_so_many_are_drawn() {
        for count in [0, 1, MOST, MOST + 1, 10_000] {
            for here in (0..count).step_by(7) {
                let page = page_around(here, count);
                assert!(page.contains(&here), "{here} of {count} is not in {page:?}");
                assert!(page.len() <= MOST && page.end <= count);
            }
        }
    }
}
