//! What stands in for an answer of the worker until it comes, or instead of it.

use leptos::prelude::*;

use crate::client::Lost;

/// Becomes visible only after a moment: most answers are there before anyone could read this.
pub fn waiting() -> AnyView {
    view! { <p class="waiting">"reading…"</p> }.into_any()
}

/// Why there is none.
pub fn lost(reason: &Lost) -> AnyView {
    view! { <p class="lost">{format!("This cannot be shown: {reason}.")}</p> }.into_any()
}
