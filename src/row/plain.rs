//! The words of parsed text again, for the clipboard.

use palimpsest_protocol::markdown::{Block, Inline, Item};
use palimpsest_protocol::styled::Styled;

/// The text of blocks, with blank lines between them as in a letter.
pub fn blocks(text: &[Block]) -> String {
    text.iter().map(block).collect::<Vec<_>>().join("\n\n")
}

/// The text of runs without their styles.
pub fn styled(text: &[Styled]) -> String {
    text.iter().map(|run| run.text.as_str()).collect()
}

/// The text within a block.
pub fn inlines(text: &[Inline]) -> String {
    text.iter().map(inline).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(text) | Block::Heading(_, text) => inlines(text),
        Block::Code { text, .. } => text.trim_end_matches('\n').to_owned(),
        Block::List { start, items } => list(*start, items),
        Block::Quote(blocks) => indented("> ", "> ", &self::blocks(blocks)),
        Block::Footnote { label, blocks } => indented(&format!("[{label}] "), "    ", &self::blocks(blocks)),
        Block::Table { head, rows, .. } => {
            [head].into_iter().chain(rows).map(|cells| row(cells)).collect::<Vec<_>>().join("\n")
        }
        Block::Rule => "---".to_owned(),
    }
}

fn list(start: Option<u64>, items: &[Item]) -> String {
    let mut lines = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let bullet = match start {
            Some(first) => format!("{}. ", first.saturating_add(place as u64)),
            None => "- ".to_owned(),
        };
        let tick = match item.checked {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        let rest = " ".repeat(bullet.len());
        lines.push(indented(&format!("{bullet}{tick}"), &rest, &self::blocks(&item.blocks)));
    }
    lines.join("\n")
}

fn row(cells: &[Vec<Inline>]) -> String {
    cells.iter().map(|cell| inlines(cell)).collect::<Vec<_>>().join("\t")
}

/// `text` with `first` before its first line and `rest` before the others that are not blank.
fn indented(first: &str, rest: &str, text: &str) -> String {
    let mut out = String::from(first);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            out.push_str(if line.is_empty() { rest.trim_end() } else { rest });
        }
        out.push_str(line);
    }
    out
}

fn inline(inline: &Inline) -> String {
    match inline {
        Inline::Text(text) | Inline::Code(text) => text.as_str().to_owned(),
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) => inlines(inner),
        Inline::Link { url, text } => {
            let words = inlines(text);
            if words == url.as_str() { words } else { format!("{words} ({url})") }
        }
        Inline::Image { alt, url } => format!("{alt} ({url})"),
        Inline::FootnoteMark(label) => format!("[{label}]"),
        Inline::Break => "\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use palimpsest_record::Text;

    use super::*;

    fn check(text: &[Block], want: Expect) {
        want.assert_eq(&blocks(text));
    }

    fn words(text: &str) -> Block {
        Block::Paragraph(vec![Inline::Text(Text::from(text))])
    }

    #[test]
    fn blocks_keep_their_shape() {
        let item = |checked, blocks| Item { checked, blocks };
        let url = Text::from("https://example.org/");
        let link = |text: &str| Inline::Link { url: url.clone(), text: vec![Inline::Text(Text::from(text))] };
        check(
            &[
                Block::Heading(2, vec![Inline::Text(Text::from("Heading"))]),
                Block::Paragraph(vec![link("here"), Inline::Break, link("https://example.org/")]),
                Block::List {
                    start: Some(9),
                    items: vec![
                        item(None, vec![words("nine"), words("more")]),
                        item(Some(true), vec![words("ten")]),
                    ],
                },
                Block::Quote(vec![
                    words("a\nb"),
                    Block::Code { language: Text::default(), text: Text::from("c\n") },
                ]),
                Block::Rule,
            ],
            expect![[r#"
                Heading

                here (https://example.org/)
                https://example.org/

                9. nine

                   more
                10. [x] ten

                > a
                > b
                >
                > c

                ---"#]],
        );
    }

    #[test]
    fn tables_paste_into_sheets() {
        let cell = |text: &str| vec![Inline::Code(Text::from(text))];
        check(
            &[Block::Table {
                align: vec![],
                head: vec![cell("a"), cell("b")],
                rows: vec![vec![cell("1"), cell("2")]],
            }],
            expect![[r#"
                a	b
                1	2"#]],
        );
    }
}
