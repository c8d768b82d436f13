//! The frame around every screen.

use leptos::prelude::*;

use crate::panel::{RawPanel, ReceiptPanel};
use crate::store::{Panel, Store};

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::new();
    provide_context(store);
    view! {
        {move || match store.panel.get() {
            Some(Panel::Receipt) => view! { <ReceiptPanel /> }.into_any(),
            Some(Panel::Raw(id)) => view! { <RawPanel id /> }.into_any(),
            Some(Panel::Help) | None => ().into_any(),
        }}
    }
}
