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
    let words = Memo::new(move |_| words(store));
    let total = Memo::new(move |_| store.progress.get().map(|(_, total)| total).filter(|&total| total > 0));
    view! {
        <progress
            aria-label="Bytes read"
            max=move || total.get().map(|total| total.to_string())
            value=move || total.get().and_then(|_| store.progress.get()).map(|(read, _)| read.to_string())
        ></progress>
        <p role="status">{words}</p>
    }
}

fn words(store: Store) -> String {
    /// What is unpacked is told in such steps.
    const STEP: u64 = 50_000_000;
    match store.progress.get() {
        None => "Looking at what it is".to_owned(),
        Some((unpacked, 0)) if unpacked < STEP => "Unpacking".to_owned(),
        Some((unpacked, 0)) => format!("Unpacked over {}", figures::bytes(unpacked / STEP * STEP)),
        Some((read, total)) => {
            let tenths = read.saturating_mul(10).checked_div(total).unwrap_or(10).min(10);
            format!("{tenths}0 % of {}", figures::bytes(total))
        }
    }
}
