//! Output as a terminal would show it: runs of text with the sixteen colours, no control codes.
//!
//! What cannot be seen but changes what is read (bidirectional controls, zero-width characters) is
//! named in a run of its own: such characters make code read otherwise than it runs
//! (CVE-2021-42574).

use anstyle_parse::{DefaultCharAccumulator, Params, Parser, Perform};
use palimpsest_protocol::styled::{Style, Styled};
use palimpsest_record::Text;

/// Text that may hold terminal codes → styled runs. A carriage return that does not end its line
/// starts the line again, as progress bars do.
pub fn terminal(text: &str) -> Vec<Styled> {
    if !text.bytes().any(|byte| byte < b' ' && byte != b'\n' && byte != b'\t') && !has_invisible(text) {
        return if text.is_empty() { Vec::new() } else { vec![Styled::plain(text)] };
    }
    let mut screen = Screen::default();
    let mut parser = Parser::<DefaultCharAccumulator>::new();
    for byte in text.bytes() {
        parser.advance(&mut screen, byte);
    }
    screen.end_line();
    screen.runs
}

/// Text as it stands → one run, with what is invisible named. Other control codes are named too:
/// nothing here is a terminal's output.
pub fn verbatim(text: &str) -> Vec<Styled> {
    let mut runs = Vec::new();
    let mut plain = String::new();
    for character in text.chars() {
        if is_invisible(character) || (character.is_control() && !matches!(character, '\n' | '\t')) {
            push(&mut runs, &mut plain, Style::default());
            runs.push(named(character));
        } else {
            plain.push(character);
        }
    }
    push(&mut runs, &mut plain, Style::default());
    runs
}

/// Code with what is invisible written out in words, and control codes as their pictures.
pub fn visible(text: &str) -> Text {
    if !has_invisible(text) {
        return printable(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_invisible(character) {
            out.push_str(&format!("⟦U+{:04X}⟧", u32::from(character)));
        } else {
            out.push(pictured(character));
        }
    }
    Text::from(out)
}

/// Running text with control codes as their pictures (`␛`): it is no terminal's output, and a code
/// that a person copies from it must do nothing in theirs. Bidirectional controls stay: languages
/// need them, and the page isolates every block.
pub fn printable(text: &str) -> Text {
    if text.chars().all(|character| pictured(character) == character) {
        return Text::from(text);
    }
    Text::from(text.chars().map(pictured).collect::<String>())
}

/// The character, or the picture of a control code.
fn pictured(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        _ => character,
    }
}

/// Bidirectional controls, zero-width characters and the byte order mark. The zero-width joiner is
/// not among them: emoji are written with it.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{61c}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn has_invisible(text: &str) -> bool {
    // All of them begin with one of three bytes in UTF-8, which plain text rarely has.
    text.bytes().any(|byte| matches!(byte, 0xd8 | 0xe2 | 0xef)) && text.chars().any(is_invisible)
}

fn named(character: char) -> Styled {
    let name = format!("U+{:04X}", u32::from(character));
    Styled { text: Text::from(name), style: Style { control: true, ..Style::default() } }
}

fn push(runs: &mut Vec<Styled>, text: &mut String, style: Style) {
    if !text.is_empty() {
        runs.push(Styled { text: Text::from(text.as_str()), style });
        text.clear();
    }
}

/// What has been printed: finished runs and the line in the making.
#[derive(Default)]
struct Screen {
    runs: Vec<Styled>,
    line: Vec<(Style, String)>,
    style: Style,
    /// A carriage return came: the next character starts the line again.
    returned: bool,
}

impl Screen {
    fn put(&mut self, character: char) {
        if std::mem::take(&mut self.returned) {
            self.line.clear();
        }
        match self.line.last_mut() {
            Some((style, text)) if *style == self.style => text.push(character),
            _ => self.line.push((self.style, character.to_string())),
        }
    }

