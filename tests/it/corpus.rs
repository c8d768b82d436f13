//! Damage that real logs have, done to every case.
//!
//! Each either changes nothing (a byte order mark, other line ends, padding), or changes one text in
//! a known way, or costs exactly the lines that it touches.

use palimpsest_providers::{Container, Identified, ReadLog, identify};
use palimpsest_record::{LogProvenance, TranscriptRecord, Visibility};

use crate::fixtures::{Fixture, on_every_fixture, read};
use crate::invariants::damage::{damaged_lines, texts};
use crate::invariants::reading::assert_adds_up;

/// Padding and line ends are no part of a log.
#[test]
fn what_is_no_text_changes_nothing() {
    type Change = fn(&[u8]) -> Vec<u8>;
    let changes: [(&str, Change); 6] = [
        ("a byte order mark", |bytes| [b"\xef\xbb\xbf", bytes].concat()),
        ("CRLF", |bytes| join(bytes, |line| [line, b"\r"].concat())),
        ("NULs before lines", |bytes| join(bytes, |line| [b"\0\0\0\0", line].concat())),
        ("NULs behind lines", |bytes| join(bytes, |line| [line, b"\0\0"].concat())),
        ("white space around lines", |bytes| join(bytes, |line| [b"\t ", line, b"  "].concat())),
        ("no last line feed", |bytes| bytes.trim_ascii_end().to_vec()),
    ];
    on_every_fixture(|fixture| {
        let sound = fixture.read();
        for (what, change) in changes {
            for (index, log) in fixture.logs.iter().enumerate() {
                let changed = read(fixture.provider, &fixture.with_bytes(index, change(&log.bytes)));
                assert_eq!(content(&changed), content(&sound), "{}: {what}", log.name);
                assert_eq!(changed.ledger.receipt(0), sound.ledger.receipt(0), "{}: {what}", log.name);
            }
        }
    });
}

/// Blank lines are not counted, and nothing is told by a line's number but where to find it.
#[test]
fn blank_lines_change_nothing() {
    on_every_fixture(|fixture| {
        let sound = fixture.read();
        for (index, log) in
            fixture.logs.iter().enumerate().filter(|(_, log)| log.container == Container::Lines)
        {
            let apart: Vec<u8> = whole_lines(&log.bytes).join(&b"\n \n\0\0\n"[..]);
            let changed = read(fixture.provider, &fixture.with_bytes(index, apart));
            assert_eq!(said(&changed), said(&sound), "{}", log.name);
            assert_eq!(changed.ledger.receipt(0).lines, sound.ledger.receipt(0).lines, "{}", log.name);
        }
    });
}

/// A text can hold what no JSON may: it is mended where it stands, and no line is lost for it.
#[test]
fn texts_are_mended_where_they_stand() {
    let insertions: [(&str, &[u8], &str); 7] = [
        ("a lone high surrogate", br"\ud83d", "\u{fffd}"),
        ("a lone low surrogate", br"\ude00", "\u{fffd}"),
        ("bytes that are no text", b"\xff", "\u{fffd}"),
        ("a raw line separator", "\u{2028}".as_bytes(), "\u{2028}"),
        ("a raw line feed", b"\n", "\n"),
        ("a raw line feed and indentation", b" \n    ", " \n    "),
        ("a blank line", b"\n\n", "\n\n"),
    ];
    on_every_fixture(|fixture| {
        let sound = fixture.read();
        for place in Place::all(fixture, &sound) {
            for (what, bytes, shown) in insertions {
                let changed = place.insert(fixture, bytes);
                let context = format!("{}: {what} in {:?}", fixture.name, place.text);
                assert_adds_up(&changed);
                assert_eq!(damaged_lines(&changed).len(), damaged_lines(&sound).len(), "{context}");
                let more = u64::from(bytes.contains(&b'\n'));
                assert_eq!(
                    changed.ledger.receipt(0).lines,
                    sound.ledger.receipt(0).lines + more,
                    "{context}"
                );
                let there = texts(&changed, |_| true);
                // A log that says a text twice, once damaged, may be told by either.
                let found = there.contains_key(&place.changed(shown)) || there.contains_key(&place.text);
                assert!(found, "{context}: {:?}", there.keys().collect::<Vec<_>>());
                place.assert_others_are_there(&sound, &changed, &context);
            }
        }
    });
}

