//! The session detail → rows. A row is what the virtual list moves, so it must stay small: a long
//! run of calls becomes several rows.

use std::ops::Range;
use std::sync::Arc;

use palimpsest_assembly::{Item, ItemCall, SummaryItem};
use palimpsest_protocol::row::{Branch, Inactive, Part};
use palimpsest_protocol::{AgentLine, Row, RowKind, UsageLine};
use palimpsest_record::{ContentType, MessageType, Text, Visibility};

use crate::parts::{PartPlace, draw_parts, draw_summary, first_words, one_line, part_places};

/// Most parts of one row.
const ROW_PARTS: usize = 24;

/// A row before it is drawn.
#[derive(Debug, Clone)]
pub struct RowRef {
    /// Id of the message or summary that it begins with: what a link names.
    pub id: Text,
    /// A hash of the id, the same in every view.
    pub key: u64,
    /// What it is.
    pub kind: RowKind,
    /// What it draws.
    pub target: Target,
}

/// What a row draws.
#[derive(Debug, Clone)]
pub enum Target {
    /// Some of an item's parts.
    Item(Arc<Item>, Range<usize>),
    /// A summary.
    Summary(Arc<SummaryItem>),
    /// Subagents of which the log does not say who started them.
    Agents(Vec<AgentLine>),
}

impl RowRef {
    /// The item that it draws, where it draws one.
    pub fn item(&self) -> Option<&Item> {
        match &self.target {
            Target::Item(item, _) => Some(item),
            Target::Summary(_) | Target::Agents(_) => None,
        }
    }

    /// Where the contents of its parts are.
    pub fn places(&self) -> Vec<PartPlace> {
        match &self.target {
            Target::Item(item, range) => {
                part_places(item).get(range.clone()).map(<[PartPlace]>::to_vec).unwrap_or_default()
            }
            Target::Summary(_) | Target::Agents(_) => Vec::new(),
        }
    }

    /// Ids of its calls.
    pub fn calls(&self) -> impl Iterator<Item = Text> {
        self.places().into_iter().filter_map(|place| match place {
            PartPlace::Call(index) => self.item()?.tool_calls.get(index).map(|call| call.id.clone()),
            _ => None,
        })
    }

    /// It is inactive.
    pub fn inactive(&self) -> bool {
        let visibility = match &self.target {
            Target::Item(item, _) => item.visibility,
            Target::Summary(summary) => summary.visibility,
            Target::Agents(_) => Visibility::Visible,
        };
        visibility == Visibility::Inactive
    }

    /// It is the first, or only, row of its item.
    fn is_first(&self) -> bool {
        !matches!(&self.target, Target::Item(_, range) if range.start > 0)
    }
}

/// Id of the row behind all others, for subagents that belong to none of them.
pub const STRAY_AGENTS: &str = "#agents";

/// That row.
pub fn agents_row(agents: Vec<AgentLine>) -> RowRef {
    let id = Text::from(STRAY_AGENTS);
    RowRef { key: key(&id), id, kind: RowKind::System, target: Target::Agents(agents) }
}

/// Rows of a conversation: its items and summaries, merged by their place in the source.
pub fn row_refs(items: &[Arc<Item>], summaries: &[Arc<SummaryItem>]) -> Vec<RowRef> {
    let mut rows = Vec::with_capacity(items.len() + summaries.len());
    let mut summaries = summaries.iter().peekable();
    for item in items {
        while let Some(summary) = summaries.next_if(|summary| summary.seq < item.seq) {
            rows.push(summary_row(summary));
        }
        push_item(&mut rows, item);
    }
    rows.extend(summaries.map(summary_row));
    rows
}

fn summary_row(summary: &Arc<SummaryItem>) -> RowRef {
    RowRef {
        id: summary.id.clone(),
        key: key(&summary.id),
        kind: RowKind::Summary,
        target: Target::Summary(summary.clone()),
    }
}

fn push_item(rows: &mut Vec<RowRef>, item: &Arc<Item>) {
    let places = part_places(item);
    let kind = kind(item);
    let mut start = 0;
    while start == 0 || start < places.len() {
        let end = places.len().min(start + ROW_PARTS);
        // The first row has the item's id; one that goes on has that of its first call.
        let id = match places.get(start) {
            Some(PartPlace::Call(index)) if start > 0 => {
                item.tool_calls.get(*index).map(|call| call.id.clone())
            }
            _ if start > 0 => Some(Text::from(format!("{}#part{start}", item.id))),
            _ => None,
        }
        .unwrap_or_else(|| item.id.clone());
        rows.push(RowRef { key: key(&id), id, kind, target: Target::Item(item.clone(), start..end) });
        start = end.max(1);
    }
}

