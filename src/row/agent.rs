//! The conversations of the subagents that a call started, inside the row of the call.

use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::{AgentLine, Row};
use palimpsest_record::Text;

use crate::client::{Lost, RowWindow};
use crate::figures;
use crate::row::answer::{lost, waiting};
use crate::row::fold::{Look, fold};
use crate::row::folds::{FoldKey, What};
use crate::row::{Place, RowView};
use crate::store::use_store;

/// Rows that are asked for at once.
const PAGE: u32 = 20;

/// Deepest conversation that opens inside another: at 320 pixels there is no room for more.
const DEEPEST: usize = 4;

/// How many conversations a view is inside of.
#[derive(Clone, Copy)]
struct Depth(usize);

/// One line for each subagent of the call that is part `number` of the row.
pub fn lines(place: &Place, number: usize, agents: &[AgentLine]) -> Vec<AnyView> {
    let depth = use_context::<Depth>().map_or(0, |Depth(depth)| depth);
    let line = |(index, agent): (usize, &AgentLine)| {
        if agent.rows == 0 || depth >= DEEPEST {
            let why =
                if agent.rows == 0 { "its log is not among the files" } else { "too deep to open here" };
            let words = words(agent, Some(why));
            return view! { <p class="agent-closed">{words}</p> }.into_any();
        }
        let key = FoldKey { place: place.part(number), what: What::Agent(index) };
        let id = agent.agent_id.clone();
        let label = format!("Conversation of {}", name(agent));
        fold(key, Look::Agent, words(agent, None), move || {
            provide_context(Depth(depth + 1));
            view! { <Conversation id=id.clone() label=label.clone() /> }.into_any()
        })
    };
    agents.iter().enumerate().map(line).collect()
}

fn name(agent: &AgentLine) -> &str {
    agent.agent_type.as_deref().filter(|name| !name.is_empty()).unwrap_or("a subagent")
}

fn words(agent: &AgentLine, why: Option<&str>) -> AnyView {
    let facts = [
        (agent.errors > 0).then(|| format!("{} failed", figures::of(agent.errors.into(), "call", "calls"))),
        (agent.rows > 0).then(|| figures::of(agent.rows.into(), "row", "rows")),
        agent.tokens.map(|tokens| format!("{} tokens", figures::tokens(tokens))),
        agent.duration_ms.map(figures::duration),
        why.map(str::to_owned),
    ];
    let tail = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let description = agent.description.as_ref().map(|text| text.as_str().to_owned());
    view! {
        <b class="fold-name">{name(agent).to_owned()}</b>
        <span class="fold-words" dir="auto">{description}</span>
        <span class="fold-tail">{tail}</span>
    }
    .into_any()
}

/// Rows of a subagent's conversation, some more at a time.
#[component]
fn Conversation(id: Text, label: String) -> impl IntoView {
    let pages = RwSignal::new(1);
    let first = page(id.clone(), 0);
    let total = move || first.get().and_then(Result::ok).map_or(0, |window| window.total);
    let asked = id.clone();
    view! {
        <div class="agent" role="group" aria-label=label>
            {rows(id.clone(), first)}
            <For each=move || 1..pages.get() key=|page| *page let:number>
                {rows(asked.clone(), page(asked.clone(), number * PAGE))}
            </For>
            {more(total, pages)}
        </div>
    }
}

/// The button for the next page. It stays when there is none, or the focus would go with it.
fn more(total: impl Fn() -> u32 + Copy + Send + Sync + 'static, pages: RwSignal<u32>) -> AnyView {
    let left = Memo::new(move |_| total().saturating_sub(pages.get() * PAGE));
    let words = move || match left.get() {
        0 => format!("All {}", figures::of(total().into(), "row", "rows")),
        left => format!("Show {} more of {}", left.min(PAGE), figures::count(left.into())),
    };
    let next = move |_| {
        if left.get() > 0 {
            pages.update(|pages| *pages += 1);
        }
    };
    view! {
        <button
            type="button"
            class="long-more"
            hidden=move || total() <= PAGE
            aria-disabled=move || (left.get() == 0).to_string()
            on:click=next
        >
            {words}
        </button>
    }
    .into_any()
}

type Page = LocalResource<Result<RowWindow, Lost>>;

fn page(id: Text, start: u32) -> Page {
    let client = use_store().client;
    LocalResource::new(move || client.agent_rows(id.as_str().to_owned(), start, start + PAGE))
}

fn rows(id: Text, page: Page) -> AnyView {
    let row = move |id: Text, row: Row| {
        view! {
            <div class="agent-row">
                <RowView row=Arc::new(row) agent=Some(id) />
            </div>
        }
        .into_any()
    };
    let shown = move || match page.get() {
        None => waiting(),
        Some(Err(reason)) => lost(&reason),
        Some(Ok(window)) => {
            window.rows.into_iter().map(|one| row(id.clone(), one)).collect::<Vec<_>>().into_any()
        }
    };
    shown.into_any()
}