/// The line feed between two records is lost: both are read, and the line is called damaged.
#[test]
fn records_that_share_a_line_are_read() {
    on_neighbours(|pair| {
        let changed = pair.joined(pair.first());
        let context = format!("{} glued", pair.context());
        assert_eq!(damaged_lines(&changed).len(), damaged_lines(pair.sound).len() + 1, "{context}");
        assert_texts(&texts(pair.sound, |_| true), &changed, &context);
    });
}

/// A crash tore a record, and the next run wrote on behind the stub: only the torn one is lost.
#[test]
fn a_record_behind_a_stub_is_read() {
    on_neighbours(|pair| {
        let lost = (pair.log as u32, pair.line as u32);
        let rest = texts(pair.sound, |span| {
            span.file != lost.0 || !(span.line_first..=span.line_last).contains(&lost.1)
        });
        for share in [3, 2] {
            let first = pair.first();
            let changed = pair.joined(&first[..first.len() / share]);
            assert_texts(&rest, &changed, &format!("{}, the first torn", pair.context()));
        }
    });
}

/// Two records on neighbouring lines.
struct Pair<'a> {
    fixture: &'a Fixture,
    sound: &'a ReadLog,
    log: usize,
    lines: &'a [&'a [u8]],
    /// The first one's line, counted from 1.
    line: usize,
}

impl Pair<'_> {
    fn first(&self) -> &[u8] {
        self.lines[self.line - 1]
    }

    fn context(&self) -> String {
        format!("{}: lines {} and {}", self.fixture.logs[self.log].name, self.line, self.line + 1)
    }

    /// The log read with the second record right behind `first`.
    fn joined(&self, first: &[u8]) -> ReadLog {
        let mut lines: Vec<Vec<u8>> = self.lines.iter().map(|line| line.to_vec()).collect();
        lines[self.line - 1] = [first, &lines.remove(self.line)].concat();
        let changed = read(self.fixture.provider, &self.fixture.with_bytes(self.log, lines.join(&b'\n')));
        assert_adds_up(&changed);
        changed
    }
}

