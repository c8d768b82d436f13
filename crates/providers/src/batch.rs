//! Where adapters put records, and what they are given.

use palimpsest_record::{Json, Message, PREVIEW_LIMIT, Preview, Span, Text, TranscriptRecord};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::receipt::{EntryId, Ledger, Outcome};

/// One line of a log, mended where it was damaged.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its text: one JSON value, if the log is sound.
    pub text: &'a str,
    /// Its place. `span.line_first` of file 0 is a good `seq`: see [`Line::seq`].
    pub span: Span,
    /// Its entry in the ledger, for an adapter that must settle it anew later.
    pub entry: EntryId,
}

impl Line<'_> {
    /// Place in the source for records of this line: files one after the other, lines in order,
    /// and room for the blocks of one line (`block` counts from 0).
    pub fn seq(&self, block: usize) -> u64 {
        const BLOCKS: u64 = 1 << 12;
        (u64::from(self.span.file) << 48)
            | (u64::from(self.span.line_first) * BLOCKS + (block as u64).min(BLOCKS - 1))
    }
}

/// A log that is one JSON document.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The whole text.
    pub text: &'a str,
    /// Which file it is.
    pub file: u32,
    /// Where in the file the text begins.
    pub start: u64,
}

impl<'a> Document<'a> {
    /// The object `raw` of this document as a line, entered in the ledger under `number`
    /// (head 1, then each message and part in order). Offsets are into the file, as long as nothing in it had to be mended.
    pub fn line(&self, raw: &'a RawValue, number: u32, batch: &mut Batch) -> Line<'a> {
        let text = raw.get();
        // A raw value borrows from the document, so the distance of the two is its place in it.
        let inside = (text.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize) as u64;
        let start = self.start + inside;
        let span = Span {
            file: self.file,
            line_first: number,
            line_last: number,
            byte_start: start,
            byte_end: start + text.len() as u64,
        };
        Line { text, span, entry: batch.ledger.enter(&span) }
    }

    /// Reads the objects of a list in this document, each as a line, entered under numbers from `first` on.
    pub(crate) fn read_each(
        &self,
        list: Vec<&'a RawValue>,
        first: u32,
        batch: &mut Batch,
        mut read: impl FnMut(&Line<'a>, &mut Batch) -> Result<Outcome, serde_json::Error>,
    ) {
        for (number, raw) in (first..).zip(list) {
            let line = self.line(raw, number, batch);
            let outcome = read(&line, batch).unwrap_or_else(|_| batch.ledger.unknown(&["malformed"]));
            batch.ledger.settle(line.entry, outcome);
        }
    }
}

/// Choices of whoever reads.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions {
    /// Longest text that a record carries whole, in bytes. `usize::MAX` for a raw lookup.
    pub preview_limit: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { preview_limit: PREVIEW_LIMIT }
    }
}

/// The records of one session so far. An adapter may change a record it pushed earlier (keep its
/// index): the batch leaves the reader only at the end.
#[derive(Debug, Default)]
pub struct Batch {
    /// The records, in the order of the source.
    pub records: Vec<TranscriptRecord>,
    /// What became of each line.
    pub ledger: Ledger,
    /// Choices of whoever reads.
    pub options: ReadOptions,
    /// The message whose calls are being pushed, and how many there were.
    calls: Option<(Text, u64)>,
}

impl Batch {
    /// An empty batch.
    pub fn new(options: ReadOptions) -> Batch {
        Batch { options, ..Batch::default() }
    }

    /// Adds a record and says where it is. A tool call gets its place among its message's calls.
    pub fn push(&mut self, record: impl Into<TranscriptRecord>) -> usize {
        let mut record = record.into();
        if let TranscriptRecord::ToolCall(call) = &mut record {
            call.index = match &self.calls {
                Some((message_id, count)) if *message_id == call.message_id => *count,
                _ => 0,
            };
            self.calls = Some((call.message_id.clone(), call.index + 1));
        }
        self.records.push(record);
        self.records.len() - 1
    }

    /// The message at an index that [`push`](Batch::push) gave.
    pub fn message_mut(&mut self, index: usize) -> Option<&mut Message> {
        match self.records.get_mut(index) {
            Some(TranscriptRecord::Message(message)) => Some(message),
            _ => None,
        }
    }

    /// The line that names the session came late: what was read before it belongs to that session.
    pub fn rename_session(&mut self, id: &Text) {
        for record in &mut self.records {
            match record {
                TranscriptRecord::Message(message) => message.session_id = id.clone(),
                TranscriptRecord::ToolCall(call) => call.session_id = id.clone(),
                TranscriptRecord::ToolResult(result) => result.session_id = id.clone(),
                TranscriptRecord::Summary(summary) => summary.session_id = id.clone(),
                _ => {}
            }
        }
    }

    /// Cuts a text by the preview rule.
    pub fn cut(&self, text: &str) -> Preview {
        Preview::cut(text, self.options.preview_limit)
    }

    /// Keeps a tool input: as logged where it is short, else with every long string in it cut by
    /// the preview rule; then the length it had comes too.
    pub fn cut_input(&self, raw: &RawValue) -> (Json, Option<u64>) {
        let limit = self.options.preview_limit;
        let whole = on_one_line(raw);
        if raw.get().len() <= limit {
            return (whole, None);
        }
        let Some(mut value) = whole.to_value() else { return (whole, None) };
        if !cut_strings(&mut value, limit) {
            return (whole, None);
        }
        (Json::from_value(&value), Some(raw.get().len() as u64))
    }
}

/// JSON without line breaks: a document may be laid out over lines, a record never is. No string is
/// touched, because in one they would be escaped.
fn on_one_line(raw: &RawValue) -> Json {
    if memchr::memchr2(b'\n', b'\r', raw.get().as_bytes()).is_none() {
        return Json::from_raw(raw);
    }
    let joined: String = raw.get().split(['\n', '\r']).map(str::trim).collect();
    Json::parse(&joined).unwrap_or_else(|_| Json::from_raw(raw))
}

/// Cuts the strings inside `value`; whether there was one to cut. Recursion is bounded by the
/// parser's own limit on nesting.
fn cut_strings(value: &mut Value, limit: usize) -> bool {
    match value {
        Value::String(text) if text.len() > limit => {
            text.truncate(text.floor_char_boundary(limit));
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |cut, item| cut_strings(item, limit) | cut),
        Value::Object(fields) => fields.values_mut().fold(false, |cut, item| cut_strings(item, limit) | cut),
        _ => false,
    }
}

/// A name for a log that names no session: how it begins, white space aside. FNV-1a, 64 bits.
pub(crate) fn hash_of_opening(text: &str) -> u64 {
    const HASHED: usize = 4096;
    let bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    bytes
        .take(HASHED)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Gives equal texts one allocation: session ids, models and folders stand on every line of a log.
#[derive(Debug, Default)]
pub struct Interner {
    /// The last few distinct texts; a log alternates between very few.
    recent: Vec<Text>,
}

impl Interner {
    /// The shared text equal to `text`.
    pub fn get(&mut self, text: &str) -> Text {
        const KEPT: usize = 16;
        if let Some(known) = self.recent.iter().find(|known| known.as_str() == text) {
            return known.clone();
        }
        let fresh = Text::from(text);
        if self.recent.len() == KEPT {
            self.recent.remove(0);
        }
        self.recent.push(fresh.clone());
        fresh
    }
}
