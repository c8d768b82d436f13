//! The beginning of a log → who wrote it.

use palimpsest_record::order::sort_by;
use std::borrow::Cow;
use std::ops::Range;

use palimpsest_record::escape::replace_lone_surrogates;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::lines::clean;
use crate::object::first_element;
use crate::{Claim, Container, FileKey, Object, PROVIDERS, Provider};

/// What [`identify`] has to say.
#[derive(Debug)]
pub enum Identified {
    /// A provider claims the log.
    Yes(Identity),
    /// The beginning is too short to tell: ask again with at least twice as much of the log.
    NeedMore,
}

/// Whose log it is.
#[derive(Clone)]
pub struct Identity {
    /// The provider.
    pub provider: &'static dyn Provider,
    /// How the log holds its records.
    pub container: Container,
    /// Which session it belongs to.
    pub key: FileKey,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {:?}", self.provider.id(), self.container, self.key)
    }
}

/// Why a log cannot be read at all. Each message is one sentence that says what was seen.
#[derive(Debug, Error)]
pub enum IdentifyError {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Not text, or text of another kind.
    #[error("this is not a session log: it looks like {0}")]
    NotALog(String),
    /// It ends before it shows whose it is.
    #[error("it is too short to tell whose it is")]
    TooShort,
    /// One JSON document, and too large to be read as one.
    #[error("it is one JSON document of more than {} MB, the most that can be read as one", MOST_DOCUMENT >> 20)]
    TooLarge,
    /// JSON, but no provider's.
    #[error("no known product writes logs like this: {0}")]
    NoProvider(String),
}

impl IdentifyError {
    /// It is no session log: whoever gave a whole folder need not be told. The others may be logs that cannot be read.
    pub fn is_no_log(&self) -> bool {
        match self {
            IdentifyError::Empty | IdentifyError::NotALog(_) | IdentifyError::NoProvider(_) => true,
            IdentifyError::TooShort | IdentifyError::TooLarge => false,
        }
    }
}

/// Objects that are asked about: a log's first lines may be another tool's or damaged.
const OBJECTS: usize = 20;
/// Where this many objects are claimed by nobody, the rest of the log will not help.
const OBJECTS_BEFORE_GIVING_UP: usize = 200;
/// Lines read in search of a first JSON object.
const LINES_BEFORE_GIVING_UP: usize = 2000;
/// Most bytes of a log that is one JSON document: it is held as a whole.
pub const MOST_DOCUMENT: usize = 512 << 20;
/// Most NULs and white space that are skipped in search of a beginning.
const MOST_PADDING: usize = 16 << 20;
/// Longest line without JSON in it after which there may still be some.
const MOST_LINE: usize = 64 << 20;
/// Callers give this many bytes first, and double on [`Identified::NeedMore`].
pub const FIRST_LOOK: usize = 64 * 1024;

/// Tells whose log begins with `prefix`, by content alone. `complete` says that this is all of it.
///
/// # Errors
/// No provider claims it, with a sentence of what was seen.
pub fn identify(prefix: &[u8], complete: bool) -> Result<Identified, IdentifyError> {
    let texts = head_lines(prefix, complete);
    let objects: Vec<Object<'_>> =
        texts.iter().filter_map(|text| Object::parse(text)).take(OBJECTS_BEFORE_GIVING_UP).collect();
    if let Some(provider) = strongest(objects.get(..OBJECTS.min(objects.len())).unwrap_or_default())
        .or_else(|| strongest(&objects))
    {
        let settled = complete || objects.len() >= OBJECTS || prefix.len() >= FIRST_LOOK;
        return Ok(if settled {
            claimed(provider, Container::Lines, &objects)
        } else {
            Identified::NeedMore
        });
    }
    let hopeless = objects.len() >= OBJECTS_BEFORE_GIVING_UP || texts.len() >= LINES_BEFORE_GIVING_UP;
    let starts_like_json = matches!(first_byte(prefix), Some(b'{' | b'['));
    // A document is known only as a whole, so it is asked for to its end, however many lines it is spread over.
    let may_be_document = || starts_like_json && begins_document(prefix);
    let may_be_lines = match first_byte(prefix) {
        None => prefix.len() < MOST_PADDING,
        Some(_) => !hopeless && !is_binary(prefix) && prefix.len() < MOST_LINE,
    };
    if !complete && (may_be_lines || may_be_document()) {
        if prefix.len() >= MOST_DOCUMENT {
            return Err(IdentifyError::TooLarge);
        }
        return Ok(Identified::NeedMore);
    }
    if starts_like_json && let Some(found) = identify_document(prefix) {
        return Ok(found);
    }
    Err(describe(prefix, &objects))
}

