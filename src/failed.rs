//! What went wrong, and the ways on.

use leptos::prelude::*;

use crate::home::Ways;
use crate::open;
use crate::store::{Failure, Store};

/// The card for a failure.
pub fn card(store: Store, failure: Failure) -> impl IntoView {
    let (title, sentence) = words(&failure);
    let can_try_again =
        matches!(failure, Failure::Crashed(_)) && store.picked.with_value(|picked| !picked.is_empty());
    let can_load_again = failure == Failure::OtherBuild;
    let others = store.choices.get_untracked().map(|choices| choices.len());
    view! {
        <div class="home">
            <main>
                <div class="card failed" role="alert">
                    <h1>{title}</h1>
                    <p>{sentence}</p>
                    {can_try_again.then(|| view! {
                        <div class="buttons">
                            <button type="button" class="button" data-first="" on:click=move |_| open::again(store)>
                                "Open the file again"
                            </button>
                        </div>
                    })}
                    {others.map(|count| view! {
                        <div class="buttons">
                            <button type="button" class="button" data-first="" on:click=move |_| open::choices(store)>
                                {format!("All sessions ({count})")}
                            </button>
                        </div>
                    })}
                    {can_load_again.then(|| view! {
                        <div class="buttons">
                            <button type="button" class="button" data-first="" on:click=move |_| load_again()>
                                "Load the page again"
                            </button>
                        </div>
                    })}
                </div>
                <Ways />
            </main>
        </div>
    }
}

fn load_again() {
    window().location().reload().ok();
}

fn words(failure: &Failure) -> (&'static str, String) {
    match failure {
        Failure::Refused(sentence) => ("This cannot be read", sentence.clone()),
        Failure::Crashed(reason) => {
            let reason = if reason.is_empty() { String::new() } else { format!(" The browser says: {reason}.") };
            let sentence = format!("Reading ended unexpectedly. Your file is as it was, and nothing left this tab.{reason}");
            ("The reader stopped", sentence)
        }
        Failure::OtherBuild => (
            "The page is out of date",
            "A part of this page comes from another version, and loading it again did not help. Emptying the browser's \
             cache for this page will."
                .to_owned(),
        ),
    }
}
