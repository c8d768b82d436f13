//! The content of a row.

use leptos::prelude::*;
use palimpsest_protocol::markdown::Block;
use palimpsest_protocol::styled::Styled;
use palimpsest_protocol::{BodyPlace, CallState, Part, RowKind};
use palimpsest_record::Text;

use crate::figures;
use crate::row::fold::{Look, fold};
use crate::row::folds::Side;
use crate::row::long::{Rest, long};
use crate::row::styled::styled;
use crate::row::{Place, agent, body, clip, markdown, meta};

/// All parts in order.
pub fn parts(place: &Place) -> AnyView {
    place
        .row
        .parts
        .iter()
        .enumerate()
        .map(|(number, part)| one(place, number, part))
        .collect::<Vec<_>>()
        .into_any()
}

fn one(place: &Place, number: usize, part: &Part) -> AnyView {
    let at = place.part(number);
    match part {
        Part::Prose { blocks, full_length } => prose(at, blocks.clone(), *full_length),
        Part::Plain { text, full_length } => as_it_stands(at, text.clone(), *full_length),
        Part::Thinking { first_line, length } => note(at, Look::Plain, "Thinking", first_line, size(*length)),
        Part::Note { label, first_line, length } => {
            let look = if place.row.kind == RowKind::Summary { Look::Divider } else { Look::Plain };
            // A row of one line has its time there.
            let tail = match (place.row.kind, place.row.time) {
                (RowKind::System | RowKind::Summary, Some(time)) => meta::time(time),
                _ => size(*length),
            };
            note(at, look, label, first_line, tail)
        }
        Part::Call { name, argument, state, tail, agents, .. } => {
            let call = body::opened(at);
            let line = call_line(name, argument, tail);
            let folded = fold(call.key.clone(), look(*state), line, move || call.view());
            view! { {folded} {agent::lines(place, number, agents)} }.into_any()
        }
        Part::Agents(agents) => view! {
            <p class="agent-strays">"Subagents of which the log does not say what started them"</p>
            {agent::lines(place, number, agents)}
        }
        .into_any(),
        Part::Attachment { label } => attachment(label),
    }
}

/// Running text.
pub fn prose(at: BodyPlace, blocks: Vec<Block>, full_length: Option<u64>) -> AnyView {
    let clip = clip::blocks(&blocks);
    let rest = Rest::of(&clip, full_length);
    let draw = |text: &[Block]| view! { <div class="prose">{markdown::blocks(text)}</div> }.into_any();
    long(at, Side::Input, rest, move || draw(&clip.shown), move || draw(&blocks))
}

/// Text with its own line feeds.
fn as_it_stands(at: BodyPlace, text: Vec<Styled>, full_length: Option<u64>) -> AnyView {
    let clip = clip::styled(&text);
    let rest = Rest::of(&clip, full_length);
    let draw = |text: &[Styled]| view! { <pre class="plain">{styled(text)}</pre> }.into_any();
    long(at, Side::Input, rest, move || draw(&clip.shown), move || draw(&text))
}

/// How long a text is, where that is more than its first line tells.
fn size(bytes: u64) -> AnyView {
    (bytes >= 1_000).then(|| figures::bytes(bytes)).into_any()
}

/// A fold with running text in it.
fn note(at: BodyPlace, look: Look, label: &str, first_line: &Text, tail: AnyView) -> AnyView {
    let note = body::opened(at);
    let line = view! {
        <b class="fold-label">{label.to_owned()}</b>
        <span class="fold-words" dir="auto">{first_line.as_str().to_owned()}</span>
        <span class="fold-tail">{tail}</span>
    };
    fold(note.key.clone(), look, line.into_any(), move || note.view())
}

fn look(state: CallState) -> Look {
    match state {
        CallState::Done => Look::Plain,
        CallState::Failed => Look::Failed,
        CallState::NoResult => Look::Unfinished,
    }
}

fn call_line(name: &Text, argument: &Text, tail: &Text) -> AnyView {
    view! {
        <b class="fold-name">{name.as_str().to_owned()}</b>
        <code class="fold-argument">{argument.as_str().to_owned()}</code>
        <span class="fold-tail">{tail.as_str().to_owned()}</span>
    }
    .into_any()
}

/// An image or a file: what it is, not what it holds.
pub fn attachment(label: &str) -> AnyView {
    view! { <span class="attachment">{label.to_owned()}</span> }.into_any()
}
