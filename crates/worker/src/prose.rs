//! Text → parsed Markdown: CommonMark with GFM's tables, task lists, strikethrough and footnotes.
//!
//! Raw HTML is text. A link leads to http, https or mailto or is no link. What is nested or counted
//! beyond reason is text, too: a log can hold ten thousand `>` in a row.

use palimpsest_protocol::markdown::{Align, Block, Inline, Item};
use palimpsest_record::Text;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::terminal::{is_invisible, printable, visible};

/// Deepest nesting of blocks and inlines; what is deeper is drawn at this depth.
const MAX_DEPTH: usize = 24;
/// Most nodes of one text; the rest of it is one plain paragraph.
const MAX_NODES: usize = 6_000;

/// How single line feeds are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFeeds {
    /// As spaces, as Markdown says: an agent wraps its lines.
    Fold,
    /// As line breaks: a person who types a line feed means it.
    Keep,
}

/// Parses a text.
pub fn prose(text: &str, line_feeds: LineFeeds) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES;
    let mut builder = Builder { line_feeds, stack: vec![Frame::new(Node::Root)], nodes: 0 };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        builder.nodes += 1;
        if builder.nodes > MAX_NODES {
            let rest = text.get(range.start..).unwrap_or_default();
            return builder.give_up(rest);
        }
        builder.take(event);
    }
    builder.finish()
}

/// An element in the making.
struct Frame {
    node: Node,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
    items: Vec<Item>,
    cells: Vec<Vec<Inline>>,
    rows: Vec<Vec<Vec<Inline>>>,
    checked: Option<bool>,
}

enum Node {
    Root,
    Paragraph,
    Heading(u8),
    Code(Text),
    Html,
    List(Option<u64>),
    Item,
    Quote,
    Table(Vec<Align>),
    TableHead,
    TableRow,
    Cell,
    Footnote(Text),
    Emphasis,
    Strong,
    Strike,
    Link(String),
    Image(String),
    /// Nothing of its own: its content goes to what is around it.
    Through,
}

impl Frame {
    fn new(node: Node) -> Frame {
        Frame {
            node,
            blocks: Vec::new(),
            inlines: Vec::new(),
            items: Vec::new(),
            cells: Vec::new(),
            rows: Vec::new(),
            checked: None,
        }
    }

    /// Its blocks, loose inlines (a tight list's item has no paragraph) as a paragraph of their own.
    fn into_blocks(mut self) -> Vec<Block> {
        self.settle_inlines();
        self.blocks
    }

    fn settle_inlines(&mut self) {
        if !self.inlines.is_empty() {
            self.blocks.push(Block::Paragraph(std::mem::take(&mut self.inlines)));
        }
    }

    fn plain_text(&self) -> String {
        plain_text(&self.inlines)
    }
}

