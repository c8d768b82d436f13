//! Texts of a line, and what is done about lines that are too long to read every word of.
//!
//! A record keeps the beginning of a text and its length. Where a string in a line is far longer
//! than that beginning, only so much of it is parsed: the rest is cut out of the line before, and
//! the length that the whole text would have stands behind the cut.

use std::borrow::Cow;
use std::ops::Deref;

use memchr::{memchr, memchr_iter, memrchr};
use palimpsest_record::escape::unescape;
use palimpsest_record::{PREVIEW_LIMIT, Preview, Text};

use super::members::string_end;
use crate::json::Scalar;

/// Bytes of a string in JSON that are kept: enough for a preview, were each byte an escape of six.
const KEPT: usize = 6 * (PREVIEW_LIMIT + 1);
/// Strings are cut only where that leaves out as much again.
const LONG: usize = 2 * KEPT;

/// A text of a line.
#[derive(Debug, Clone)]
pub(super) struct Words<'a> {
    text: Kept<'a>,
    /// Length of the whole, of which this may be only the beginning. It is no `Option` beside the length of `text`:
    /// to choose one of the two, rustc 1.95 reads both before it looks whether there are any words (rust-lang/rust#159035).
    length: u64,
}

/// A text with an escape cannot borrow; it is put where a record can share it.
#[derive(Debug, Clone)]
enum Kept<'a> {
    Borrowed(&'a str),
    Shared(Text),
}

impl Deref for Words<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        match &self.text {
            Kept::Borrowed(text) => text,
            Kept::Shared(text) => text,
        }
    }
}

impl<'a> From<&'a str> for Words<'a> {
    fn from(text: &'a str) -> Self {
        Words { text: Kept::Borrowed(text), length: text.len() as u64 }
    }
}

impl Words<'_> {
    /// A text that had escapes, as the parser made it of them.
    pub(super) fn copied(text: &str) -> Self {
        let (text, length) = whole_length(text).unwrap_or((text, text.len() as u64));
        Words { text: Kept::Shared(Text::from(text)), length }
    }

    /// A slice of the text: all of it but what was taken off its ends.
    pub(super) fn part<'p>(&self, slice: &'p str) -> Words<'p> {
        let taken = self.len().saturating_sub(slice.len()) as u64;
        Words { text: Kept::Borrowed(slice), length: self.length.saturating_sub(taken) }
    }

    /// Length of the whole text in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    fn is_beginning(&self) -> bool {
        self.length > self.len() as u64
    }

    /// The text by the preview rule.
    pub(super) fn preview(&self, limit: usize) -> Preview {
        match &self.text {
            Kept::Shared(text) if text.len() <= limit && !self.is_beginning() => {
                Preview { text: text.clone(), full_length: None }
            }
            _ => {
                let cut = Preview::cut(self, limit);
                let full_length = if self.is_beginning() { Some(self.length) } else { cut.full_length };
                Preview { full_length, ..cut }
            }
        }
    }
}

impl<'a> From<Cow<'a, str>> for Words<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Words::from(text),
            Cow::Owned(text) => Words::copied(&text),
        }
    }
}

impl<'de: 'a, 'a> Scalar<'de> for Words<'a> {
    const IS_LONG: bool = true;
    fn escaped(inside: &'de str) -> Option<Self> {
        Some(Words::from(unescape(inside)))
    }
}

/// Takes the length from behind a cut. A text of the log that ends like one loses nothing by it but
/// bytes far behind its preview.
fn whole_length(text: &str) -> Option<(&str, u64)> {
    if text.len() <= PREVIEW_LIMIT {
        return None;
    }
    let tail = text.len().saturating_sub(24);
    let mark = tail + memrchr(0, text.as_bytes().get(tail..)?)?;
    let whole = text.get(mark + 1..)?.parse().ok()?;
    let kept = text.get(..mark)?;
    (kept.len() > PREVIEW_LIMIT && whole > kept.len() as u64).then_some((kept, whole))
}

/// JSON with its long strings cut; none where there is no need.
#[derive(Debug)]
pub(super) struct Shortened {
    pub(super) json: String,
    /// Where in `json` something was cut out, and by how many bytes that is shorter.
    cuts: Vec<(usize, usize)>,
}

impl Shortened {
    /// Cuts the long strings of `json`. `None` where it has none, or where it is broken.
    pub(super) fn cut(json: &str) -> Option<Shortened> {
        if json.len() <= LONG {
            return None;
        }
        let bytes = json.as_bytes();
        let mut shortened = Shortened { json: String::new(), cuts: Vec::new() };
        let (mut copied, mut at) = (0, 0);
        while let Some(quote) = memchr(b'"', bytes.get(at..)?) {
            let start = at + quote + 1;
            let end = string_end(bytes, start)?;
            at = end;
            if end - start > LONG {
                let inside = json.get(start..end - 1)?;
                let (kept, length) = measure(inside);
                shortened.json.push_str(json.get(copied..start + kept)?);
                copied = end - 1;
                let mark = format!("\\u0000{length}");
                shortened.json.push_str(&mark);
                shortened.cuts.push((shortened.json.len(), copied - (start + kept + mark.len())));
            }
        }
        if shortened.cuts.is_empty() {
            return None;
        }
        shortened.json.push_str(json.get(copied..)?);
        Some(shortened)
    }

