//! A block of code.

use leptos::prelude::*;
use palimpsest_record::Text;

use crate::store::use_store;

/// Code with its language and a button to copy it. It scrolls in its own box, which the keyboard
/// reaches; its direction is its own, whatever the text around it.
pub fn code(language: &Text, text: &Text) -> AnyView {
    let store = use_store();
    let label = match language.as_str() {
        "" => "Code".to_owned(),
        language => format!("Code, {language}"),
    };
    let copied = text.clone();
    view! {
        <div class="code">
            <div class="code-head">
                <span>{language.as_str().to_owned()}</span>
                <button type="button" on:click=move |_| store.copy("Code", copied.as_str().to_owned())>"copy"</button>
            </div>
            <pre dir="ltr" tabindex="0" role="group" aria-label=label>{text.as_str().to_owned()}</pre>
        </div>
    }
    .into_any()
}