/// What an item is, by what its fields say.
fn kind(item: &Item) -> RowKind {
    if item.is_error || item.content_type == ContentType::Error {
        return RowKind::Error;
    }
    let control = matches!(
        item.content_type,
        ContentType::Command | ContentType::Bash | ContentType::SkillInstructions | ContentType::ToolResult
    );
    match item.item_type {
        MessageType::System => RowKind::System,
        _ if item.is_meta || control => RowKind::System,
        MessageType::User => RowKind::Prompt,
        MessageType::Assistant => RowKind::Answer,
    }
}

/// What a row shows of the rest of its session.
pub struct Around<'a> {
    /// The subagents of a call.
    pub agents: &'a dyn Fn(&ItemCall) -> Vec<AgentLine>,
    /// The beginning of a message's text and its time, by the message's id.
    pub short: Short<'a>,
    /// How many messages a summary took the place of, by the summary's id.
    pub superseded: &'a dyn Fn(&str) -> u32,
}

type Short<'a> = &'a dyn Fn(&str) -> Option<(Text, Option<i64>)>;

/// Draws a row.
pub fn draw_row(row: &RowRef, around: &Around<'_>) -> Row {
    let mut drawn = Row { key: row.key, id: row.id.clone(), kind: row.kind, ..Row::default() };
    match &row.target {
        Target::Summary(summary) => {
            drawn.time = summary.timestamp.map(|time| time.millis());
            drawn.lines = summary.span.map(|span| (span.line_first, span.line_last));
            drawn.superseded = (around.superseded)(&summary.id);
            drawn.parts = vec![draw_summary(summary, drawn.superseded)];
            if row.inactive() {
                drawn.inactive = Some(Inactive { how: None, at: None, by: None });
            }
        }
        Target::Agents(agents) => drawn.parts = vec![Part::Agents(agents.clone())],
        Target::Item(item, _) => {
            drawn.parts = draw_parts(item, row.kind, &row.places(), around.agents);
            drawn.lines = item.span.map(|span| (span.line_first, span.line_last));
            if row.is_first() {
                head(&mut drawn, item, around.short);
            }
            if row.inactive() {
                drawn.inactive = Some(inactive(item, around.short));
            }
        }
    }
    drawn
}

/// What the first row of an item says above its parts.
fn head(row: &mut Row, item: &Item, short: Short<'_>) {
    row.time = item.timestamp.map(|time| time.millis());
    row.model = item.model.as_deref().map(|model| one_line(model, 80));
    row.duration_ms = item.turn_duration_ms;
    row.usage = item.usage.as_ref().map(usage_line);
    if let Some(fork) = &item.branch_point {
        row.branches = fork
            .children
            .iter()
            .map(|id| {
                let (short, time) = short(id).unwrap_or_default();
                Branch { id: id.clone(), short, time }
            })
            .collect();
    }
}

fn inactive(item: &Item, short: Short<'_>) -> Inactive {
    let superseded = item.superseded.as_ref();
    Inactive {
        how: superseded.map(|superseded| superseded.how),
        at: superseded.and_then(|superseded| superseded.at).map(|time| time.millis()),
        by: superseded
            .and_then(|superseded| superseded.by.clone())
            .map(|id| (id.clone(), short(&id).map(|found| found.0).unwrap_or_default())),
    }
}

/// A sum of usage as the page shows it.
pub fn usage_line(usage: &palimpsest_assembly::UsageTotals) -> UsageLine {
    UsageLine {
        input: usage.input_tokens,
        cached: usage.cached_input_tokens,
        output: usage.output_tokens,
        requests: usage.requests,
        cost_usd: usage.cost_usd,
    }
}

/// The beginning of an item's text, for links to it.
pub fn short_of(item: &Item) -> Text {
    item.text.as_deref().or(item.thinking.as_deref()).map(first_words).unwrap_or_default()
}

/// FNV-1a, 64 bits: stable over releases, which `std`'s hasher does not promise.
pub fn key(id: &str) -> u64 {
    id.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