fn on_neighbours(check: impl Fn(&Pair<'_>)) {
    on_every_fixture(|fixture| {
        let sound = fixture.read();
        let logs = fixture.logs.iter().enumerate();
        for (log, file) in logs.filter(|(_, file)| file.container == Container::Lines) {
            let lines = whole_lines(&file.bytes);
            for line in 1..lines.len() {
                if is_object(lines[line - 1]) && is_object(lines[line]) {
                    check(&Pair { fixture, sound: &sound, log, lines: &lines, line });
                }
            }
        }
    });
}

/// A line of 30 MB is read, its text cut to a preview; 30 MB of openings are given up on in time.
#[test]
fn a_giant_line_is_only_long() {
    let mut seen = Vec::new();
    on_every_fixture_once(&mut seen, |fixture| {
        let sound = fixture.read();
        let Some(place) = Place::all(fixture, &sound).pop() else { return };
        let giant = place.insert(fixture, &vec![b'x'; 30 << 20]);
        assert_eq!(damaged_lines(&giant).len(), damaged_lines(&sound).len());
        let longest = texts(&giant, |_| true).into_keys().map(|text| text.len()).max();
        assert!(longest.is_some_and(|length| length <= 64 << 10), "{longest:?} bytes are kept");
        place.assert_others_are_there(&sound, &giant, "a giant text");

        let log = &fixture.logs[place.log];
        let openings = br#"{"type":"message","message":"#.repeat(1 << 20);
        let logs = fixture.with_bytes(place.log, [&openings, &b"\n"[..], &log.bytes].concat());
        let giant = read(fixture.provider, &logs);
        assert_eq!(damaged_lines(&giant).len(), damaged_lines(&sound).len() + 1);
        assert_texts(&texts(&sound, |_| true), &giant, "a giant stub");
    });
}

/// What is no log is told in one sentence.
#[test]
fn what_is_no_log_is_one_sentence() {
    let noise: Vec<u8> = (0u32..9000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let inputs: [&[u8]; 7] =
        [b"", b"\0\0\0\0", b"\n\n \n", b"\x89PNG\r\n\x1a\n\0\0", &noise, b"plain words\n", b"[1,2,3]\n{}\n"];
    for input in inputs {
        for complete in [true, false] {
            match identify(input, complete) {
                Ok(Identified::Yes(identity)) => panic!("{input:?} is claimed: {identity:?}"),
                Ok(Identified::NeedMore) => assert!(!complete),
                Err(error) => {
                    let sentence = error.to_string();
                    assert!(sentence.len() > 10 && !sentence.contains('\n'), "{sentence:?}");
                }
            }
        }
    }
}

/// A place in the middle of a text that a log says in so many letters.
struct Place {
    log: usize,
    line: u32,
    /// Offset in the log.
    at: usize,
    text: String,
    /// Offset in the text.
    inside: usize,
}

impl Place {
    /// One place on every line that says a text of ours without escapes. A short one may be a
    /// keyword of the log, and then no text.
    fn all(fixture: &Fixture, sound: &ReadLog) -> Vec<Place> {
        let mut places = Vec::new();
        for record in &sound.records {
            let (text, span) = match record {
                TranscriptRecord::Message(message) => (message.text.clone(), message.span),
                TranscriptRecord::ToolResult(result) => (Some(result.content.clone()), result.span),
                TranscriptRecord::Summary(summary) => (Some(summary.content.clone()), summary.span),
                _ => continue,
            };
            let (Some(text), Some(span)) = (text, span) else { continue };
            let log = &fixture.logs[span.file as usize];
            if log.container == Container::Document || text.len() < 8 || span.line_first != span.line_last {
                continue;
            }
            let line = &log.bytes[span.byte_start as usize..span.byte_end as usize];
            if !is_object(line) {
                continue;
            }
            let quoted = format!("\"{text}\"");
            let Some(start) = find(line, quoted.as_bytes()) else { continue };
            let inside = text.floor_char_boundary(text.len() / 2);
            let at = span.byte_start as usize + start + 1 + inside;
            let text = text.to_string();
            places.push(Place { log: span.file as usize, line: span.line_first, at, text, inside });
        }
        places
    }

    fn insert(&self, fixture: &Fixture, bytes: &[u8]) -> ReadLog {
        let mut changed = fixture.logs[self.log].bytes.clone();
        changed.splice(self.at..self.at, bytes.iter().copied());
        read(fixture.provider, &fixture.with_bytes(self.log, changed))
    }

    /// The text with something in it.
    fn changed(&self, insertion: &str) -> String {
        format!("{}{insertion}{}", &self.text[..self.inside], &self.text[self.inside..])
    }

    fn assert_others_are_there(&self, sound: &ReadLog, changed: &ReadLog, context: &str) {
        let line = (self.log as u32, self.line);
        let others =
            texts(sound, |span| (span.file, span.line_first) != line && (span.file, span.line_last) != line);
        assert_texts(&others, changed, context);
    }
}

fn assert_texts(wanted: &std::collections::BTreeMap<String, usize>, read: &ReadLog, context: &str) {
    let there = texts(read, |_| true);
    for (text, times) in wanted {
        assert!(there.get(text).is_some_and(|found| found >= times), "{context}: lost {text:?}");
    }
}

/// The first case of every provider.
fn on_every_fixture_once(seen: &mut Vec<&'static str>, check: impl Fn(&Fixture)) {
    let seen = std::cell::RefCell::new(seen);
    on_every_fixture(|fixture| {
        let id = fixture.provider.id();
        if !seen.borrow().contains(&id) {
            seen.borrow_mut().push(id);
            check(fixture);
        }
    });
}

/// Records without their places: bytes shift where padding is put in.
fn content(read: &ReadLog) -> Vec<TranscriptRecord> {
    let mut records = read.records.clone();
    for record in &mut records {
        match record {
            TranscriptRecord::Message(message) => message.span = None,
            TranscriptRecord::ToolCall(call) => call.span = None,
            TranscriptRecord::ToolResult(result) => result.span = None,
            TranscriptRecord::Summary(summary) => summary.span = None,
            TranscriptRecord::Session(session) => session.log = LogProvenance::default(),
            _ => {}
        }
    }
    records
}

/// Who says what in which order, and whether it is shown.
fn said(read: &ReadLog) -> Vec<(Visibility, Option<String>)> {
    let messages = read.records.iter().filter_map(|record| match record {
        TranscriptRecord::Message(message) => Some(message),
        _ => None,
    });
    messages.map(|message| (message.visibility, message.text.as_deref().map(str::to_owned))).collect()
}

/// The lines, without the nothing behind the last feed.
fn whole_lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.trim_ascii_end().split(|&byte| byte == b'\n').collect()
}

fn join(bytes: &[u8], change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let lines: Vec<Vec<u8>> = whole_lines(bytes).into_iter().map(change).collect();
    lines.join(&b'\n')
}

fn is_object(line: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(line).is_ok()
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len()).position(|window| window == needle)
}