    /// How many bytes `part`, a slice of this JSON, is short of what it was.
    pub(super) fn missing(&self, part: &str) -> usize {
        let start = (part.as_ptr() as usize).wrapping_sub(self.json.as_ptr() as usize);
        let inside = start..start.saturating_add(part.len());
        self.cuts.iter().filter(|cut| inside.contains(&cut.0)).map(|cut| cut.1).sum()
    }
}

/// Of the inside of a JSON string: how many bytes to keep, so that no escape and no character is
/// cut, and how long the whole is without its escapes.
fn measure(inside: &str) -> (usize, usize) {
    let bytes = inside.as_bytes();
    let mut kept = inside.floor_char_boundary(KEPT);
    let mut length = bytes.len();
    let mut next = 0;
    for at in memchr_iter(b'\\', bytes) {
        if at < next {
            continue;
        }
        let (escape, means) = escape(inside.get(at..).unwrap_or_default());
        next = at + escape;
        length -= escape.saturating_sub(means).min(length);
        if at < kept && next > kept {
            kept = at;
        }
    }
    (kept, length)
}

/// Bytes of the escape that `json` begins with, and bytes of what it means.
fn escape(json: &str) -> (usize, usize) {
    let unit = |at: usize| {
        let hex = json.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u32::from_str_radix(hex, 16).ok()
    };
    match (unit(0), unit(6)) {
        (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, 4),
        (Some(unit), _) => (6, char::from_u32(unit).map_or(3, char::len_utf8)),
        (None, _) => (2, 1),
    }
}

/// Texts joined by line feeds, with the length of the whole.
pub(super) fn join(texts: &[Words<'_>]) -> Words<'static> {
    let joined: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let joined = joined.join("\n");
    let missing: u64 = texts.iter().map(|text| text.length() - text.len() as u64).sum();
    let length = joined.len() as u64 + missing;
    Words { text: Kept::Shared(Text::from(joined)), length }
}

impl Default for Words<'_> {
    fn default() -> Self {
        Words::from("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Lax;

    /// A string of `count` bytes and more in JSON that means `text` over and over.
    fn long(text: &str, count: usize) -> String {
        text.repeat(count / text.len() + 1)
    }

    #[test]
    fn a_shortened_line_says_the_same_in_short() {
        let check = |text: &str| {
            let whole = long(text, 3 * LONG);
            let json = serde_json::to_string(&[&whole, "short"]).unwrap();
            let shortened = Shortened::cut(&json).unwrap();
            assert!(shortened.json.len() < json.len() / 2, "{text}");
            let words: Vec<Lax<Words<'_>>> = serde_json::from_str(&shortened.json).unwrap();
            let [Lax(Some(cut)), Lax(Some(short))] = words.as_slice() else { panic!("{words:?}") };
            assert_eq!(cut.preview(PREVIEW_LIMIT), Preview::cut(&whole, PREVIEW_LIMIT), "{text}");
            assert_eq!(cut.length(), whole.len() as u64, "{text}");
            assert_eq!((&**short, short.length()), ("short", 5));
            assert_eq!(shortened.json.len() + shortened.missing(&shortened.json), json.len(), "{text}");
        };
        check("plain ");
        check("ä→😀");
        check("line\nfeed and \"quotes\" and \\ ");
        check("\u{1}");
        check("\\\"");
    }

    #[test]
    fn escapes_are_measured_as_what_they_mean() {
        let check =
            |inside: &str, means: &str| assert_eq!(measure(inside), (inside.len(), means.len()), "{inside}");
        check("plain", "plain");
        check(r#"a\n\"\\"#, "a\n\"\\");
        check(r"\u0041\u00e4\u2192", "Aä→");
        check(r"\ud83d\ude00", "😀");
        check(r"\\u0041", r"\u0041");
    }

    #[test]
    fn what_is_short_or_broken_is_left_alone() {
        let check = |json: &str| assert!(Shortened::cut(json).is_none());
        check("{\"a\":\"b\"}");
        check(&format!("{{\"a\":[{}1]}}", "1,".repeat(LONG)));
        check(&format!("{{\"a\":\"{}", "x".repeat(2 * LONG)));
    }

    #[test]
    fn a_text_that_ends_like_a_cut_is_whole() {
        let check = |text: &str| {
            let words = Words::copied(text);
            assert_eq!((words.len(), words.length()), (text.len(), text.len() as u64));
        };
        check("a\u{0}12");
        check(&(long("x", 2 * PREVIEW_LIMIT) + "\u{0}12"));
        check(&(long("x", 2 * PREVIEW_LIMIT) + "\u{0}"));
    }
}