/// The sound lines at the beginning, as text.
fn head_lines(prefix: &[u8], complete: bool) -> Vec<String> {
    let whole = match (complete, memchr::memrchr(b'\n', prefix)) {
        (true, _) => prefix,
        (false, Some(end)) => prefix.get(..end).unwrap_or_default(),
        (false, None) => &[],
    };
    whole
        .split(|&byte| byte == b'\n')
        .map(clean)
        .filter(|line| !line.is_empty())
        .take(LINES_BEFORE_GIVING_UP)
        .map(|line| {
            let text = String::from_utf8_lossy(&line).into_owned();
            replace_lone_surrogates(&text).unwrap_or(text)
        })
        .collect()
}

/// The provider with the most claims among line objects.
fn strongest(objects: &[Object<'_>]) -> Option<&'static dyn Provider> {
    let mut best: Option<(u32, &'static dyn Provider)> = None;
    for provider in PROVIDERS.iter().copied() {
        let score = objects
            .iter()
            .map(|object| match provider.claims(object) {
                Claim::No | Claim::Document | Claim::Logs => 0,
                Claim::Weak => 1,
                Claim::Strong => 100,
            })
            .sum();
        if score > best.as_ref().map_or(0, |best| best.0) {
            best = Some((score, provider));
        }
    }
    best.map(|best| best.1)
}

fn claimed(provider: &'static dyn Provider, container: Container, head: &[Object<'_>]) -> Identified {
    Identified::Yes(Identity { provider, container, key: provider.file_key(head) })
}

/// The bytes are a JSON value as far as they go. Lines are not: after the first comes a second.
fn begins_document(prefix: &[u8]) -> bool {
    match serde_json::from_slice::<IgnoredAny>(&clean(prefix)) {
        Ok(_) => true,
        Err(error) => error.is_eof(),
    }
}

/// A log that is one JSON value.
fn identify_document(bytes: &[u8]) -> Option<Identified> {
    let text = String::from_utf8_lossy(&clean(bytes)).into_owned();
    let text = replace_lone_surrogates(&text).unwrap_or(text);
    let provider = |claims: &dyn Fn(&dyn Provider) -> bool| PROVIDERS.iter().copied().find(|it| claims(*it));
    if let Some(object) = Object::parse(&text) {
        if let Some(provider) = provider(&|provider| provider.claims(&object) == Claim::Document) {
            return Some(claimed(provider, Container::Document, &[object]));
        }
        let first = object.first_of(WRAPPER)?;
        let provider = provider(&|provider| provider.claims_list(&first) == Claim::Logs)?;
        return Some(claimed(provider, Container::Logs, &[]));
    }
    let first = first_element(&text)?;
    if let Some(provider) = provider(&|provider| provider.claims_list(&first) == Claim::Logs) {
        return Some(claimed(provider, Container::Logs, &[]));
    }
    let provider = provider(&|provider| provider.claims_list(&first) == Claim::Document)?;
    Some(claimed(provider, Container::Document, &[first]))
}

/// Where an export that is an object keeps the list of its logs.
const WRAPPER: &str = "conversations";

/// Where each log is in a document that holds many: its bytes, from the first to behind the last.
pub fn logs_in(bytes: &[u8]) -> Vec<Range<u64>> {
    let text = String::from_utf8_lossy(bytes);
    // Where something had to be mended, places in the text are none in the file; then there are none.
    let Cow::Borrowed(text) = text else { return Vec::new() };
    let json = text.trim_start_matches('\u{feff}');
    let wrapped = Object::parse(json).and_then(|object| object.value(WRAPPER));
    let list = wrapped.map_or(json, RawValue::get);
    let elements: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
    let place = |element: &&RawValue| {
        let start = (element.get().as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize) as u64;
        start..start + element.get().len() as u64
    };
    elements.iter().map(place).collect()
}

fn first_byte(bytes: &[u8]) -> Option<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace() && *byte != 0)
}

fn is_binary(prefix: &[u8]) -> bool {
    let look = prefix.get(..prefix.len().min(4096)).unwrap_or_default();
    let controls = look.iter().filter(|&&byte| byte < 9).count();
    let no_text = look.utf8_chunks().map(|chunk| chunk.invalid().len()).sum::<usize>();
    known_magic(look).is_some() || controls * 20 > look.len() || no_text * 10 > look.len()
}

/// Names a file by its first bytes.
fn known_magic(bytes: &[u8]) -> Option<&'static str> {
    const MAGICS: &[(&[u8], &str)] = &[
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF", "a PDF document"),
        (b"SQLite format 3\0", "a SQLite database"),
        (b"\x7fELF", "a program"),
        (b"\0asm", "a WebAssembly module"),
        (b"<!DOCTYPE", "an HTML page"),
        (b"<!doctype", "an HTML page"),
        (b"<html", "an HTML page"),
    ];
    MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| *name)
}

