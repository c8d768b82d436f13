use palimpsest_protocol::styled::Style;

use super::*;

fn plain(words: &str) -> Inline {
    Inline::Text(Text::from(words))
}

fn code(lines: usize) -> Block {
    Block::Code { language: Text::default(), text: Text::from("x\n".repeat(lines)) }
}

#[test]
fn text_as_it_stands_is_cut_at_lines_and_at_bytes() {
    let check = |runs: &[&str], shown: usize, lines: usize, cut: bool| {
        let text: Vec<Styled> = runs.iter().map(|run| Styled::plain(*run)).collect();
        let clip = styled(&text);
        let bytes: usize = clip.shown.iter().map(|run| run.text.len()).sum();
        assert_eq!((bytes, clip.lines, clip.cut), (shown, lines, cut), "{} runs", runs.len());
        assert_eq!(clip.bytes, runs.iter().map(|run| run.len()).sum::<usize>());
    };
    let thirty = "x\n".repeat(LINES);
    check(&[], 0, 0, false);
    check(&[""], 0, 1, false);
    check(&["one"], 3, 1, false);
    check(&["one\n", "two"], 7, 2, false);
    // The line feed behind the last line that is shown is not.
    check(&[&thirty], 2 * LINES - 1, LINES, false);
    check(&[&thirty, "more"], 2 * LINES - 1, LINES + 1, true);
    check(&[&"x\n".repeat(500)], 2 * LINES - 1, 500, true);
    check(&["x\n"; 500], 2 * LINES - 1, 500, true);
    // One endless line; the cut keeps off the middle of a character.
    check(&[&"ä".repeat(BYTES)], BYTES, 1, true);
    check(&["x", &"ä".repeat(BYTES)], BYTES - 1, 1, true);
}

#[test]
fn styles_are_kept() {
    let style = Style { bold: true, ..Style::default() };
    let run = Styled { text: Text::from("x\n".repeat(LINES + 1)), style };
    assert_eq!(styled(&[run]).shown.first().map(|run| run.style), Some(style));
}

#[test]
fn running_text_is_cut_in_any_block() {
    let item = |text: Block| Item { checked: None, blocks: vec![text] };
    let check = |text: &[Block], lines: usize, shown_lines: usize| {
        let clip = blocks(text);
        assert_eq!((clip.lines, clip.cut), (lines, lines > LINES), "{text:?}");
        assert_eq!(clip.shown.iter().map(lines_of).sum::<usize>(), shown_lines, "{:?}", clip.shown);
    };
    check(&[], 0, 0);
    check(&[Block::Paragraph(vec![])], 1, 1);
    check(&[Block::Paragraph(vec![plain("a\nb"), Inline::Break, plain("c")]), Block::Rule], 4, 4);
    check(&[code(40)], 40, LINES);
    check(&[Block::Rule, code(40), Block::Rule], 42, LINES);
    check(&vec![Block::Paragraph(vec![plain("word")]); 50], 50, LINES);
    check(&[Block::Quote(vec![code(20), code(20)])], 40, LINES);
    check(&[Block::List { start: None, items: vec![item(code(20)); 3] }], 60, LINES);
    let row = vec![vec![plain("cell")]];
    check(&[Block::Table { align: vec![], head: row.clone(), rows: vec![row; 60] }], 61, LINES);
    // A paragraph that is longer than all that is shown is cut within its own text.
    let long = Inline::Strong(vec![plain(&"word ".repeat(1_000))]);
    check(&[Block::Paragraph(vec![long, Inline::Break, plain("tail")])], 64, LINES);
}

#[test]
fn what_is_short_is_left_alone() {
    let text = [Block::Paragraph(vec![plain("one"), Inline::Code(Text::from("two"))]), code(3)];
    assert_eq!(blocks(&text).shown, text);
}
