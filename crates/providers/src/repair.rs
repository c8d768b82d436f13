//! What is done about a line that is not JSON.
//!
//! Three kinds of damage are seen in real logs and mended here: a crash leaves the stub of a record
//! and the next run writes on behind it (the whole records on the line are read, the line counts as
//! damaged); a string holds raw line feeds, so that one record spans lines (they are joined); a
//! string was cut inside a surrogate pair (the half becomes U+FFFD).

use palimpsest_record::order::sort_by;
use std::collections::VecDeque;

use memchr::memmem;
use palimpsest_record::Span;
use serde_json::value::RawValue;

use crate::receipt::EntryId;
use crate::{Object, Provider};

/// Most lines that are joined to one record.
pub(crate) const MAX_JOINED_LINES: usize = 64;
/// Most bytes that are joined to one record.
pub(crate) const MAX_JOINED_BYTES: usize = 1 << 20;
/// Most places tried in search of a whole record behind a stub.
const MAX_TRIES: usize = 64;
/// Most bytes parsed in that search.
const MAX_TRIED_BYTES: usize = 8 << 20;

/// The whole records on a line that is none: those it begins with, and the last one behind a stub.
pub(crate) fn whole_records<'a>(line: &'a str, provider: &dyn Provider, openings: &Openings) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<&RawValue>();
    let mut rest = line;
    while let Some(Ok(value)) = values.next() {
        rest = line.get(values.byte_offset()..).unwrap_or_default();
        if Object::parse(value.get()).is_some_and(|object| provider.is_record(&object)) {
            found.push(value.get());
        }
    }
    found.extend(record_behind_stub(rest, provider, openings));
    found
}

/// The first place in `line` from where the rest is a whole record of this provider.
fn record_behind_stub<'a>(line: &'a str, provider: &dyn Provider, openings: &Openings) -> Option<&'a str> {
    let mut budget = MAX_TRIED_BYTES;
    for at in openings.places(line).take(MAX_TRIES) {
        let rest = line.get(at..)?;
        budget = budget.checked_sub(rest.len())?;
        if Object::parse(rest).is_some_and(|object| provider.is_record(&object)) {
            return Some(rest);
        }
    }
    None
}

/// How the sound lines of this log begin: where a record behind a stub is looked for.
#[derive(Debug, Default)]
pub(crate) struct Openings(Vec<Box<str>>);

impl Openings {
    /// Learns from a sound line.
    pub(crate) fn learn(&mut self, line: &str) {
        const KEPT: usize = 8;
        if self.0.iter().any(|known| line.starts_with(&**known)) || self.0.len() == KEPT {
            return;
        }
        // The first key with its quotes: `{"parentUuid"`.
        if let Some(end) = line.match_indices('"').nth(1).map(|quote| quote.0).filter(|end| *end < 40) {
            self.0.extend(line.get(..=end).map(Box::from));
        }
    }

    /// Places behind the first byte where a record may begin: as sound lines do, in order, and then
    /// any object, because the stub may be the first line of its kind.
    fn places<'a>(&'a self, line: &'a str) -> impl Iterator<Item = usize> + 'a {
        let mut places: Vec<usize> = self
            .0
            .iter()
            .flat_map(|opening| {
                memmem::find_iter(line.as_bytes(), opening.as_bytes()).filter(|at| *at > 0).take(MAX_TRIES)
            })
            .collect();
        sort_by(&mut places, Ord::cmp);
        let any = memmem::find_iter(line.as_bytes(), b"{\"").filter(|at| *at > 0);
        places.into_iter().chain(any)
    }
}

/// A record in the making: a line that ends inside a string, and the lines behind it.
#[derive(Debug)]
pub(crate) struct Joining {
    text: String,
    lexer: Lexer,
    /// Text, place and entry of each line.
    pub(crate) parts: VecDeque<(String, Span, EntryId)>,
}

impl Joining {
    /// Begins with a line, if it ends inside a string and is short enough.
    pub(crate) fn begin(line: &str, span: Span, entry: EntryId) -> Option<Joining> {
        if line.len() > MAX_JOINED_BYTES || !line.trim_ascii_start().starts_with('{') {
            return None;
        }
        let mut lexer = Lexer::default();
        lexer.read(line);
        let parts = VecDeque::from([(line.to_owned(), span, entry)]);
        lexer.in_string.then(|| Joining { text: line.to_owned(), lexer, parts })
    }

    /// Adds a line, its line feed as an escape. False where the limits are reached.
    pub(crate) fn add(&mut self, line: &str, span: Span, entry: EntryId) -> bool {
        self.text.push_str("\\n");
        self.text.push_str(line);
        self.lexer.read(line);
        self.parts.push_back((line.to_owned(), span, entry));
        self.parts.len() < MAX_JOINED_LINES && self.text.len() < MAX_JOINED_BYTES
    }

    /// Adds a blank line: it is no line of the log, but inside a string it is part of the text.
    pub(crate) fn add_blank(&mut self, line: &str) {
        if self.lexer.in_string && self.text.len() + line.len() < MAX_JOINED_BYTES {
            // The line before keeps it, for when that one turns out to be where the record begins.
            for text in std::iter::once(&mut self.text).chain(self.parts.back_mut().map(|part| &mut part.0)) {
                text.push_str("\\n");
                text.push_str(line);
            }
        }
    }

    /// The joined text, where its braces are closed: it may be a record now.
    pub(crate) fn closed(&self) -> Option<&str> {
        (!self.lexer.in_string && self.lexer.depth == 0).then_some(&self.text)
    }

    /// The place of all its lines.
    pub(crate) fn span(&self) -> Option<Span> {
        self.parts.iter().map(|part| part.1).reduce(Span::join)
    }
}

/// Just enough of a JSON lexer to know whether a text ends inside a string or an object. Reading
/// on costs only what is added, so that joining 64 lines does not parse the first one 64 times.
#[derive(Debug, Default)]
struct Lexer {
    in_string: bool,
    depth: i32,
}

impl Lexer {
    /// Reads on. No text ends inside an escape: a line feed between was written as one.
    fn read(&mut self, text: &str) {
        let mut bytes = text.bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' if self.in_string => {
                    bytes.next();
                }
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => self.depth += 1,
                b'}' | b']' if !self.in_string => self.depth -= 1,
                _ => {}
            }
        }
    }
}