fn describe(prefix: &[u8], objects: &[Object<'_>]) -> IdentifyError {
    if first_byte(prefix).is_none() {
        return IdentifyError::Empty;
    }
    if let Some(object) = objects.first() {
        return IdentifyError::NoProvider(format!("its first record has the keys {}", key_list(object)));
    }
    if let Some(name) = known_magic(prefix) {
        return IdentifyError::NotALog(name.to_owned());
    }
    if is_binary(prefix) {
        return IdentifyError::NotALog("binary data".to_owned());
    }
    if !matches!(first_byte(prefix), Some(b'{' | b'[')) {
        return IdentifyError::NotALog("plain text".to_owned());
    }
    let text = String::from_utf8_lossy(&clean(prefix)).into_owned();
    match Object::parse(&text) {
        Some(object) => {
            IdentifyError::NoProvider(format!("a JSON document with the keys {}", key_list(&object)))
        }
        None if first_element(&text).is_some() => {
            IdentifyError::NoProvider("a JSON document that is a list of objects".to_owned())
        }
        None => IdentifyError::NotALog(damage(&text)),
    }
}

/// What is wrong with JSON that cannot be read.
fn damage(text: &str) -> String {
    match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) if error.is_eof() => "a JSON document whose end is missing".to_owned(),
        Err(error) => format!("JSON that is damaged in line {}", error.line()),
        Ok(_) => "a JSON document without a record".to_owned(),
    }
}

/// The first keys of an object, short enough for a sentence.
fn key_list(object: &Object<'_>) -> String {
    const SHOWN: usize = 6;
    let mut keys: Vec<&str> = object.keys().collect();
    sort_by(&mut keys, Ord::cmp);
    let shown = keys.iter().take(SHOWN);
    let shown: Vec<String> =
        shown.map(|key| key.chars().take(40).flat_map(char::escape_default).collect()).collect();
    let more = if keys.len() > SHOWN { ", …" } else { "" };
    if shown.is_empty() { "(none)".to_owned() } else { format!("{}{more}", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_log_is_named() {
        let check = |bytes: &[u8], want: &str| {
            assert_eq!(identify(bytes, true).unwrap_err().to_string(), want);
        };
        check(b"", "the file is empty");
        check(b" \n\0\0\n", "the file is empty");
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is not a session log: it looks like a PNG image");
        check(b"\x01\x02\x03\x04\x05\x06\x07", "this is not a session log: it looks like binary data");
        // As random as what is compressed or encrypted.
        let noise: Vec<u8> = (0..5000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        check(&noise, "this is not a session log: it looks like binary data");
        check(b"Dear diary,\n", "this is not a session log: it looks like plain text");
        check(
            b"{\"level\":\"info\",\"msg\":\"up\"}\n",
            "no known product writes logs like this: its first record has the keys level, msg",
        );
        check(
            b"{\n \"name\": \"x\"\n}\n",
            "no known product writes logs like this: a JSON document with the keys name",
        );
        check(
            b"{\n \"name\": \n",
            "this is not a session log: it looks like a JSON document whose end is missing",
        );
        check(
            b"{\n \"name\": }\n",
            "this is not a session log: it looks like JSON that is damaged in line 2",
        );
        check(b"[]", "this is not a session log: it looks like a JSON document without a record");
    }

    #[test]
    fn a_short_look_asks_for_more() {
        let check = |bytes: &[u8]| assert!(matches!(identify(bytes, false), Ok(Identified::NeedMore)));
        check(b"");
        check(b"{\"type\":\"user\",\"mess");
        check(b"{\n  \"loglines\": [\n");
        check(b"app log\n");
        check(b"{\"level\":\"info\"}\n");
        // However long, a document may still become one.
        check(format!("[\n{}", "{\n\"level\": 1\n},\n".repeat(5000)).as_bytes());
    }

    #[test]
    fn what_is_hopeless_is_given_up_early() {
        let check = |line: &str| {
            let prefix = line.repeat(LINES_BEFORE_GIVING_UP);
            let refused = identify(prefix.as_bytes(), false).unwrap_err();
            assert!(refused.is_no_log(), "{refused}");
        };
        check("{\"level\":\"info\"}\n");
        check("app log\n");
        check("[2026-01-01] a log with brackets\n");
        check("{ braces, but no JSON }\n");
        check(&"\0".repeat(MOST_PADDING / LINES_BEFORE_GIVING_UP + 1));
        check(&"one line ".repeat(MOST_LINE / LINES_BEFORE_GIVING_UP / 8));
    }
}
