use expect_test::{Expect, expect};

use super::*;

/// One line a block, indented; inlines in brackets.
fn draw(blocks: &[Block], indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    for block in blocks {
        match block {
            Block::Paragraph(inlines) => out.push_str(&format!("{pad}p {}\n", line(inlines))),
            Block::Heading(level, inlines) => out.push_str(&format!("{pad}h{level} {}\n", line(inlines))),
            Block::Code { language, text } => {
                out.push_str(&format!("{pad}code {language}: {:?}\n", text.as_str()))
            }
            Block::List { start, items } => {
                out.push_str(&format!("{pad}list {start:?}\n"));
                for item in items {
                    out.push_str(&format!(
                        "{pad} item{}\n",
                        item.checked.map_or("", |on| if on { " [x]" } else { " [ ]" })
                    ));
                    draw(&item.blocks, indent + 2, out);
                }
            }
            Block::Quote(blocks) => {
                out.push_str(&format!("{pad}quote\n"));
                draw(blocks, indent + 1, out);
            }
            Block::Table { head, rows, .. } => {
                for cells in std::iter::once(head).chain(rows) {
                    let cells: Vec<String> = cells.iter().map(|cell| line(cell)).collect();
                    out.push_str(&format!("{pad}| {}\n", cells.join(" | ")));
                }
            }
            Block::Footnote { label, blocks } => {
                out.push_str(&format!("{pad}footnote {label}\n"));
                draw(blocks, indent + 1, out);
            }
            Block::Rule => out.push_str(&format!("{pad}rule\n")),
        }
    }
}

fn line(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) => text.to_string(),
            Inline::Code(text) => format!("`{text}`"),
            Inline::Emphasis(inner) => format!("_{}_", line(inner)),
            Inline::Strong(inner) => format!("*{}*", line(inner)),
            Inline::Strike(inner) => format!("~{}~", line(inner)),
            Inline::Link { url, text } => format!("[{}→{url}]", line(text)),
            Inline::Image { alt, url } => format!("<image {alt} {url}>"),
            Inline::FootnoteMark(label) => format!("^{label}"),
            Inline::Break => "⏎".to_owned(),
        })
        .collect()
}

fn check(text: &str, expect: Expect) {
    let mut out = String::new();
    draw(&prose(text, LineFeeds::Fold), 0, &mut out);
    expect.assert_eq(&out);
}

#[test]
fn blocks_and_inlines() {
    check(
        "# Title\n\nSome *soft* **hard** ~~gone~~ `code` text\nthat wraps.\n\n- a\n- [x] b\n  1. c\n\n> said\n\n---\n",
        expect![[r#"
            h1 Title
            p Some _soft_ *hard* ~gone~ `code` text that wraps.
            list None
             item
              p a
             item [x]
              p b
              list Some(1)
               item
                p c
            quote
             p said
            rule
        "#]],
    );
    check(
        "| k | v |\n|---|--:|\n| a | `1` |\n\nsee[^1]\n\n[^1]: the note\n",
        expect![[r#"
            | k | v
            | a | `1`
            p see^1
            footnote 1
             p the note
        "#]],
    );
}

#[test]
fn html_and_unsafe_links_are_text() {
    check(
        "<script>alert(1)</script>\n\na <b onclick=x>b</b> [go](javascript:alert(1)) [ok](https://example.org/a?b)\n",
        expect![[r#"
            p <script>alert(1)</script>
            p a <b onclick=x>b</b> go [ok→https://example.org/a?b]
        "#]],
    );
    check(
        "[a](JaVaScRiPt:x) [b](data:text/html,x) [c](/relative) [d](vbscript:x) [e](mailto:a@b.c) ![i](https://t.invalid/x.png)\n",
        expect![[r#"
            p a b c d [e→mailto:a@b.c] <image i https://t.invalid/x.png>
        "#]],
    );
}

#[test]
fn control_codes_are_pictures() {
    check(
        "a \u{1b}[31mred\u{1b}[0m `\u{202e}b\u{7}`",
        expect![[r#"
            p a ␛[31mred␛[0m `⟦U+202E⟧b␇`
        "#]],
    );
}

#[test]
fn fences_follow_commonmark() {
    check(
        "````md\n```inner\nx\n```\n````\nafter\n\n~~~\n```\nstill code\n~~~\n\n```\nnever closed **x**",
        expect![[r#"
            code md: "```inner\nx\n```"
            p after
            code : "```\nstill code"
            code : "never closed **x**"
        "#]],
    );
}

#[test]
fn what_is_beyond_reason_stays_text() {
    let deep = prose(&">".repeat(5_000), LineFeeds::Fold);
    let mut depth = 0;
    let mut blocks = &deep;
    while let Some(Block::Quote(inner)) = blocks.first() {
        depth += 1;
        blocks = inner;
    }
    assert!(depth <= MAX_DEPTH, "{depth}");
    let many = prose(&"*a* ".repeat(50_000), LineFeeds::Fold);
    let text: String = many
        .iter()
        .map(|block| match block {
            Block::Paragraph(inlines) => plain_text(inlines),
            _ => String::new(),
        })
        .collect();
    assert!(text.ends_with("*a* *a* "), "the rest is there as text");
}

#[test]
fn a_persons_line_feeds_are_kept() {
    let blocks = prose("one\ntwo", LineFeeds::Keep);
    assert!(matches!(blocks.as_slice(), [Block::Paragraph(inlines)] if line(inlines) == "one⏎two"));
}
