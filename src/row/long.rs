//! Only so much of a text at once: its first lines, all of them when asked for, and where the row
//! has no more than the beginning, pages read from the log.

use leptos::prelude::*;
use palimpsest_protocol::BodyPlace;

use crate::figures;
use crate::row::answer::{lost, waiting};
use crate::row::clip::{self, Clip};
use crate::row::fold::too_much;
use crate::row::folds::{Fold, FoldKey, Side, What};
use crate::row::pager::{Extent, pager};
use crate::row::styled::styled;
use crate::store::use_store;

/// Bytes of a page: two texts of a row can be read at once and stay under 64 KiB together.
const PAGE: u32 = 32 * 1024 - 512;

/// How much of a text there is beyond what is shown at first.
pub enum Rest {
    /// Nothing.
    Nothing,
    /// The row has it: so many lines and bytes in all, and what it takes in the document.
    Here { lines: usize, bytes: usize, weight: usize },
    /// The log has it: so many bytes in all.
    InLog(u64),
}

impl Rest {
    /// What is beyond a clip of a text that has `full_length` bytes in the log where it is not whole.
    pub fn of<T>(clip: &Clip<T>, full_length: Option<u64>) -> Rest {
        match full_length {
            Some(total) => Rest::InLog(total),
            None if clip.cut => Rest::Here { lines: clip.lines, bytes: clip.bytes, weight: clip.weight },
            None => Rest::Nothing,
        }
    }

    fn words(&self) -> String {
        match self {
            Rest::Here { lines, .. } if *lines > clip::LINES => {
                format!("Show all {}", figures::of(*lines as u64, "line", "lines"))
            }
            Rest::Here { bytes, .. } => format!("Show all {}", figures::bytes(*bytes as u64)),
            Rest::InLog(total) => format!("Show more of {}", figures::bytes(*total)),
            Rest::Nothing => String::new(),
        }
    }
}

/// A text: `first` lines of it, and a button for the rest where there is any. The button stays where
/// it is in the order of things, so that the focus is not lost.
pub fn long(
    place: BodyPlace,
    side: Side,
    rest: Rest,
    first: impl Fn() -> AnyView + Send + 'static,
    all: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let bytes = match rest {
        Rest::Nothing => return first(),
        Rest::Here { weight, .. } => weight as u64,
        Rest::InLog(_) => u64::from(PAGE),
    };
    let folds = use_store().folds;
    let key = FoldKey::new(place.clone(), What::Rest(side));
    let state = folds.state(key.clone());
    let in_log = matches!(rest, Rest::InLog(_));
    let shown = move || match state.get() {
        Fold::Open if in_log => pages(place.clone(), side),
        Fold::Open => all(),
        Fold::Closed | Fold::Full => first(),
    };
    let more = rest.words();
    let words = move || if state.get() == Fold::Closed { more.clone() } else { "Show less".to_owned() };
    view! {
        {shown}
        {move || (state.get() == Fold::Full).then(too_much)}
        <button
            type="button"
            class="long-more"
            aria-expanded=move || (state.get() != Fold::Closed).to_string()
            on:click=move |_| folds.toggle(&key, bytes)
        >
            {words}
        </button>
    }
    .into_any()
}

/// The pages of a text that is read from the log as it is asked for.
fn pages(place: BodyPlace, side: Side) -> AnyView {
    let client = use_store().client;
    let start = RwSignal::new(0);
    let page =
        LocalResource::new(move || client.text(place.clone(), side == Side::Output, start.get(), PAGE));
    let extent = move || {
        let window = page.get()?.ok()?;
        Some(Extent { start: window.start, end: window.end, total: window.total })
    };
    let text = move || match page.get() {
        None => waiting(),
        Some(Err(reason)) => lost(&reason),
        Some(Ok(window)) => view! {
            <pre class="pages-text" tabindex="0" role="group" aria-label="Text">{styled(&window.text)}</pre>
        }
        .into_any(),
    };
    view! { <div class="pages">{pager("bytes", extent, start, PAGE.into())} {text}</div> }.into_any()
}
