//! Parsed Markdown as elements. Every word of it becomes a text node.

use leptos::prelude::*;
use palimpsest_protocol::markdown::{Align, Block, Inline, Item};

use crate::row::code::code;
use crate::row::headings::Headings;
use crate::row::link;
use crate::row::plain;

/// The elements of `text`.
pub fn blocks(text: &[Block]) -> AnyView {
    Blocks::default().all(text)
}

/// What is known on the way down.
#[derive(Default)]
struct Blocks {
    headings: Headings,
}

impl Blocks {
    fn all(&mut self, text: &[Block]) -> AnyView {
        text.iter().map(|block| self.one(block)).collect::<Vec<_>>().into_any()
    }

    fn one(&mut self, block: &Block) -> AnyView {
        match block {
            Block::Paragraph(text) => view! { <p dir="auto">{inlines(text)}</p> }.into_any(),
            Block::Heading(level, text) => self.heading(*level, text),
            Block::Code { language, text } => code(language, text),
            Block::List { start, items } => self.list(*start, items),
            Block::Quote(text) => view! { <blockquote>{self.all(text)}</blockquote> }.into_any(),
            Block::Table { align, head, rows } => table(align, head, rows),
            Block::Footnote { label, blocks } => view! {
                <div class="prose-footnote">
                    <sup>{label.as_str().to_owned()}</sup>
                    <div>{self.all(blocks)}</div>
                </div>
            }
            .into_any(),
            Block::Rule => view! { <hr /> }.into_any(),
        }
    }

    fn heading(&mut self, level: u8, text: &[Inline]) -> AnyView {
        // A heading without words would be an empty stop in a screen reader's list of headings.
        if plain::inlines(text).trim().is_empty() {
            return ().into_any();
        }
        let shown = self.headings.next(level);
        let (level, text) = (level.to_string(), inlines(text));
        match shown {
            2 => view! { <h2 class="prose-heading" data-level=level dir="auto">{text}</h2> }.into_any(),
            3 => view! { <h3 class="prose-heading" data-level=level dir="auto">{text}</h3> }.into_any(),
            4 => view! { <h4 class="prose-heading" data-level=level dir="auto">{text}</h4> }.into_any(),
            5 => view! { <h5 class="prose-heading" data-level=level dir="auto">{text}</h5> }.into_any(),
            _ => view! { <h6 class="prose-heading" data-level=level dir="auto">{text}</h6> }.into_any(),
        }
    }

    fn list(&mut self, start: Option<u64>, items: &[Item]) -> AnyView {
        let items: Vec<AnyView> = items.iter().map(|item| self.item(item)).collect();
        match start {
            // An address of more than this is no number to a browser.
            Some(start) if start <= i32::MAX as u64 => {
                view! { <ol dir="auto" start=start.to_string()>{items}</ol> }.into_any()
            }
            Some(_) => view! { <ol dir="auto">{items}</ol> }.into_any(),
            None => view! { <ul dir="auto">{items}</ul> }.into_any(),
        }
    }

    fn item(&mut self, item: &Item) -> AnyView {
        let Some(checked) = item.checked else {
            return view! { <li>{self.item_blocks(&item.blocks)}</li> }.into_any();
        };
        let label = match plain::blocks(item.blocks.get(..1).unwrap_or_default()) {
            label if label.trim().is_empty() => "Task".to_owned(),
            label => label,
        };
        view! {
            <li class="prose-task">
                <input type="checkbox" disabled checked=checked aria-label=label />
                <div>{self.item_blocks(&item.blocks)}</div>
            </li>
        }
        .into_any()
    }

    /// The paragraphs of an item take the list's direction, which the list takes from their words:
    /// a direction of their own would hide them from it.
    fn item_blocks(&mut self, text: &[Block]) -> Vec<AnyView> {
        let one = |block: &Block| match block {
            Block::Paragraph(text) => view! { <p>{inlines(text)}</p> }.into_any(),
            _ => self.all(std::slice::from_ref(block)),
        };
        text.iter().map(one).collect()
    }
}

/// A table scrolls in a box of its own; the keyboard reaches the box to scroll it.
fn table(align: &[Align], head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) -> AnyView {
    let align_of = |column: usize| match align.get(column) {
        Some(Align::Center) => "center",
        Some(Align::End) => "end",
        Some(Align::Start) | None => "start",
    };
    let cell = |(column, cell): (usize, &Vec<Inline>)| {
        view! { <td dir="auto" data-align=align_of(column)>{inlines(cell)}</td> }.into_any()
    };
    // A corner that is left blank heads nothing.
    let head_cell = |(column, text): (usize, &Vec<Inline>)| match plain::inlines(text).trim() {
        "" => cell((column, text)),
        _ => view! { <th scope="col" dir="auto" data-align=align_of(column)>{inlines(text)}</th> }.into_any(),
    };
    let row = |cells: &Vec<Vec<Inline>>| {
        let cells: Vec<AnyView> = cells.iter().enumerate().map(cell).collect();
        view! { <tr>{cells}</tr> }.into_any()
    };
    let head: Vec<AnyView> = head.iter().enumerate().map(head_cell).collect();
    let rows: Vec<AnyView> = rows.iter().map(row).collect();
    view! {
        <div class="prose-table" role="group" aria-label="Table" tabindex="0">
            <table>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn inlines(text: &[Inline]) -> AnyView {
    text.iter().map(inline).collect::<Vec<_>>().into_any()
}

fn inline(inline: &Inline) -> AnyView {
    match inline {
        Inline::Text(text) => text.as_str().to_owned().into_any(),
        Inline::Code(text) => view! { <code dir="ltr">{text.as_str().to_owned()}</code> }.into_any(),
        Inline::Emphasis(text) => view! { <em>{inlines(text)}</em> }.into_any(),
        Inline::Strong(text) => view! { <strong>{inlines(text)}</strong> }.into_any(),
        Inline::Strike(text) => view! { <del>{inlines(text)}</del> }.into_any(),
        Inline::Link { url, text } => anchor(url, text),
        // An image of the web is never fetched: opening a log must not tell anyone that it was opened.
        Inline::Image { alt, url } => view! {
            <span class="prose-image">
                {alt.as_str().to_owned()} " " <span class="prose-address" dir="ltr">{url.as_str().to_owned()}</span>
            </span>
        }
        .into_any(),
        Inline::FootnoteMark(label) => view! { <sup>{label.as_str().to_owned()}</sup> }.into_any(),
        Inline::Break => view! { <br /> }.into_any(),
    }
}

fn anchor(url: &str, text: &[Inline]) -> AnyView {
    let words = plain::inlines(text);
    let Some(target) = link::target(url, &words) else {
        return inlines(text);
    };
    let shown = match words.trim() {
        "" => target.href.clone().into_any(),
        _ => inlines(text),
    };
    let reaches = target.reaches.map(|reaches| {
        view! { " " <span class="prose-address" dir="ltr">{format!("({reaches})")}</span> }
    });
    view! {
        <a href=target.href target="_blank" rel="noopener noreferrer nofollow ugc">
            {shown}
        </a>
        {reaches}
    }
    .into_any()
}
