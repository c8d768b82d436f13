//! How much a text takes in the document: its letters, and the elements that its form makes.
//!
//! Both sides count with it, so that what the worker hands out and what the page draws of it keep to
//! one limit. About right is enough: the limits leave room.

use crate::markdown::{Block, Inline};
use crate::row::{Part, Row};
use crate::styled::{Style, Styled};

/// An element without attributes.
const ELEMENT: usize = 20;
/// A link: its address twice, what it promises not to do, and whom it reaches.
const LINK: usize = 160;
/// A table's cell, with its alignment.
const CELL: usize = 40;
/// A block of code, with its head and its button.
const CODE: usize = 200;

/// A row's frame: who, when, and what can be done with it.
const FRAME: usize = 900;
/// A fold's line.
const LINE: usize = 500;
/// Lines of subagents that a row shows at once, where it has them from one call.
const AGENTS: usize = 12;

/// Bytes that a row takes while nothing in it is unfolded.
pub fn of_row(row: &Row) -> usize {
    FRAME + of_parts(&row.parts)
}

/// Bytes that the parts of a row take.
pub fn of_parts(parts: &[Part]) -> usize {
    let most_agents = agents_at_once(parts);
    let of_part = |part: &Part| match part {
        Part::Prose { blocks, .. } => of_blocks(blocks),
        Part::Plain { text, .. } => of_runs(text),
        Part::Call { agents, .. } | Part::Agents(agents) => LINE + LINE * agents.len().min(most_agents),
        Part::Thinking { .. } | Part::Note { .. } | Part::Attachment { .. } => LINE,
    };
    parts.iter().map(of_part).sum()
}

/// How many subagents each part of a row shows at once: a call may have started a thousand.
pub fn agents_at_once(parts: &[Part]) -> usize {
    let has_agents = |part: &&Part| match part {
        Part::Call { agents, .. } | Part::Agents(agents) => !agents.is_empty(),
        _ => false,
    };
    (AGENTS / parts.iter().filter(has_agents).count().max(1)).max(1)
}

/// Bytes that blocks take in the document, about.
pub fn of_blocks(blocks: &[Block]) -> usize {
    blocks.iter().map(of_block).sum()
}

/// Bytes that a block takes.
pub fn of_block(block: &Block) -> usize {
    ELEMENT
        + match block {
            Block::Paragraph(text) | Block::Heading(_, text) => of_inlines(text),
            Block::Code { language, text } => CODE + language.len() + text.len(),
            Block::List { items, .. } => items.iter().map(|item| ELEMENT + of_blocks(&item.blocks)).sum(),
            Block::Quote(blocks) | Block::Footnote { blocks, .. } => of_blocks(blocks),
            Block::Table { head, rows, .. } => rows.iter().chain([head]).map(|row| of_cells(row)).sum(),
            Block::Rule => 0,
        }
}

/// Bytes that a row of a table takes.
pub fn of_cells(row: &[Vec<Inline>]) -> usize {
    ELEMENT + row.iter().map(|cell| CELL + of_inlines(cell)).sum::<usize>()
}

/// Bytes that running text takes.
pub fn of_inlines(text: &[Inline]) -> usize {
    text.iter().map(of_inline).sum()
}

fn of_inline(inline: &Inline) -> usize {
    match inline {
        Inline::Text(text) => text.len(),
        Inline::Code(text) => ELEMENT + text.len(),
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) => {
            ELEMENT + of_inlines(inner)
        }
        Inline::Link { url, text } => LINK + 2 * url.len() + of_inlines(text),
        Inline::Image { alt, url } => LINK + 2 * url.len() + alt.len(),
        Inline::FootnoteMark(label) => LINK + label.len(),
        Inline::Break => ELEMENT,
    }
}

/// Bytes that styled runs take.
pub fn of_runs(runs: &[Styled]) -> usize {
    runs.iter().map(of_run).sum()
}

/// Bytes that a run takes.
pub fn of_run(run: &Styled) -> usize {
    let element = if run.style == Style::default() { 0 } else { 2 * CELL };
    element + run.text.len()
}
