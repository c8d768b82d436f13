//! The view in short: twelve bytes a row, and what the frame around the rows shows.

use palimpsest_assembly::{Item, SessionDetail};
use palimpsest_protocol::{
    Mark, MarkKind, Outline, ReceiptSummary, RowHint, RowKind, SessionHead, UsageTotals,
};
use palimpsest_providers::Receipt;
use palimpsest_record::order::sort_by;
use palimpsest_record::{Block, Text};

use crate::parts::{PartPlace, first_words, one_line};
use crate::rows::{RowRef, Target, usage_line};

/// The outline of a view.
pub fn outline(
    detail: &SessionDetail,
    rows: &[RowRef],
    receipt: &Receipt,
    provider: &str,
    view: View,
) -> Outline {
    let mut marks = Vec::new();
    let hints = rows
        .iter()
        .enumerate()
        .map(|(number, row)| {
            mark(number as u32, row, &mut marks);
            RowHint { key: row.key, kind: row.kind, height: height(row), inactive: row.inactive() }
        })
        .collect();
    Outline {
        view: view.number,
        complete: view.complete,
        session: head(detail, provider, rows),
        rows: hints,
        marks,
        shows_inactive: view.shows_inactive,
        inactive: u32::try_from(detail.counts.inactive).unwrap_or(u32::MAX),
        receipt: summary(receipt),
        notice: None,
        usage: UsageTotals {
            total: usage_line(&detail.usage.total),
            visible: usage_line(&detail.usage.visible),
            main: usage_line(&detail.usage.main),
            subagents: usage_line(&detail.usage.subagents),
        },
    }
}

/// Which view it is.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Its number.
    pub number: u32,
    /// The log is read through.
    pub complete: bool,
    /// Inactive messages are among the rows.
    pub shows_inactive: bool,
}

fn head(detail: &SessionDetail, provider: &str, rows: &[RowRef]) -> SessionHead {
    let session = &detail.session;
    SessionHead {
        id: session.id.clone(),
        title: clean(&session.title).unwrap_or_default(),
        source: session.source.clone(),
        provider: Text::from(provider),
        cwd: clean(&session.cwd),
        git_branch: clean(&session.git_branch),
        version: clean(&session.version),
        model: clean(&session.model),
        forked_from: clean(&session.forked_from),
        times: session.started_at.zip(session.ended_at).map(|(a, b)| (a.millis(), b.millis())),
        attests_inactive: detail.capabilities.attests_inactive,
        has_branch_points: rows.iter().any(|row| row.item().is_some_and(|item| item.branch_point.is_some())),
    }
}

/// A name on one line, without control codes.
fn clean(name: &Option<Text>) -> Option<Text> {
    const LONGEST: usize = 400;
    name.as_deref().map(|name| one_line(name, LONGEST))
}

fn summary(receipt: &Receipt) -> ReceiptSummary {
    let list = |counts: &std::collections::BTreeMap<String, u64>| {
        let mut list: Vec<(Text, u64)> =
            counts.iter().map(|(name, count)| (Text::from(name.as_str()), *count)).collect();
        sort_by(&mut list, |a, b| b.1.cmp(&a.1));
        list
    };
    ReceiptSummary {
        lines: receipt.lines,
        read: receipt.read,
        merged: receipt.merged,
        not_shown: list(&receipt.not_shown),
        unknown: list(&receipt.unknown),
        damaged: receipt.damaged.len() as u64,
        unattached_results: receipt.unattached_results,
    }
}

fn mark(row_number: u32, row: &RowRef, marks: &mut Vec<Mark>) {
    let mut push = |kind, short| marks.push(Mark { row: row_number, kind, short });
    match &row.target {
        Target::Summary(summary) => push(MarkKind::Summary, first_words(&summary.content)),
        Target::Agents(_) => {}
        Target::Item(_, range) if range.start > 0 => {}
        Target::Item(item, _) => {
            let short = || short_or_attachment(item);
            match row.kind {
                RowKind::Prompt => push(MarkKind::Prompt, short()),
                RowKind::Error => push(MarkKind::Error, short()),
                _ => {}
            }
            if item.branch_point.is_some() {
                push(MarkKind::BranchPoint, short());
            }
        }
    }
}

fn short_or_attachment(item: &Item) -> Text {
    let short = crate::rows::short_of(item);
    if !short.is_empty() {
        return short;
    }
    item.blocks
        .iter()
        .find(|block| !matches!(block, Block::Text { .. }))
        .map(crate::parts::attachment_label)
        .unwrap_or_default()
}

/// A row's probable height in CSS pixels at a width of 800. Only a guess: the page measures.
fn height(row: &RowRef) -> u16 {
    const LINE: usize = 24;
    const FOLD: usize = 32;
    let item = match &row.target {
        Target::Item(item, _) => item,
        Target::Agents(agents) => return u16::try_from(40 + FOLD * agents.len()).unwrap_or(u16::MAX),
        Target::Summary(_) => return 64,
    };
    if row.kind == RowKind::System {
        return 40;
    }
    let parts: usize = row
        .places()
        .iter()
        .map(|place| match place {
            PartPlace::Text => item.text.as_deref().map_or(0, lines) * LINE,
            PartPlace::Block(index) => match item.blocks.get(*index) {
                Some(Block::Text { text, .. }) => lines(text) * LINE,
                _ => FOLD,
            },
            PartPlace::Thinking | PartPlace::Skill | PartPlace::Call(_) => FOLD,
        })
        .sum();
    let frame = if row.kind == RowKind::Prompt { 86 } else { 56 };
    u16::try_from(frame + parts).unwrap_or(u16::MAX)
}

/// Lines that a text takes at 80 characters. Counted over its first 8 KiB: a guess needs no more.
fn lines(text: &str) -> usize {
    const LOOK: usize = 8 * 1024;
    let look = text.get(..text.floor_char_boundary(LOOK)).unwrap_or_default();
    let seen: usize = look.lines().map(|line| 1 + line.len() / 80).sum();
    if look.len() < text.len() { seen * text.len() / look.len().max(1) } else { seen }
}