    fn end_line(&mut self) {
        for (style, mut text) in self.line.drain(..) {
            match self.runs.last_mut() {
                Some(last) if last.style == style && !style.control && last.text.len() < 4096 => {
                    last.text = Text::from(format!("{}{text}", last.text));
                }
                _ => push(&mut self.runs, &mut text, style),
            }
        }
    }

    /// Select graphic rendition.
    fn select(&mut self, params: &Params) {
        let mut codes = params.iter().flatten().copied();
        if params.is_empty() {
            self.style = Style::default();
        }
        while let Some(code) = codes.next() {
            let style = &mut self.style;
            match code {
                0 => *style = Style::default(),
                1 => style.bold = true,
                2 => style.faint = true,
                3 => style.italic = true,
                4 => style.underline = true,
                22 => (style.bold, style.faint) = (false, false),
                23 => style.italic = false,
                24 => style.underline = false,
                30..=37 => style.colour = Some((code - 30) as u8),
                39 => style.colour = None,
                90..=97 => style.colour = Some((code - 90 + 8) as u8),
                // 256 colours and true colour: the first sixteen are kept, the rest would not be
                // readable on both themes.
                38 | 48 => {
                    let of_text = code == 38;
                    match codes.next() {
                        Some(5) => {
                            let index = codes.next();
                            if of_text {
                                style.colour = index.filter(|index| *index < 16).map(|index| index as u8);
                            }
                        }
                        Some(2) => drop((codes.next(), codes.next(), codes.next())),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

impl Perform for Screen {
    fn print(&mut self, character: char) {
        if is_invisible(character) {
            let shown = std::mem::replace(&mut self.style, named(character).style);
            named(character).text.chars().for_each(|letter| self.put(letter));
            self.style = shown;
        } else {
            self.put(character);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                self.returned = false;
                self.put('\n');
                self.end_line();
            }
            b'\t' => self.put('\t'),
            b'\r' => self.returned = true,
            0x08 => {
                if let Some((_, text)) = self.line.last_mut() {
                    text.pop();
                }
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, _intermediates: &[u8], _ignore: bool, action: u8) {
        match action {
            b'm' => self.select(params),
            // Erase in line: what is to the left of a returned cursor goes with the next character.
            b'K' if self.returned => self.line.clear(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str) {
        let shown: String = terminal(text)
            .iter()
            .map(|run| match run.style {
                style if style == Style::default() => run.text.to_string(),
                Style { control: true, .. } => format!("<{}>", run.text),
                style => {
                    format!("[{:?}{} {}]", style.colour, if style.bold { " bold" } else { "" }, run.text)
                }
            })
            .collect();
        assert_eq!(shown, want, "{text:?}");
    }

    #[test]
    fn codes_become_styles_and_never_text() {
        check("plain", "plain");
        check("\u{1b}[31mFAIL\u{1b}[0m test", "[Some(1) FAIL] test");
        check("\u{1b}[1m\u{1b}[92mok\u{1b}[m done", "[Some(10) bold ok] done");
        check("\u{1b}[38;5;200mpink\u{1b}[38;2;1;2;3mrgb", "pinkrgb");
        check("\u{1b}]0;my title\u{7}shown", "shown");
        check("\u{1b}]8;;javascript:alert(1)\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link");
        check("\u{1b}[2Jx\u{1b}[10;10Hy", "xy");
    }

    #[test]
    fn a_carriage_return_starts_the_line_again() {
        check("progress 10%\rprogress 100%\ndone", "progress 100%\ndone");
        check("windows\r\nlines\r\n", "windows\nlines\n");
        check("10%\r\u{1b}[2K20%", "20%");
    }

    #[test]
    fn what_cannot_be_seen_is_named() {
        check("a\u{202e}b", "a<U+202E>b");
        check("a\u{61c}b", "a<U+061C>b");
        assert_eq!(visible("if\u{2066} x").as_str(), "if⟦U+2066⟧ x");
        assert_eq!(verbatim("\u{1b}[31m").first().map(|run| run.text.as_str()), Some("U+001B"));
        check("👩‍💻", "👩‍💻");
    }
}
