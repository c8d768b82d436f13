//! The lines of one class of the receipt.

use leptos::prelude::*;
use palimpsest_protocol::{LineClass, LineList, LineRef};

use crate::client::Lost;
use crate::figures;
use crate::panel::raw;
use crate::row::answer::{lost, waiting};
use crate::row::fold::{Look, disclosure};
use crate::row::pager::{Extent, pager};
use crate::store::use_store;

/// Lines that the worker names at once.
const PAGE: u64 = 100;

/// A page of the lines, each of which opens as it stands in the log.
pub fn lines(class: LineClass) -> AnyView {
    let client = use_store().client;
    let skip = RwSignal::new(0);
    let list: LocalResource<Result<LineList, Lost>> = LocalResource::new(move || {
        client.lines(class.clone(), u32::try_from(skip.get()).unwrap_or(u32::MAX))
    });
    let extent = move || {
        let list = list.get()?.ok()?;
        let start = skip.get();
        Some(Extent { start, end: start + list.lines.len() as u64, total: list.total.into() })
    };
    let shown = move || match list.get() {
        None => waiting(),
        Some(Err(reason)) => lost(&reason),
        Some(Ok(list)) => list.lines.iter().map(line).collect::<Vec<_>>().into_any(),
    };
    view! { {pager("lines", extent, skip, PAGE)} {shown} }.into_any()
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
