//! One quiet line that opens what is below it.

use leptos::prelude::*;

use crate::row::folds::{Fold, FoldKey};
use crate::store::use_store;

/// How a fold looks while it is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Nothing to remark.
    Plain,
    /// It failed.
    Failed,
    /// It never ended.
    Unfinished,
    /// A subagent's conversation.
    Agent,
    /// A line across the page.
    Divider,
}

impl Look {
    fn as_str(self) -> &'static str {
        match self {
            Look::Plain => "plain",
            Look::Failed => "failed",
            Look::Unfinished => "unfinished",
            Look::Agent => "agent",
            Look::Divider => "divider",
        }
    }
}

/// A fold of a row, which stays open while its row is scrolled away.
pub fn fold(key: FoldKey, look: Look, line: AnyView, body: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let folds = use_store().folds;
    let state = folds.state(key.clone());
    let body = move || if state.get() == Fold::Full { too_much() } else { body() };
    disclosure(look, move || state.get() != Fold::Closed, move || folds.toggle(&key, 0), line, body)
}

/// In place of what would make a row too large.
pub fn too_much() -> AnyView {
    view! {
        <p class="long-full">"Too much of this message is open: fold something of it, and the rest appears here."</p>
    }
    .into_any()
}

/// `line` is always seen, `body` is made when it is opened. It grows downward only, so that what is
/// read stays where it is.
pub fn disclosure(
    look: Look,
    is_open: impl Fn() -> bool + Copy + Send + Sync + 'static,
    toggle: impl Fn() + 'static,
    line: AnyView,
    body: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    view! {
        <div class="fold" data-look=look.as_str()>
            <button
                type="button"
                class="fold-line"
                aria-expanded=move || is_open().to_string()
                on:click=move |_| toggle()
            >
                {line}
            </button>
            {move || is_open().then(|| view! { <div class="fold-body">{body()}</div> })}
        </div>
    }
    .into_any()
}