struct Builder {
    line_feeds: LineFeeds,
    stack: Vec<Frame>,
    nodes: usize,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(end),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => self.inline(Inline::Code(visible(&code))),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::FootnoteReference(label) => self.inline(Inline::FootnoteMark(visible(&label))),
            Event::SoftBreak if self.line_feeds == LineFeeds::Keep => self.inline(Inline::Break),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            Event::TaskListMarker(checked) => {
                if let Some(frame) =
                    self.stack.iter_mut().rev().find(|frame| matches!(frame.node, Node::Item))
                {
                    frame.checked = Some(checked);
                }
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let node = match tag {
            Tag::Paragraph => Node::Paragraph,
            Tag::Heading { level, .. } => Node::Heading(level as u8),
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                Node::Code(visible(info.split_whitespace().next().unwrap_or_default()))
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => Node::Code(Text::default()),
            Tag::HtmlBlock => Node::Html,
            Tag::List(start) => Node::List(start),
            Tag::Item => Node::Item,
            Tag::BlockQuote(_) => Node::Quote,
            Tag::Table(columns) => Node::Table(columns.into_iter().map(align).collect()),
            Tag::TableHead => Node::TableHead,
            Tag::TableRow => Node::TableRow,
            Tag::TableCell => Node::Cell,
            Tag::FootnoteDefinition(label) => Node::Footnote(visible(&label)),
            Tag::Emphasis => Node::Emphasis,
            Tag::Strong => Node::Strong,
            Tag::Strikethrough => Node::Strike,
            Tag::Link { dest_url, .. } => Node::Link(dest_url.into_string()),
            Tag::Image { dest_url, .. } => Node::Image(dest_url.into_string()),
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_)
            | Tag::Superscript
            | Tag::Subscript => Node::Through,
        };
        let too_deep = self.stack.len() > MAX_DEPTH && !matches!(node, Node::Code(_) | Node::Html);
        self.stack.push(Frame::new(if too_deep { Node::Through } else { node }));
    }

    fn end(&mut self, _end: TagEnd) {
        if self.stack.len() < 2 {
            return;
        }
        if let Some(frame) = self.stack.pop() {
            self.close(frame);
        }
    }

    fn close(&mut self, mut frame: Frame) {
        match std::mem::replace(&mut frame.node, Node::Root) {
            Node::Root | Node::Through => self.pour(frame),
            Node::Paragraph => self.block(Block::Paragraph(frame.inlines)),
            Node::Heading(level) => self.block(Block::Heading(level, frame.inlines)),
            Node::Code(language) => {
                let text = frame.plain_text();
                let text = visible(text.strip_suffix('\n').unwrap_or(&text));
                self.block(Block::Code { language, text });
            }
            Node::Html => {
                let text = frame.plain_text();
                let mut inlines = Vec::new();
                for line in text.trim_end().split('\n') {
                    if !inlines.is_empty() {
                        inlines.push(Inline::Break);
                    }
                    inlines.push(Inline::Text(Text::from(line)));
                }
                self.block(Block::Paragraph(inlines));
            }
            Node::List(start) => self.block(Block::List { start, items: frame.items }),
            Node::Item => {
                let item = Item { checked: frame.checked, blocks: frame.into_blocks() };
                match self.stack.last_mut() {
                    Some(parent) if matches!(parent.node, Node::List(_)) => parent.items.push(item),
                    Some(parent) => parent.blocks.extend(item.blocks),
                    None => {}
                }
            }
            Node::Quote => self.block_of(frame, Block::Quote),
            Node::Table(align) => {
                self.block(Block::Table { align, head: frame.cells, rows: frame.rows });
            }
            Node::TableHead => self.in_table(|table| table.cells = frame.cells),
            Node::TableRow => self.in_table(|table| table.rows.push(frame.cells)),
            Node::Cell => {
                if let Some(row) = self.stack.last_mut() {
                    row.cells.push(frame.inlines);
                }
            }
            Node::Footnote(label) => self.block_of(frame, |blocks| Block::Footnote { label, blocks }),
            Node::Emphasis => self.inline(Inline::Emphasis(frame.inlines)),
            Node::Strong => self.inline(Inline::Strong(frame.inlines)),
            Node::Strike => self.inline(Inline::Strike(frame.inlines)),
            Node::Link(url) => match safe_url(&url) {
                Some(url) => self.inline(Inline::Link { url, text: frame.inlines }),
                None => frame.inlines.into_iter().for_each(|inline| self.inline(inline)),
            },
            Node::Image(url) => {
                let alt = Text::from(frame.plain_text());
                self.inline(Inline::Image { alt, url: visible(&url) });
            }
        }
    }

    fn block_of(&mut self, frame: Frame, wrap: impl FnOnce(Vec<Block>) -> Block) {
        let blocks = frame.into_blocks();
        self.block(wrap(blocks));
    }

    fn in_table(&mut self, put: impl FnOnce(&mut Frame)) {
        if let Some(table) = self.stack.last_mut() {
            put(table);
        }
    }

    /// Content of an element that is not drawn itself.
    fn pour(&mut self, frame: Frame) {
        let Some(parent) = self.stack.last_mut() else { return };
        for item in frame.items {
            parent.blocks.extend(item.blocks);
        }
        for cells in frame.rows.into_iter().chain([frame.cells]).flatten() {
            parent.inlines.extend(cells);
        }
        parent.blocks.extend(frame.blocks);
        parent.inlines.extend(frame.inlines);
    }

    fn block(&mut self, block: Block) {
        if let Some(frame) = self.stack.last_mut() {
            frame.settle_inlines();
            frame.blocks.push(block);
        }
    }

    fn inline(&mut self, inline: Inline) {
        if let Some(frame) = self.stack.last_mut() {
            frame.inlines.push(inline);
        }
    }

    fn text(&mut self, text: &str) {
        let Some(frame) = self.stack.last_mut() else { return };
        let text = printable(text);
        if let Some(Inline::Text(last)) = frame.inlines.last_mut() {
            *last = Text::from(format!("{last}{text}"));
        } else {
            frame.inlines.push(Inline::Text(text));
        }
    }

    fn finish(mut self) -> Vec<Block> {
        while self.stack.len() > 1 {
            if let Some(frame) = self.stack.pop() {
                self.close(frame);
            }
        }
        self.stack.pop().map(Frame::into_blocks).unwrap_or_default()
    }

    fn give_up(self, rest: &str) -> Vec<Block> {
        let mut blocks = self.finish();
        blocks.push(Block::Paragraph(vec![Inline::Text(printable(rest))]));
        blocks
    }
}

/// The address, where it may be a link: http, https or mailto, and nothing in it that a browser skips
/// or a person cannot see. The page has the browser parse it before it leads there.
fn safe_url(url: &str) -> Option<Text> {
    let is_hidden = |c: char| c.is_control() || c.is_whitespace() || is_invisible(c);
    let (scheme, rest) = url.split_once(':')?;
    let known = ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (known && !rest.is_empty() && !url.contains(is_hidden)).then(|| Text::from(url))
}

fn align(column: Alignment) -> Align {
    match column {
        Alignment::None | Alignment::Left => Align::Start,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::End,
    }
}

/// The first line that says something, without its form.
pub fn first_line(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| {
        let words = match block {
            Block::Paragraph(text) | Block::Heading(_, text) => plain_text(text),
            Block::Code { text, .. } => text.to_string(),
            Block::List { items, .. } => items.iter().find_map(|item| first_line(&item.blocks))?,
            Block::Quote(blocks) | Block::Footnote { blocks, .. } => first_line(blocks)?,
            Block::Table { head, .. } => {
                head.iter().map(|cell| plain_text(cell)).collect::<Vec<_>>().join(" · ")
            }
            Block::Rule => return None,
        };
        words.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
    })
}

/// The words of inlines without their form.
fn plain_text(inlines: &[Inline]) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(part) | Inline::Code(part) | Inline::FootnoteMark(part) => text.push_str(part),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) => {
                text.push_str(&plain_text(inner));
            }
            Inline::Link { text: inner, .. } => text.push_str(&plain_text(inner)),
            Inline::Image { alt, .. } => text.push_str(alt),
            Inline::Break => text.push('\n'),
        }
    }
    text
}

#[cfg(test)]
mod tests;
