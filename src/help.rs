//! The keys, in a dialog.

use leptos::html::Dialog;
use leptos::prelude::*;

use crate::keys::{KEYS, Key};
use crate::store::use_store;

/// The help.
#[component]
pub fn Help() -> impl IntoView {
    let store = use_store();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move |_| {
        // Refused only where it is open already.
        dialog.get().map(|dialog| dialog.show_modal().ok());
    });
    view! {
        <dialog class="help" aria-label="Keys" node_ref=dialog on:close=move |_| store.close_panel()>
            <div class="help-head">
                <h2>"Keys"</h2>
                <button type="button" class="button" on:click=move |_| store.close_panel()>"Close"</button>
            </div>
            <table>
                <tbody>{KEYS.iter().map(line).collect_view()}</tbody>
            </table>
            <p>
                "In the transcript, Page Up and Page Down go from message to message, Home and End to the first and the last."
            </p>
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || store.single_keys.get()
                    on:change:target=move |event| store.single_keys.set(event.target().checked())
                />
                "Single keys are commands"
            </label>
        </dialog>
    }
}

fn line(key: &'static Key) -> impl IntoView {
    let keys =
        key.press.split(' ').map(|key| view! { <kbd>{if key == "Escape" { "Esc" } else { key }}</kbd> });
    view! {
        <tr>
            <th scope="row">{keys.collect_view()}</th>
            <td>{key.does}</td>
        </tr>
    }
}
