//! Steps through what is too long to be in the document at once.

use leptos::prelude::*;

use crate::figures;

/// Which part of something long is shown, in bytes of a text or items of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The first.
    pub start: u64,
    /// The one behind the last.
    pub end: u64,
    /// How many there are.
    pub total: u64,
}

/// A list, `page` of its items at a time.
pub fn paged<T, Draw>(items: &'static str, all: Vec<T>, page: usize, draw: Draw) -> AnyView
where
    T: Send + Sync + 'static,
    Draw: Fn(usize, &T) -> AnyView + Send + Sync + 'static,
{
    if all.len() <= page {
        return all
            .iter()
            .enumerate()
            .map(|(number, item)| draw(number, item))
            .collect::<Vec<_>>()
            .into_any();
    }
    let start = RwSignal::new(0);
    let total = all.len() as u64;
    let extent = move || {
        let first = start.get();
        Some(Extent { start: first, end: total.min(first + page as u64), total })
    };
    let shown = move || {
        let first = usize::try_from(start.get()).unwrap_or(usize::MAX);
        let shown = all.iter().enumerate().skip(first).take(page);
        shown.map(|(number, item)| draw(number, item)).collect::<Vec<_>>()
    };
    view! { {shown} {pager(items, extent, start, page as u64)} }.into_any()
}

/// Says which `items` are shown (`bytes`, `lines`) and goes back `page` of them or on, by setting
/// `start`. Not there where all are shown.
pub fn pager(
    items: &'static str,
    extent: impl Fn() -> Option<Extent> + Copy + Send + Sync + 'static,
    start: RwSignal<u64>,
    page: u64,
) -> AnyView {
    let is_part = Memo::new(move |_| extent().is_some_and(|at| at.start > 0 || at.end < at.total));
    let range = move || {
        extent().map(|at| {
            let first = figures::count(at.start.saturating_add(1).min(at.total));
            format!("{items} {first}–{} of {}", figures::count(at.end), figures::count(at.total))
        })
    };
    // A button that goes away or is disabled would take the focus with it.
    let at_start = move || extent().is_none_or(|at| at.start == 0);
    let at_end = move || extent().is_none_or(|at| at.end >= at.total);
    let back = move |_| {
        if let Some(at) = extent().filter(|at| at.start > 0) {
            start.set(at.start.saturating_sub(page));
        }
    };
    let on = move |_| {
        if let Some(at) = extent().filter(|at| at.end < at.total) {
            start.set(at.end);
        }
    };
    view! {
        <div class="pager" role="group" aria-label="Pages" hidden=move || !is_part.get()>
            <button type="button" aria-disabled=move || at_start().to_string() on:click=back>"Previous"</button>
            <button type="button" aria-disabled=move || at_end().to_string() on:click=on>"Next"</button>
            <span role="status">{range}</span>
        </div>
    }
    .into_any()
}
