//! Where the conversation goes on in more than one way.

use leptos::prelude::*;
use palimpsest_protocol::row::Branch;
use palimpsest_record::Text;

use crate::figures;
use crate::row::meta;
use crate::row::pager::paged;
use crate::store::use_store;

/// Most branches that are shown at once.
const MOST: usize = 12;

/// The picker below a row after which the conversation forks; nothing below any other.
pub fn fork(branches: &[Branch]) -> Option<AnyView> {
    if branches.is_empty() {
        return None;
    }
    let said = format!(
        "The conversation forks here: {}. This source does not record which one is current.",
        figures::of(branches.len() as u64, "branch", "branches"),
    );
    let links = paged("branches", branches.to_vec(), MOST, |_, branch| link(branch));
    Some(
        view! {
            <div class="fork" role="group" aria-label="Branches">
                <p class="fork-words">{said}</p>
                {links}
            </div>
        }
        .into_any(),
    )
}

fn link(branch: &Branch) -> AnyView {
    let words = match branch.short.trim() {
        "" => "A branch without words".to_owned(),
        short => short.to_owned(),
    };
    view! { <p class="branch">{message_link(branch.id.clone(), words)} " " {branch.time.map(meta::time)}</p> }
        .into_any()
}

/// A link to a message of this session.
pub fn message_link(id: Text, words: String) -> AnyView {
    let store = use_store();
    let address = format!("?m={}", String::from(js_sys::encode_uri_component(&id)));
    let go = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        store.go_to(id.clone());
    };
    view! { <a href=address dir="auto" on:click=go>{words}</a> }.into_any()
}
