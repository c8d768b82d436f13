//! Escapes in JSON strings.
//!
//! A parser of whole values unescapes a string into memory that it grows step by step and hands out a copy. Half of what a
//! reader of logs does is unescaping long texts, so they are unescaped here, into memory that is large enough at once.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// What a sound JSON string says; `inside` is what stands between its quotes. An unpaired surrogate,
/// as JavaScript writes for a string cut inside an emoji, becomes U+FFFD.
pub fn unescape(inside: &str) -> Cow<'_, str> {
    let mut next = memchr(b'\\', inside.as_bytes());
    if next.is_none() {
        return Cow::Borrowed(inside);
    }
    // No escape is shorter than what it stands for.
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = next {
        let (before, escape) = rest.split_at(at);
        let (character, length) = first(escape);
        text.push_str(before);
        text.push(character);
        rest = escape.get(length..).unwrap_or_default();
        next = memchr(b'\\', rest.as_bytes());
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character that an escape at the beginning of `json` stands for, and the escape's length. A
/// backslash that begins none stands for itself.
fn first(json: &str) -> (char, usize) {
    let character = match json.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => return unicode(json),
        _ => return ('\\', 1),
    };
    (character, 2)
}

fn unicode(json: &str) -> (char, usize) {
    let Some(high) = unit(json) else { return ('\\', 1) };
    let low = json.get(6..).and_then(unit).filter(|low| (0xDC00..=0xDFFF).contains(low));
    match (high, low) {
        (0xD800..=0xDBFF, Some(low)) => {
            let point = 0x10000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(low) - 0xDC00);
            (char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        _ => (char::from_u32(high.into()).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
    }
}

/// JSON text with every unpaired `\uD800`–`\uDFFF` escape replaced by `\uFFFD`, or `None` where
/// there is none (the usual case, one search).
pub fn replace_lone_surrogates(json: &str) -> Option<String> {
    if !memmem::find_iter(json.as_bytes(), b"\\u")
        .any(|at| matches!(json.as_bytes().get(at + 2), Some(b'd' | b'D')))
    {
        return None;
    }
    let mut mended = String::with_capacity(json.len());
    let mut rest = json;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let (keep, taken) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (escape.get(..12), 12),
            (Some(0xD800..=0xDFFF), _) => (Some("\\ufffd"), 6),
            (Some(_), _) => (escape.get(..6), 6),
            // A backslash and what it escapes, which may be a character of several bytes.
            (None, _) => {
                let width = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                (escape.get(..width), width)
            }
        };
        changed |= keep == Some("\\ufffd") && !escape.starts_with("\\ufffd");
        mended.push_str(keep.unwrap_or_default());
        rest = escape.get(taken..).unwrap_or_default();
    }
    mended.push_str(rest);
    changed.then_some(mended)
}

/// The UTF-16 unit that `json` begins with as a `\uXXXX` escape.
fn unit(json: &str) -> Option<u16> {
    let hex = json.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(hex, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_kept() {
        let check = |json: &str, want: Option<&str>| {
            assert_eq!(replace_lone_surrogates(json).as_deref(), want, "{json}");
        };
        check(r#""plain""#, None);
        check(r#""\ud83d\ude00 pair""#, None);
        check(r#""\ud83d cut""#, Some(r#""\ufffd cut""#));
        check(r#""\ude00\ud83d""#, Some(r#""\ufffd\ufffd""#));
        check(r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#));
        check(r#""\\ud83d is text""#, None);
        check(r#""\ud83d\né\"""#, Some(r#""\ufffd\né\"""#));
    }

    #[test]
    fn strings_are_unescaped_as_a_parser_does() {
        let check = |inside: &str| {
            let json = format!("\"{inside}\"");
            let mended = replace_lone_surrogates(&json).unwrap_or(json);
            assert_eq!(unescape(inside), serde_json::from_str::<String>(&mended).unwrap(), "{inside}");
        };
        check("");
        check("plain, und ä");
        check(r#"\n\"\\\/\t\r\b\f\u00e4\u20AC"#);
        check(r"a\\n is no break, a\n is");
        check(r"\ud83d\ude00, \uD83D\uDE00 and é\u0000");
        check(r"\ud83d cut, \ude00\ud83d, \ud83d\ud83d\ude00, \ud83d\u0041, \ud83d\n");
        check(r"\ud83d");
    }

    #[test]
    fn what_needs_no_unescaping_is_not_copied() {
        assert!(matches!(unescape("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn what_is_no_escape_stays_as_it_is() {
        let check = |inside: &str| assert_eq!(unescape(inside), inside);
        check("\\");
        check(r"\x \u12 \u00g0 \ä");
    }
}
