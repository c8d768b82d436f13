//! One row: what is inside an `article` of the feed, or inside a group of a subagent's conversation.
//!
//! In reading order:
//! - [`meta`]: who, when, by which model, at what cost, and what can be done with the row
//! - [`inactive`], [`compacted`], [`fork`]: why it no longer counts, what a summary took the place of, and where the
//!   conversation goes on after it
//! - [`parts`]: its content; [`fold`], [`body`]: what opens; [`agent`]: conversations inside it
//! - [`long`], [`clip`]: only so much of a text at once; [`folds`]: what is open
//! - [`markdown`], [`code`], [`styled`]: parsed text as elements; [`headings`], [`link`]: parts of that
//! - [`copy`], [`plain`]: the text again, for the clipboard

use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::{BodyPlace, Row, RowKind};
use palimpsest_record::Text;

use folds::Outermost;

mod agent;
pub mod answer;
mod body;
mod clip;
mod code;
mod compacted;
mod copy;
pub mod fold;
pub mod folds;
mod fork;
mod headings;
mod inactive;
mod link;
mod long;
mod markdown;
mod meta;
pub mod pager;
mod parts;
pub mod plain;
pub mod styled;

/// Draws a row; `agent` is the subagent whose conversation it is of, absent for the session's own.
#[component]
pub fn RowView(row: Arc<Row>, agent: Option<Text>) -> impl IntoView {
    if agent.is_none() {
        provide_context(Outermost(row.id.clone()));
    }
    let place = Place { row: row.clone(), agent };
    let content = match row.kind {
        RowKind::Prompt | RowKind::Answer | RowKind::Error => {
            view! { {meta::meta(&place)} {parts::parts(&place)} }.into_any()
        }
        // A card and a divider are one line that says itself what it is and when it was.
        RowKind::System | RowKind::Summary => {
            view! { {parts::parts(&place)} {compacted::shown(row.superseded)} {row.lines.is_some().then(|| meta::actions(&place))} }
                .into_any()
        }
    };
    view! {
        <div class="row" data-kind=row.kind.as_str() data-inactive=row.inactive.is_some()>
            {row.inactive.as_ref().map(inactive::reason)}
            <div class="row-content">{content}</div>
            {fork::fork(&row.branches)}
        </div>
    }
}

/// A row and whose conversation it is of.
#[derive(Clone)]
struct Place {
    row: Arc<Row>,
    /// The subagent, absent for the session's own conversation.
    agent: Option<Text>,
}

impl Place {
    /// How the worker finds one of the row's parts.
    fn part(&self, part: usize) -> BodyPlace {
        BodyPlace {
            agent_id: self.agent.as_ref().map(|agent| agent.as_str().to_owned()),
            id: self.row.id.as_str().to_owned(),
            part: part as u32,
        }
    }
}
