//! The conversations of the subagents that a call started, inside the row of the call.

use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::{AgentLine, Row, weight};
use palimpsest_record::Text;

use crate::client::{Lost, RowWindow};
use crate::figures;
use crate::row::answer::{lost, waiting};
use crate::row::fold::{Look, fold};
use crate::row::folds::{FoldKey, What};
use crate::row::pager::{Extent, paged, pager};
use crate::row::{Place, RowView};
use crate::store::{Store, use_store};

/// Most rows of a page; the worker hands out fewer where they are large.
const PAGE: u32 = 20;

/// Deepest conversation that opens inside another: at 320 pixels there is no room for more.
const DEEPEST: usize = 4;

/// How many conversations a view is inside of.
#[derive(Clone, Copy)]
struct Depth(usize);

/// One line for each subagent of the call that is part `number` of the row.
pub fn lines(place: &Place, number: usize, agents: &[AgentLine]) -> AnyView {
    let depth = use_context::<Depth>().map_or(0, |Depth(depth)| depth);
    let at = place.part(number);
    let line = move |index: usize, agent: &AgentLine| {
        if agent.rows == 0 || depth >= DEEPEST {
            let why =
                if agent.rows == 0 { "its log is not among the files" } else { "too deep to open here" };
            let words = words(agent, Some(why));
            return view! { <p class="agent-closed">{words}</p> }.into_any();
        }
        let key = FoldKey::new(at.clone(), What::Agent(index));
        let id = agent.agent_id.clone();
        let label = format!("Conversation of {}", name(agent));
        fold(key.clone(), Look::Agent, words(agent, None), move || {
            provide_context(Depth(depth + 1));
            view! { <Conversation key=key.clone() id=id.clone() label=label.clone() /> }.into_any()
        })
    };
    paged("agents", agents.to_vec(), weight::agents_at_once(&place.row.parts), line)
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

type Page = LocalResource<Result<RowWindow, Lost>>;

/// Rows of a subagent's conversation, a page at a time.
#[component]
fn Conversation(key: FoldKey, id: Text, label: String) -> impl IntoView {
    let Store { client, folds, .. } = use_store();
    let start = RwSignal::new(0);
    let asked = id.clone();
    let page: Page = LocalResource::new(move || {
        let first = u32::try_from(start.get()).unwrap_or(u32::MAX);
        let answer = client.agent_rows(asked.as_str().to_owned(), first, first.saturating_add(PAGE));
        let key = key.clone();
        async move {
            let window = answer.await?;
            folds.weigh(&key, window.rows.iter().map(weight::of_row).sum::<usize>() as u64);
            Ok(window)
        }
    });
    let extent = move || {
        let window = page.get()?.ok()?;
        let first = u64::from(window.start);
        Some(Extent { start: first, end: first + window.rows.len() as u64, total: window.total.into() })
    };
    view! {
        <div class="agent" role="group" aria-label=label>
            {pager("rows", extent, start, PAGE.into())}
            {rows(id, page)}
        </div>
    }
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
