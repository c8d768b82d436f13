//! What may reach a terminal: our own styles, and text of the log that cannot drive it.

use std::borrow::Cow;
use std::fmt;

/// Whether styles are written at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    Styled,
}

/// How a piece of text looks. The number is the terminal's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Normal = 0,
    Strong = 1,
    Dim = 2,
    Failed = 31,
    Accent = 36,
}

impl Look {
    /// Styled on a terminal, unless the person asked for none (no-color.org).
    pub(super) fn of(is_terminal: bool) -> Look {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_terminal && !no_color && !dumb { Look::Styled } else { Look::Plain }
    }

    /// `text` in a style. The text must be safe already.
    pub(super) fn paint<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted { style: if self == Look::Styled { style } else { Style::Normal }, text }
    }
}

/// Text in a style.
pub(super) struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.style == Style::Normal {
            return self.text.fmt(f);
        }
        write!(f, "\x1b[{}m{}\x1b[0m", self.style as u8, self.text)
    }
}

/// Longest escape sequence that is taken out; a longer one is shown, so that no log can hide its
/// text behind a sequence that never ends.
const LONGEST_SEQUENCE: usize = 512;

/// Text of a log without anything that moves the cursor, changes a colour, sets a title, rings or
/// turns the direction of what follows. Line feeds and tabs stay; sequences go; any other control
/// is shown as a picture or by its number.
pub(super) fn safe(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_unsafe) {
        let (before, control) = rest.split_at(at);
        shown.push_str(before);
        let taken = sequence(control).unwrap_or_else(|| {
            let first = control.chars().next().unwrap_or_default();
            show(first, control, &mut shown);
            first.len_utf8()
        });
        rest = control.get(taken..).unwrap_or_default();
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// The same on one line: white space of any kind is one space.
pub(super) fn safe_line(text: &str) -> String {
    safe(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_unsafe(c: char) -> bool {
    let turns_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks_lines = matches!(c, '\u{2028}' | '\u{2029}');
    (c.is_control() && c != '\n' && c != '\t') || turns_direction || breaks_lines
}

fn show(control: char, text: &str, shown: &mut String) {
    match control {
        // A line end of another system, or a bar that was drawn over itself.
        '\r' if text.starts_with("\r\n") => {}
        '\r' => shown.push('\n'),
        '\u{2028}' | '\u{2029}' => shown.push('\n'),
        // The pictures of the controls stand in their order.
        '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + control as u32)),
        '\u{7f}' => shown.push('␡'),
        other => shown.extend(other.escape_unicode()),
    }
}

/// The length of the escape sequence that `text` begins with, if it is one and ends soon.
fn sequence(text: &str) -> Option<usize> {
    let (introducer, rest) = match text.strip_prefix('\u{1b}') {
        Some(rest) => (rest.chars().next()?, rest.get(rest.chars().next()?.len_utf8()..)?),
        None if text.starts_with('\u{9b}') => ('[', text.get('\u{9b}'.len_utf8()..)?),
        None if text.starts_with('\u{9d}') => (']', text.get('\u{9d}'.len_utf8()..)?),
        None => return None,
    };
    let head = text.len() - rest.len();
    let mut bytes = rest.bytes().take(LONGEST_SEQUENCE).enumerate();
    match introducer {
        '[' => {
            let (at, last) = bytes.find(|(_, byte)| !matches!(byte, 0x20..=0x3f))?;
            matches!(last, 0x40..=0x7e).then_some(head + at + 1)
        }
        ']' | 'P' | 'X' | '^' | '_' => {
            let (at, last) = bytes.find(|(_, byte)| matches!(byte, 0x07 | 0x1b | b'\n'))?;
            match last {
                0x07 => Some(head + at + 1),
                0x1b if rest.as_bytes().get(at + 1) == Some(&b'\\') => Some(head + at + 2),
                _ => None,
            }
        }
        '(' | ')' | '#' | ' ' | '%' => Some(head + rest.chars().next()?.len_utf8()),
        '0'..='~' => Some(head),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_cannot_drive_the_terminal() {
        let check = |text: &str, want: &str| {
            let shown = safe(text);
            assert_eq!(shown, want, "{text:?}");
            assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{text:?}");
        };
        check("plain\n\ttext", "plain\n\ttext");
        check("\x1b[1;31mred\x1b[0m", "red");
        check("\x1b[2J\x1b[Hcleared", "cleared");
        check("\x1b]0;title\x07after", "after");
        check("\x1b]8;;https://example.invalid\x1b\\link\x1b]8;;\x1b\\", "link");
        check("\x1bPq#1\x1b\\dcs", "dcs");
        check("\x1bcreset", "reset");
        check("\x1b(0line", "line");
        check("\u{9b}31mred", "red");
        check("\u{9d}0;t\x07x", "x");
        check("\x1b[31", "␛[31");
        check("\x1b", "␛");
        check("\x1bé", "␛é");
        check("\x1b]0;never ends\nnext line", "␛]0;never ends\nnext line");
        check(&format!("\x1b]{}\x07", "x".repeat(600)), &format!("␛]{}␇", "x".repeat(600)));
        check("bell\x07 back\x08 nul\0 del\x7f nel\u{85}", "bell␇ back␈ nul␀ del␡ nel\\u{85}");
        check("a\r\nb\rc", "a\nb\nc");
        check("a\u{2028}b", "a\nb");
        check("abc\u{202e}fed\u{2066}", "abc\\u{202e}fed\\u{2066}");
        check("abc\u{61c}", "abc\\u{61c}");
        check("é\x1b[0mé", "éé");
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(safe_line("a\r\n  b\t\x1b[1mc "), "a b c");
    }

    #[test]
    fn plain_means_no_styles() {
        assert_eq!(Look::Plain.paint(Style::Strong, "x").to_string(), "x");
        assert_eq!(Look::Styled.paint(Style::Strong, "x").to_string(), "\x1b[1mx\x1b[0m");
        assert_eq!(Look::of(false), Look::Plain);
    }
}
