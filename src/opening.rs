//! While nothing of the log can be shown yet.

use leptos::prelude::*;

use crate::store::{Store, use_store};
use crate::{figures, open};

/// How far reading is, and a way out. It becomes visible only after a moment: most logs are open by then.
#[component]
pub fn Opening() -> impl IntoView {
    let store = use_store();
    view! {
        <div class="home">
            <main class="card late">
                <h1>"Reading"</h1>
                <Progress />
                <div class="buttons">
                    <button type="button" class="button" on:click=move |_| open::cancel(store)>"Cancel"</button>
                </div>
            </main>
        </div>
    }
}

/// How far reading is, in a line and in words. The words change once for every tenth, so that they
/// are not announced without end.
#[component]
pub fn Progress() -> impl IntoView {
    let store = use_store();
    let tenths = Memo::new(move |_| tenths(store));
    let total = Memo::new(move |_| store.progress.get().map(|(_, total)| total));
    view! {
        <progress
            aria-label="Bytes read"
            max=move || total.get().map(|total| total.to_string())
            value=move || store.progress.get().map(|(read, _)| read.to_string())
        ></progress>
        <p role="status">
            {move || match (tenths.get(), total.get()) {
                (Some(tenths), Some(total)) => format!("{}0 % of {}", tenths, figures::bytes(total)),
                _ => "Looking at what it is".to_owned(),
            }}
        </p>
    }
}

fn tenths(store: Store) -> Option<u64> {
    let (read, total) = store.progress.get()?;
    Some(read.saturating_mul(10).checked_div(total).unwrap_or(10).min(10))
}
