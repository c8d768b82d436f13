//! Lines of a log as they stand.

use leptos::prelude::*;
use palimpsest_protocol::styled::Styled;
use palimpsest_protocol::{BodyPlace, RawText};

use crate::client::Lost;
use crate::figures;
use crate::panel::json;
use crate::row::answer::{lost, waiting};
use crate::row::pager::{Extent, pager};
use crate::row::plain;
use crate::row::styled::styled;
use crate::store::use_store;

/// Bytes that the worker answers with at once.
const PAGE: u64 = 64 * 1024;

/// Most lines that get a number of their own. A page of real log has a dozen; one of bare line
/// feeds would have 65,536.
const MOST_LINES: usize = 1_000;

/// What the worker says of some lines.
type Answer = LocalResource<Result<RawText, Lost>>;

/// The lines behind a row, a page at a time.
pub fn of_row(place: BodyPlace) -> AnyView {
    let client = use_store().client;
    let start = RwSignal::new(0);
    let answer: Answer = LocalResource::new(move || client.raw(place.clone(), start.get()));
    let extent = move || {
        let raw = answer.get()?.ok()?;
        Some(Extent { start: raw.start, end: raw.end, total: raw.total })
    };
    view! { {pager("bytes", extent, start, PAGE)} {shown(answer)} }.into_any()
}

/// One line, or its beginning.
pub fn of_line(file: u32, line: u32) -> AnyView {
    let client = use_store().client;
    let answer: Answer = LocalResource::new(move || client.log_line(file, line));
    let beginning = move || {
        let raw = answer.get()?.ok().filter(|raw| raw.end < raw.total)?;
        let words = format!("The first {} of {}:", figures::bytes(raw.end), figures::bytes(raw.total));
        Some(view! { <p class="lost">{words}</p> })
    };
    view! { {beginning} {shown(answer)} }.into_any()
}

fn shown(answer: Answer) -> AnyView {
    let shown = move || match answer.get() {
        None => waiting(),
        Some(Err(reason)) => lost(&reason),
        Some(Ok(raw)) => numbered(raw),
    };
    shown.into_any()
}

fn numbered(raw: RawText) -> AnyView {
    let indented = RwSignal::new(false);
    let label = format!("{}, line {}", raw.path, raw.line_first);
    let path = raw.path.clone();
    let can_indent = raw.lines.iter().any(|line| json::indented(&plain::styled(line)).is_some());
    let lines = move || {
        let mut lines = raw.lines.iter();
        let numbered = lines.by_ref().take(MOST_LINES).zip(raw.line_first..);
        let mut shown: Vec<AnyView> =
            numbered.map(|(line, number)| numbered_line(line, number, indented.get())).collect();
        let rest: Vec<String> = lines.map(|line| plain::styled(line)).collect();
        shown.push(rest.join("\n").into_any());
        shown
    };
    let toggle = move |_| indented.update(|indented| *indented = !*indented);
    view! {
        <div class="raw-head">
            <span class="raw-path" dir="ltr">{path}</span>
            {can_indent.then(|| view! {
                <button type="button" aria-pressed=move || indented.get().to_string() on:click=toggle>"Indent JSON"</button>
            })}
        </div>
        <pre class="raw" dir="ltr" tabindex="0" role="group" aria-label=label>{lines}</pre>
    }
    .into_any()
}

fn numbered_line(line: &[Styled], number: u32, indent: bool) -> AnyView {
    let indented = if indent { json::indented(&plain::styled(line)) } else { None };
    let text = match indented {
        Some(json) => json.into_any(),
        None => styled(line),
    };
    view! {
        <span class="raw-line">
            <span class="raw-number">{number.to_string()}</span>
            <span class="raw-text">{text}</span>
        </span>
    }
    .into_any()
}
