//! The first lines of a long text, and how many it has in all.

use palimpsest_protocol::markdown::{Block, Inline, Item};
use palimpsest_protocol::styled::Styled;
use palimpsest_protocol::weight;
use palimpsest_record::Text;

/// Lines of a text that are shown before the person asks for more.
pub const LINES: usize = 30;

/// Bytes of the document that a text takes before the person asks for more: a text of one endless line has
/// to end somewhere.
pub const BYTES: usize = 8 * 1024;

/// Bytes that an element takes beside its text.
const FORM: usize = 20;

/// Characters that fill a line of running text: its measure.
const LINE: usize = 80;

/// A text, or its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip<T> {
    /// What is shown.
    pub shown: Vec<T>,
    /// Lines of the whole text; estimated for running text, which has its lines from the page.
    pub lines: usize,
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Bytes that it takes in the document.
    pub weight: usize,
    /// Something is left out.
    pub cut: bool,
}

/// The first [`LINES`] lines of text as it stands.
pub fn styled(text: &[Styled]) -> Clip<Styled> {
    let mut left = Left { lines: LINES, chars: BYTES };
    let mut shown = Vec::new();
    let mut newlines = 0;
    let mut bytes = 0;
    for run in text {
        newlines += run.text.matches('\n').count();
        bytes += run.text.len();
        if let Some(text) = left.take(&run.text) {
            left.charge(weight::of_run(run) - run.text.len());
            shown.push(Styled { text, style: run.style });
        }
    }
    // The line feed at the end of a text ends its last line and begins none.
    let lines = newlines + usize::from(text.last().is_some_and(|run| !run.text.ends_with('\n')));
    let weight = weight::of_runs(text);
    Clip { shown, lines, bytes, weight, cut: lines > LINES || weight > BYTES }
}

/// The first [`LINES`] lines of running text.
pub fn blocks(text: &[Block]) -> Clip<Block> {
    let mut left = Left { lines: LINES, chars: BYTES };
    let shown = text.iter().map_while(|block| left.block(block)).collect();
    let lines = text.iter().map(lines_of).sum();
    let bytes = text.iter().map(bytes_of).sum();
    let weight = weight::of_blocks(text);
    Clip { shown, lines, bytes, weight, cut: lines > LINES || weight > BYTES }
}

/// What may still be shown.
struct Left {
    lines: usize,
    chars: usize,
}

impl Left {
    fn cut(&self) -> bool {
        self.lines == 0 || self.chars == 0
    }

    /// As much of a text as may be shown, less the line feed that would begin a line too many.
    fn take(&mut self, text: &Text) -> Option<Text> {
        if self.cut() {
            return None;
        }
        let mut end = text.floor_char_boundary(self.chars.min(text.len()));
        if let Some((at, _)) = text.match_indices('\n').nth(self.lines - 1).filter(|(at, _)| *at < end) {
            end = at;
        }
        let taken = text.get(..end).unwrap_or_default();
        self.lines = if end < text.len() { 0 } else { self.lines - taken.matches('\n').count() };
        self.chars -= taken.len();
        Some(if end == text.len() { text.clone() } else { Text::from(taken) })
    }

    fn block(&mut self, block: &Block) -> Option<Block> {
        if self.cut() {
            return None;
        }
        self.charge(FORM);
        Some(match block {
            Block::Paragraph(text) => Block::Paragraph(self.inlines(text)),
            Block::Heading(level, text) => Block::Heading(*level, self.inlines(text)),
            Block::Code { language, text } => {
                let text = self.take(text).unwrap_or_default();
                if !text.ends_with('\n') {
                    self.end_line();
                }
                Block::Code { language: language.clone(), text }
            }
            Block::List { start, items } => {
                Block::List { start: *start, items: items.iter().map_while(|item| self.item(item)).collect() }
            }
            Block::Quote(blocks) => Block::Quote(self.blocks(blocks)),
            Block::Footnote { label, blocks } => {
                Block::Footnote { label: label.clone(), blocks: self.blocks(blocks) }
            }
            Block::Table { align, head, rows } => {
                let head = self.row(head);
                let rows = rows.iter().map_while(|row| (!self.cut()).then(|| self.row(row))).collect();
                Block::Table { align: align.clone(), head, rows }
            }
            Block::Rule => {
                self.end_line();
                Block::Rule
            }
        })
    }

    fn blocks(&mut self, blocks: &[Block]) -> Vec<Block> {
        blocks.iter().map_while(|block| self.block(block)).collect()
    }

    fn item(&mut self, item: &Item) -> Option<Item> {
        if self.cut() {
            return None;
        }
        self.charge(FORM);
        Some(Item { checked: item.checked, blocks: self.blocks(&item.blocks) })
    }

    fn row(&mut self, row: &[Vec<Inline>]) -> Vec<Vec<Inline>> {
        self.end_line();
        let fits = weight::of_cells(row) <= self.chars;
        self.charge(weight::of_cells(row));
        if fits { row.to_vec() } else { Vec::new() }
    }

