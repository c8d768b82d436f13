//! The first screen: what this is, and the ways in.

use leptos::prelude::*;

use crate::figures;
use crate::intake::pick::{OpenFiles, OpenFolder};
use crate::intake::sample;
use crate::open;
use crate::store::{Panel, use_store};

/// The products whose logs are read, by the names of the adapters; a test compares them.
pub const PRODUCTS: &[&str] = &[
    "Claude Code",
    "Codex",
    "Cursor",
    "GitHub Copilot CLI",
    "Gemini CLI",
    "opencode",
    "Cline and Roo Code",
    "Amp",
    "Kimi",
    "Qwen Code",
    "Pi",
    "ChatGPT",
    "Claude.ai",
];

/// The first screen.
#[component]
pub fn Home() -> impl IntoView {
    let store = use_store();
    view! {
        <div class="home">
            <main>
                <h1 class="brand">"Palim"<span>"psest"</span></h1>
                <p class="lede">
                    "Read a coding agent's session in this tab. It is parsed here; nothing is sent anywhere."
                </p>
                {move || store.wanted.get().map(|_| view! {
                    <p class="wanted">"Open the log again to go to the linked message."</p>
                })}
                <Ways />
                {move || still_open()}
            </main>
            <footer class="foot">
                "0 bytes sent · "
                <button type="button" class="link" on:click=move |_| store.panel.set(Some(Panel::Help))>
                    "press ? for keys"
                </button>
            </footer>
        </div>
    }
}

/// The ways in.
#[component]
pub fn Ways() -> impl IntoView {
    let store = use_store();
    view! {
        <div class="ways">
            <p>"Drop a log, a folder or an archive anywhere"</p>
            <div class="buttons">
                <OpenFiles />
                <OpenFolder />
                <button type="button" class="button" on:click=move |_| sample::open(store)>"Try the sample"</button>
            </div>
            <p class="products"><b>{PRODUCTS.join(", ")}</b> <code>".jsonl .json .zip .tar .gz .zst"</code></p>
        </div>
    }
}

/// What is open behind the first screen: a session, or the list of those that were found.
fn still_open() -> Option<impl IntoView> {
    let store = use_store();
    let title = match store.outline.get() {
        Some(outline) if outline.session.title.is_empty() => "the session".to_owned(),
        Some(outline) => format!("“{}”", outline.session.title.as_str()),
        None => figures::of(store.choices.get()?.len() as u64, "session", "sessions"),
    };
    Some(view! {
        <p class="still-open">
            <button type="button" class="link" on:click=move |_| open::resume(store)>"Back to " {title}</button>
        </p>
    })
}
