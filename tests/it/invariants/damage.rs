//! Damage costs no panic, and only the damaged line.

use std::collections::{BTreeMap, BTreeSet};

use palimpsest_providers::{Container, DamageReason, Outcome, ReadLog};
use palimpsest_record::{Block, ContentType, Span, TranscriptRecord};

use super::reading::{assert_adds_up, lines_of};
use crate::fixtures::{Fixture, Log, on_every_fixture, read};

/// A log that breaks off inside a line gives what it gives without that line, and says so.
#[test]
fn a_torn_tail_costs_only_itself() {
    on_every_fixture(|fixture| {
        for (index, log) in fixture.logs.iter().enumerate() {
            let mut before = (usize::MAX, Vec::new());
            for cut in cuts(&log.bytes) {
                let torn = read(fixture.provider, &fixture.with_bytes(index, log.bytes[..cut].to_vec()));
                assert_adds_up(&torn);
                if log.container == Container::Document {
                    continue;
                }
                let tail = log.bytes[..cut].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                if before.0 != tail {
                    let whole = fixture.with_bytes(index, log.bytes[..tail].to_vec());
                    before = (tail, without_provenance(read(fixture.provider, &whole)));
                }
                if is_damaged_whole(&torn, index as u32, lines_of(&log.bytes[..cut]).last().copied()) {
                    assert_eq!(without_provenance(torn), before.1, "{} cut at {cut}", log.name);
                }
            }
        }
    });
}

/// Places to cut: around every line's ends, and a hundred in between.
fn cuts(bytes: &[u8]) -> BTreeSet<usize> {
    let step = (bytes.len() / 100).max(1);
    let feeds = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    let around = feeds.flat_map(|at| [at.saturating_sub(1), at, at + 1, at + 2]);
    (0..bytes.len()).step_by(step).chain(around).filter(|cut| *cut <= bytes.len()).collect()
}

/// Whether the file's last line is damaged and nothing was found in it. (A cut in a line's end
/// leaves a sound line; one behind a stub leaves a record to find.)
fn is_damaged_whole(read: &ReadLog, file: u32, line: Option<u32>) -> bool {
    let entry = read.ledger.entries().iter().find(|entry| (entry.file, Some(entry.line)) == (file, line));
    entry.is_some_and(
        |entry| matches!(entry.outcome, Outcome::Damaged(reason) if reason != DamageReason::Glued),
    )
}

/// The records, without how long the log is.
fn without_provenance(read: ReadLog) -> Vec<TranscriptRecord> {
    let mut records = read.records;
    for record in &mut records {
        if let TranscriptRecord::Session(session) = record {
            session.log = palimpsest_record::LogProvenance::default();
        }
    }
    records
}

/// What a line is replaced by. No feed in any of them: it stays one line.
const GARBAGE: &[(&str, &[u8])] = &[
    ("words", b"not json at all"),
    ("a torn record", b"{\"type\":\"message\",\"id\":\"torn\",\"text\":\"and then the disk was f"),
    ("a torn object", b"{\"a\":{\"b\":["),
    ("a list", b"[1,2,3]"),
    ("a string", b"\"just text\""),
    ("bytes that are no text", b"\xff\xfe\x80{\x01\x02"),
    ("a run of NULs", b"\0\0\0\0\0\0\0\0"),
    ("an empty object", b"{}"),
    ("a record of no known type", b"{\"type\":\"of_the_future\",\"id\":\"f1\",\"payload\":{\"x\":1}}"),
];

/// Any line may be garbage. What the other lines say is still there, and the receipt names the line.
///
/// The other lines' *relations* may change: a line may carry what others need (which branch is
/// current, who typed a text, a session's id). Their texts may not: each record whose span does not
/// touch the line is looked for by its text, whatever its visibility, as often as it was there.
#[test]
fn a_line_of_garbage_costs_only_itself() {
    on_every_line(|_, _| GARBAGE.iter().map(|&(what, garbage)| (what, garbage.to_vec())).collect());
}

/// A line of a known type in which every field is missing, or holds something else.
#[test]
fn a_hollow_line_costs_only_itself() {
    on_every_line(hollow_lines);
}

/// What a line becomes: a name for it, and the bytes.
type Replacement = (&'static str, Vec<u8>);

/// Replaces every line of every fixture by each of the `replacements` for it, and looks at what that costs.
fn on_every_line(replacements: fn(&[u8], u32) -> Vec<Replacement>) {
    on_every_fixture(|fixture| {
        let sound = fixture.read();
        for (index, log) in
            fixture.logs.iter().enumerate().filter(|(_, log)| log.container == Container::Lines)
        {
            for line in lines_of(&log.bytes) {
                for (what, bytes) in replacements(&log.bytes, line) {
                    let logs = fixture.with_bytes(index, replace_line(&log.bytes, line, &bytes));
                    let damage = Damage { file: index as u32, line, what };
                    damage.check(&sound, &read(fixture.provider, &logs), fixture, &logs);
                }
            }
        }
    });
}

/// The line's object with all but `type` gone, and with each value of another JSON type.
fn hollow_lines(bytes: &[u8], line: u32) -> Vec<Replacement> {
    let text = bytes.split(|&byte| byte == b'\n').nth(line as usize - 1).unwrap();
    let Ok(serde_json::Value::Object(object)) = serde_json::from_slice(text) else { return vec![] };
    let with = |change: &dyn Fn(&serde_json::Value) -> Option<serde_json::Value>| {
        let kept = object.iter().filter_map(|(key, value)| {
            let value = if key == "type" { Some(value.clone()) } else { change(value) };
            Some((key.clone(), value?))
        });
        serde_json::Value::Object(kept.collect()).to_string().into_bytes()
    };
    vec![
        ("its type alone", with(&|_| None)),
        ("nulls", with(&|_| Some(serde_json::Value::Null))),
        ("numbers", with(&|_| Some(7.into()))),
        ("empty objects", with(&|_| Some(serde_json::json!({})))),
        ("empty lists", with(&|_| Some(serde_json::json!([])))),
        ("texts", with(&|_| Some("?".into()))),
    ]
}

fn replace_line(bytes: &[u8], line: u32, garbage: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    lines[line as usize - 1] = garbage;
    lines.join(&b'\n')
}

/// One line that was replaced.
pub(crate) struct Damage<'a> {
    /// The file, counted from 0.
    pub(crate) file: u32,
    /// The line, counted from 1.
    pub(crate) line: u32,
    /// By what, for the message.
    pub(crate) what: &'a str,
}

