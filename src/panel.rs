//! What opens beside the rows: the receipt, and the lines of the log behind a row.
//!
//! In reading order: [`receipt`], [`lines`]: what was read, and which lines were not; [`raw`]: lines
//! as they stand; [`json`]: one of them indented; [`save`]: the session as a file.

use leptos::ev::KeyboardEvent;
use leptos::html::Dialog;
use leptos::prelude::*;
use palimpsest_protocol::BodyPlace;

use crate::store::use_store;

mod json;
mod lines;
mod raw;
mod receipt;
mod save;

/// Narrower than this, in CSS pixels, a sheet covers the rows, which nothing may then reach.
const NARROW: f64 = 860.0;

/// What was read and what was not.
#[component]
pub fn ReceiptPanel() -> impl IntoView {
    view! {
        <Sheet title="Receipt">
            <section aria-label="Receipt">{receipt::receipt()} {save::save()}</section>
        </Sheet>
    }
}

/// The lines of the log behind a row.
#[component]
pub fn RawPanel(place: BodyPlace) -> impl IntoView {
    view! { <Sheet title="Lines of the log">{raw::of_row(place)}</Sheet> }
}

/// A dialog at the side. The focus moves into it; Escape and its button close it.
#[component]
fn Sheet(title: &'static str, children: Children) -> impl IntoView {
    let store = use_store();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        let width = window().inner_width().ok().and_then(|width| width.as_f64());
        // Refused only where it is open already.
        if width.is_some_and(|width| width < NARROW) {
            dialog.show_modal().ok();
        } else {
            dialog.show();
        }
    });
    let close_on_escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            store.close_panel();
        }
    };
    view! {
        <dialog class="sheet" aria-label=title node_ref=dialog on:keydown=close_on_escape>
            <div class="sheet-head">
                <h2>{title}</h2>
                <button type="button" class="sheet-close" on:click=move |_| store.close_panel()>"Close"</button>
            </div>
            <div class="sheet-body">{children()}</div>
        </dialog>
    }
}
