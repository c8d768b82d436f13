//! The lines of one class of the receipt.

use leptos::prelude::*;
use palimpsest_protocol::{LineClass, LineList, LineRef};

use crate::client::Lost;
use crate::figures;
use crate::panel::raw;
use crate::row::answer::{lost, waiting};
use crate::row::fold::{Look, disclosure};
use crate::store::use_store;

/// Lines that the worker names at once.
const PAGE: u32 = 100;

/// A page of the lines, each of which opens as it stands in the log.
pub fn lines(class: LineClass) -> AnyView {
    let client = use_store().client;
    let skip = RwSignal::new(0_u32);
    let list: LocalResource<Result<LineList, Lost>> =
        LocalResource::new(move || client.lines(class.clone(), skip.get()));
    let total = move || list.get().and_then(Result::ok).map_or(0, |list| list.total);
    let shown = move || match list.get() {
        None => waiting(),
        Some(Err(reason)) => lost(&reason),
        Some(Ok(list)) => list.lines.iter().map(line).collect::<Vec<_>>().into_any(),
    };
    let range = move || {
        let first = skip.get() + 1;
        let last = (skip.get() + PAGE).min(total());
        format!(
            "{}–{} of {}",
            figures::count(first.into()),
            figures::count(last.into()),
            figures::count(total().into())
        )
    };
    let at_start = move || skip.get() == 0;
    let at_end = move || skip.get() + PAGE >= total();
    let back = move |_| skip.update(|skip| *skip = skip.saturating_sub(PAGE));
    let on = move |_| {
        if !at_end() {
            skip.update(|skip| *skip += PAGE);
        }
    };
    view! {
        <div class="pager" role="group" aria-label="Pages" hidden=move || total() <= PAGE>
            <button type="button" aria-disabled=move || at_start().to_string() on:click=back>"Previous"</button>
            <button type="button" aria-disabled=move || at_end().to_string() on:click=on>"Next"</button>
            <span role="status">{range}</span>
        </div>
        {shown}
    }
    .into_any()
}

fn line(at: &LineRef) -> AnyView {
    let (file, number) = (at.file, at.line);
    let is_open = RwSignal::new(false);
    let name = match file {
        0 => format!("line {}", figures::count(number.into())),
        file => {
            format!("file {}, line {}", figures::count(u64::from(file) + 1), figures::count(number.into()))
        }
    };
    let line = view! {
        <span class="fold-label">{name}</span>
        <span class="fold-words">{at.reason.clone()}</span>
        <span class="fold-tail">{figures::bytes(at.length.into())}</span>
    };
    let toggle = move || is_open.update(|open| *open = !*open);
    disclosure(
        Look::Plain,
        move || is_open.get(),
        toggle,
        line.into_any(),
        move || raw::of_line(file, number),
    )
}