    /// A paragraph's text: whole, or cut where it alone is longer than all that may be shown.
    fn inlines(&mut self, text: &[Inline]) -> Vec<Inline> {
        let lines = lines_of_text(text);
        let weight = weight::of_inlines(text);
        if lines <= self.lines && weight <= self.chars {
            self.lines -= lines;
            self.charge(weight);
            return text.to_vec();
        }
        self.chars = self.chars.min(self.lines * LINE);
        let cut = self.cut_inlines(text);
        self.lines = 0;
        cut
    }

    fn cut_inlines(&mut self, text: &[Inline]) -> Vec<Inline> {
        let mut cut_one = |inline: &Inline| -> Option<Inline> {
            if self.cut() {
                return None;
            }
            self.charge(form_of(inline));
            Some(match inline {
                Inline::Text(text) => Inline::Text(self.take(text)?),
                Inline::Code(text) => Inline::Code(self.take(text)?),
                Inline::Emphasis(inner) => Inline::Emphasis(self.cut_inlines(inner)),
                Inline::Strong(inner) => Inline::Strong(self.cut_inlines(inner)),
                Inline::Strike(inner) => Inline::Strike(self.cut_inlines(inner)),
                Inline::Link { url, text } => Inline::Link { url: url.clone(), text: self.cut_inlines(text) },
                Inline::Break => {
                    self.end_line();
                    Inline::Break
                }
                Inline::Image { .. } | Inline::FootnoteMark(_) => inline.clone(),
            })
        };
        text.iter().map_while(&mut cut_one).collect()
    }

    fn end_line(&mut self) {
        self.lines = self.lines.saturating_sub(1);
    }

    /// Counts what the form of a text takes beside its letters.
    fn charge(&mut self, bytes: usize) {
        self.chars = self.chars.saturating_sub(bytes);
    }
}

/// Bytes that an inline's element takes beside the letters in it.
fn form_of(inline: &Inline) -> usize {
    match inline {
        Inline::Text(_) => 0,
        Inline::Code(_) | Inline::Emphasis(_) | Inline::Strong(_) | Inline::Strike(_) | Inline::Break => FORM,
        Inline::Link { url, .. } => {
            weight::of_inlines(&[Inline::Link { url: url.clone(), text: Vec::new() }])
        }
        Inline::Image { .. } | Inline::FootnoteMark(_) => weight::of_inlines(std::slice::from_ref(inline)),
    }
}

fn lines_of(block: &Block) -> usize {
    match block {
        Block::Paragraph(text) | Block::Heading(_, text) => lines_of_text(text),
        Block::Code { text, .. } => text.lines().count().max(1),
        Block::List { items, .. } => {
            items.iter().map(|item| item.blocks.iter().map(lines_of).sum::<usize>().max(1)).sum()
        }
        Block::Quote(blocks) | Block::Footnote { blocks, .. } => blocks.iter().map(lines_of).sum(),
        Block::Table { rows, .. } => rows.len() + 1,
        Block::Rule => 1,
    }
}

/// Lines that a paragraph fills: those it was written in, and those it is broken into.
fn lines_of_text(text: &[Inline]) -> usize {
    let mut lines = 1;
    let mut line = 0;
    walk(text, &mut |word| match word {
        "\n" => {
            lines += 1;
            line = 0;
        }
        word => {
            line += word.chars().count();
            lines += line / LINE;
            line %= LINE;
        }
    });
    lines
}

fn bytes_of(block: &Block) -> usize {
    match block {
        Block::Paragraph(text) | Block::Heading(_, text) => bytes_of_text(text),
        Block::Code { text, .. } => text.len(),
        Block::List { items, .. } => items.iter().flat_map(|item| &item.blocks).map(bytes_of).sum(),
        Block::Quote(blocks) | Block::Footnote { blocks, .. } => blocks.iter().map(bytes_of).sum(),
        Block::Table { head, rows, .. } => {
            rows.iter().chain([head]).flatten().map(|cell| bytes_of_text(cell)).sum()
        }
        Block::Rule => 0,
    }
}

fn bytes_of_text(text: &[Inline]) -> usize {
    let mut bytes = 0;
    walk(text, &mut |word| bytes += word.len());
    bytes
}

/// Calls `see` with every stretch of text between line feeds, and with every line feed.
fn walk(text: &[Inline], see: &mut dyn FnMut(&str)) {
    for inline in text {
        match inline {
            Inline::Text(text) | Inline::Code(text) | Inline::Image { alt: text, .. } => {
                for line in text.split_inclusive('\n') {
                    see(line.strip_suffix('\n').unwrap_or(line));
                    if line.ends_with('\n') {
                        see("\n");
                    }
                }
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) => walk(inner, see),
            Inline::Link { text, .. } => walk(text, see),
            Inline::FootnoteMark(label) => see(label),
            Inline::Break => see("\n"),
        }
    }
}

#[cfg(test)]
mod tests;
