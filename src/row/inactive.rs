//! Why a row no longer counts.

use leptos::prelude::*;
use palimpsest_protocol::row::Inactive;
use palimpsest_record::{SupersededBy, Text};

use crate::row::fork::message_link;
use crate::row::meta;

/// The line above an inactive row: `Inactive · rolled back at 10:12, superseded by “Use the sequence…”`.
pub fn reason(inactive: &Inactive) -> AnyView {
    let at = inactive.at.map(|at| view! { " at " {meta::time(at)} });
    let by = inactive.by.clone().map(|(id, short)| view! { ", superseded by " {quoted(id, &short)} });
    view! {
        <p class="row-why">
            <b>"Inactive"</b>
            " · "
            {how(inactive.how)}
            {at}
            {by}
        </p>
    }
    .into_any()
}

fn quoted(id: Text, short: &str) -> AnyView {
    let words = match short.trim() {
        "" => "a later message".to_owned(),
        short => format!("“{short}”"),
    };
    message_link(id, words)
}

fn how(how: Option<SupersededBy>) -> &'static str {
    match how {
        Some(SupersededBy::LeftBranch) => "on a branch that was left",
        Some(SupersededBy::RolledBack) => "rolled back",
        Some(SupersededBy::Compacted) => "compacted",
        Some(SupersededBy::Inherited) => "inherited from the session that this one was forked from",
        Some(SupersededBy::Retracted) => "retracted",
        Some(SupersededBy::Cleared) => "cleared",
        None => "superseded",
    }
}