impl Damage<'_> {
    /// The other lines' texts are there, the ledger names this line, and only it is new there.
    pub(crate) fn check(&self, sound: &ReadLog, damaged: &ReadLog, fixture: &Fixture, logs: &[Log]) {
        let place = format!("{} line {} replaced by {}", logs[self.file as usize].name, self.line, self.what);
        assert_adds_up(damaged);
        self.assert_ledger(sound, damaged, logs, &place);
        let there = texts(damaged, |_| true);
        for (text, times) in texts(sound, |span| !self.touches(span)) {
            let found = there.get(&text).copied().unwrap_or(0);
            assert!(found >= times, "{}: {place}: lost {text:?}", fixture.name);
        }
    }

    fn assert_ledger(&self, sound: &ReadLog, damaged: &ReadLog, logs: &[Log], place: &str) {
        let lines = |read: &ReadLog| -> Vec<(u32, u32)> {
            read.ledger.entries().iter().map(|entry| (entry.file, entry.line)).collect()
        };
        let here = (self.file, self.line);
        let still_a_line = lines_of(&logs[self.file as usize].bytes).contains(&self.line);
        let expected: Vec<(u32, u32)> =
            lines(sound).into_iter().filter(|line| still_a_line || *line != here).collect();
        assert_eq!(lines(damaged), expected, "{place}");

        let outcome = damaged.ledger.entries().iter().find(|entry| (entry.file, entry.line) == here);
        let is_object = || {
            let text =
                logs[self.file as usize].bytes.split(|&byte| byte == b'\n').nth(self.line as usize - 1);
            serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(text.unwrap()).is_ok()
        };
        let says_damaged = outcome.is_some_and(|entry| matches!(entry.outcome, Outcome::Damaged(_)));
        assert_eq!(says_damaged, still_a_line && !is_object(), "{place}: {outcome:?}");

        // A record that lies on several lines is lost with each of them.
        let shared: Vec<Span> = spans(sound).filter(|span| self.touches(*span)).collect();
        let fresh = damaged_lines(damaged).difference(&damaged_lines(sound)).copied().collect::<Vec<_>>();
        for (file, line) in fresh.into_iter().filter(|line| *line != here) {
            let with_it = shared
                .iter()
                .any(|span| span.file == file && (span.line_first..=span.line_last).contains(&line));
            assert!(with_it, "{place}: line {line} is damaged now, too");
        }
    }

    fn touches(&self, span: Span) -> bool {
        span.file == self.file && (span.line_first..=span.line_last).contains(&self.line)
    }
}

/// File and line of what is damaged.
pub(crate) fn damaged_lines(read: &ReadLog) -> BTreeSet<(u32, u32)> {
    let damaged = read.ledger.entries().iter().filter(|e| matches!(e.outcome, Outcome::Damaged(_)));
    damaged.map(|entry| (entry.file, entry.line)).collect()
}

/// Every text that a record brings, and how often.
pub(crate) fn texts(read: &ReadLog, wanted: impl Fn(Span) -> bool) -> BTreeMap<String, usize> {
    let mut texts = BTreeMap::new();
    for record in &read.records {
        if span_of(record).is_none_or(&wanted) {
            for text in texts_of(record) {
                *texts.entry(text).or_default() += 1;
            }
        }
    }
    texts
}

fn texts_of(record: &TranscriptRecord) -> Vec<String> {
    let blocks = |blocks: &[Block]| -> Vec<String> {
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text { text, .. } => Some(text.to_string()),
            _ => None,
        });
        texts.collect()
    };
    match record {
        // The text of a carrier is its result's.
        TranscriptRecord::Message(message) if message.content_type == ContentType::ToolResult => vec![],
        TranscriptRecord::Message(message) => {
            let text = message.text.as_deref().map(str::to_owned);
            text.into_iter().chain(blocks(&message.blocks)).collect()
        }
        TranscriptRecord::ToolCall(call) => vec![format!("{} {}", call.name, call.input.get())],
        TranscriptRecord::ToolResult(result) => {
            [result.content.to_string()].into_iter().chain(blocks(&result.blocks)).collect()
        }
        TranscriptRecord::Summary(summary) => vec![summary.content.to_string()],
        _ => vec![],
    }
}

fn span_of(record: &TranscriptRecord) -> Option<Span> {
    match record {
        TranscriptRecord::Message(message) => message.span,
        TranscriptRecord::ToolCall(call) => call.span,
        TranscriptRecord::ToolResult(result) => result.span,
        TranscriptRecord::Summary(summary) => summary.span,
        _ => None,
    }
}

fn spans(read: &ReadLog) -> impl Iterator<Item = Span> {
    read.records.iter().filter_map(span_of)
}
