//! The line above a row's content, and what can be done with the row.

use leptos::prelude::*;
use palimpsest_protocol::{RowKind, UsageLine};

use crate::clock;
use crate::figures;
use crate::row::{Place, copy};
use crate::store::{Panel, use_store};

/// Who wrote it, when, with which model, what it used, how long it took; and the row's buttons.
pub fn meta(place: &Place) -> AnyView {
    let row = &place.row;
    let who = match row.kind {
        // A subagent is prompted by the agent that started it.
        RowKind::Prompt if place.agent.is_some() => "Prompt",
        RowKind::Prompt => "You",
        RowKind::Error => "Error",
        RowKind::Answer | RowKind::System | RowKind::Summary => "Agent",
    };
    let model = row.model.as_ref().filter(|model| !model.is_empty());
    let facts: Vec<AnyView> = [
        row.time.map(time),
        model.map(|model| model.as_str().to_owned().into_any()),
        row.usage.map(usage),
        row.duration_ms.map(|ms| figures::duration(ms).into_any()),
    ]
    .into_iter()
    .flatten()
    .map(|fact| view! { <span class="meta-fact">{fact}</span> }.into_any())
    .collect();
    view! {
        <div class="meta">
            <b>{who}</b>
            {facts}
            {actions(place)}
        </div>
    }
    .into_any()
}

/// The minute, with its day where that is not the one that the session began on; all of it on hover.
pub fn time(ms: i64) -> AnyView {
    let outline = use_store().outline;
    let (day, minute) = (clock::day(ms), clock::minute(ms));
    // The session's first day is not known before it has been read.
    let short = move || {
        let began = outline.with(|outline| Some(outline.as_ref()?.session.times?.0));
        match began {
            Some(began) if clock::day(began) != day => format!("{day}, {minute}"),
            _ => minute.clone(),
        }
    };
    view! { <time datetime=clock::instant(ms) title=clock::full(ms)>{short}</time> }.into_any()
}

fn usage(usage: UsageLine) -> AnyView {
    let mut words = format!("{} in, {} out", figures::tokens(usage.input), figures::tokens(usage.output));
    if let Some(cost) = usage.cost_usd {
        words.push_str(&format!(", {}", figures::dollars(cost)));
    }
    let exact = format!(
        "{} tokens in, {} of them from a cache; {} tokens out; {}",
        figures::count(usage.input),
        figures::count(usage.cached),
        figures::count(usage.output),
        figures::of(usage.requests, "model call", "model calls"),
    );
    view! { <span title=exact>{words}</span> }.into_any()
}

/// Shown on hover and focus, always there for the keyboard, and always shown where nothing hovers.
pub fn actions(place: &Place) -> AnyView {
    let store = use_store();
    let (text, source) = (place.clone(), place.clone());
    let (link, raw) = (place.row.id.clone(), place.part(0));
    let of_main = place.agent.is_none();
    view! {
        <span class="actions" role="group" aria-label="Message">
            <button type="button" on:click=move |_| copy::text(store, &text)>"copy"</button>
            <button type="button" on:click=move |_| copy::markdown(store, &source)>"markdown"</button>
            {of_main.then(|| view! {
                <button type="button" on:click=move |_| store.copy_link(link.clone())>"link"</button>
            })}
            <button type="button" on:click=move |_| store.panel.set(Some(Panel::Raw(raw.clone())))>"raw"</button>
        </span>
    }
    .into_any()
}
