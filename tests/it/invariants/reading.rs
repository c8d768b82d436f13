//! How a log is found and read: nothing but its bytes counts, and no line is lost.

use std::collections::{BTreeMap, BTreeSet};

use palimpsest_providers::Object;
use palimpsest_providers::{
    Claim, Container, FileRole, Found, Identified, Outcome, PROVIDERS, Provider, ReadLog, group, identify,
};
use palimpsest_record::{Span, TranscriptRecord, Visibility};
use serde_json::value::RawValue;

use crate::fixtures::{Log, on_every_fixture, read, read_in_pieces};

/// The provider is told from the content alone (a name is not even asked for), and by one only:
/// the others do not claim a single object strongly, and claim less in all.
#[test]
fn exactly_one_provider_identifies_it() {
    on_every_fixture(|fixture| {
        for log in &fixture.logs {
            let scores: Vec<Scores> = PROVIDERS.iter().map(|provider| claims(*provider, log)).collect();
            let (own, others): (Vec<&Scores>, Vec<&Scores>) =
                scores.iter().partition(|score| score.0 == fixture.provider.id());
            assert!(own[0].1 + own[0].2 > 0, "{}: its own provider claims nothing", log.name);
            for (id, strong, weak) in others {
                assert_eq!(*strong, 0, "{}: {id} claims it too", log.name);
                let less = own[0].1 > 0 || *weak < own[0].2;
                assert!(less, "{}: {id} claims it as much as {}", log.name, own[0].0);
            }
        }
    });
}

/// However little of a log is seen, it is not taken for another's, and not given up.
#[test]
fn a_beginning_tells_or_asks_for_more() {
    on_every_fixture(|fixture| {
        for log in &fixture.logs {
            for part in 0..16 {
                let beginning = &log.bytes[..log.bytes.len() * part / 16];
                match identify(beginning, false) {
                    Ok(Identified::NeedMore) => {}
                    Ok(Identified::Yes(identity)) => {
                        let seen = (identity.provider.id(), identity.container);
                        assert_eq!(seen, (fixture.provider.id(), log.container), "{}: {part}", log.name);
                    }
                    Err(error) => panic!("{}, {part} sixteenths: {error}", log.name),
                }
            }
        }
    });
}

/// A byte order mark moves what follows it and changes nothing.
#[test]
fn a_byte_order_mark_costs_nothing() {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    on_every_fixture(|fixture| {
        let log = &fixture.logs[0];
        let marked = fixture.with_bytes(0, [MARK, &log.bytes].concat());
        let said = |logs: &[Log]| -> Vec<(serde_json::Value, Option<String>)> {
            let of = |record: TranscriptRecord| {
                let source = place(&record).map(|(span, _)| {
                    let bytes =
                        &logs[span.file as usize].bytes[span.byte_start as usize..span.byte_end as usize];
                    String::from_utf8_lossy(bytes.strip_prefix(MARK).unwrap_or(bytes)).into_owned()
                });
                let mut json = serde_json::to_value(record).unwrap();
                // Where it is, and how many bytes the log has.
                json.as_object_mut().unwrap().retain(|key, _| key != "span" && key != "log");
                (json, source)
            };
            read(fixture.provider, logs).records.into_iter().map(of).collect()
        };
        assert_eq!(said(&marked), said(&fixture.logs));
    });
}

/// A provider's id, its strong claims and its weak ones.
type Scores = (&'static str, u32, u32);

/// How many of the log's first objects a provider claims: strongly (or as a document), and weakly.
fn claims(provider: &dyn Provider, log: &Log) -> Scores {
    let text = String::from_utf8_lossy(&log.bytes).replace(['\0', '\u{feff}'], "");
    let list: Vec<&RawValue> = serde_json::from_str(&text).unwrap_or_default();
    let claims: Vec<Claim> = match (log.container, list.first()) {
        // A document that is a list is told by the first in it.
        (Container::Document | Container::Logs, Some(first)) => {
            Object::parse(first.get()).iter().map(|first| provider.claims_list(first)).collect()
        }
        (Container::Document | Container::Logs, None) => {
            Object::parse(&text).iter().map(|object| provider.claims(object)).collect()
        }
        (Container::Lines, _) => {
            let objects = text.lines().take(20).filter_map(Object::parse);
            objects.map(|object| provider.claims(&object)).collect()
        }
    };
    let count = |wanted: &[Claim]| claims.iter().filter(|claim| wanted.contains(claim)).count() as u32;
    (provider.id(), count(&[Claim::Strong, Claim::Document, Claim::Logs]), count(&[Claim::Weak]))
}

/// A folder lists its files in any order.
#[test]
fn the_order_of_files_does_not_matter() {
    on_every_fixture(|fixture| {
        let reversed: Vec<&Log> = fixture.logs.iter().rev().collect();
        let found: Vec<Found> = reversed.iter().map(|log| log.found()).collect();
        let [session] = group(&found).try_into().unwrap_or_else(|_| panic!("more than one session"));
        let logs: Vec<Log> = session.files.iter().map(|&file| reversed[file].clone()).collect();
        assert_eq!(read(fixture.provider, &logs).records, fixture.read().records);
    });
}

/// Companions read the other way round give the same texts to the same agents. (Not where all are pieces: which of them
/// is the newest, only their names tell.)
#[test]
fn the_order_of_companions_does_not_matter() {
    on_every_fixture(|fixture| {
        let mut logs = fixture.logs.clone();
        if logs[0].role == FileRole::Piece {
            return;
        }
        logs.reverse();
        logs.sort_by_key(|log| log.role);
        let said = |read: &ReadLog| -> BTreeSet<String> {
            let messages = read.records.iter().filter_map(|record| match record {
                TranscriptRecord::Message(message) => Some(message),
                _ => None,
            });
            messages.map(|m| format!("{:?} {} {:?}", m.agent_id, m.visibility.as_str(), m.text)).collect()
        };
        assert_eq!(said(&fixture.read()), said(&read(fixture.provider, &logs)));
    });
}

/// A worker reads a file in slices, a pipe in whatever comes.
#[test]
fn any_size_of_pieces_gives_the_same() {
    on_every_fixture(|fixture| {
        let whole = fixture.read();
        for size in [1, 7, 4096] {
            let pieces =
                read_in_pieces(fixture.provider, &fixture.logs, |bytes| bytes.chunks(size).collect());
            assert_eq!(pieces.records, whole.records, "pieces of {size}");
            assert_eq!(pieces.ledger.entries(), whole.ledger.entries(), "pieces of {size}");
            assert_eq!(pieces.ledger.receipt(0), whole.ledger.receipt(0), "pieces of {size}");
        }
    });
}

/// Records are stored and sent as JSON lines.
#[test]
fn records_survive_json_lines() {
    on_every_fixture(|fixture| {
        for record in fixture.read().records {
            let json = serde_json::to_string(&record).unwrap();
            assert!(!json.contains('\n'), "{json}");
            assert_eq!(serde_json::from_str::<TranscriptRecord>(&json).unwrap(), record);
        }
    });
}

/// Every line that is not blank is in the ledger once, in order, and the receipt adds up.
#[test]
fn no_line_is_lost() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let entered: Vec<(u32, u32)> = read.ledger.entries().iter().map(|e| (e.file, e.line)).collect();
        let mut expected = Vec::new();
        for (file, log) in fixture.logs.iter().enumerate() {
            let file = file as u32;
            match log.container {
                Container::Lines => {
                    expected.extend(lines_of(&log.bytes).into_iter().map(|line| (file, line)))
                }
                // The objects of a document are numbered by its adapter: from 1, none left out.
                Container::Document | Container::Logs => {
                    let objects = entered.iter().filter(|entry| entry.0 == file).count() as u32;
                    expected.extend((1..=objects).map(|number| (file, number)));
                }
            }
        }
        assert_eq!(entered, expected);
        assert_adds_up(&read);
    });
}

/// What the receipt says of a line is true: one that was read is the source of a record, and what
/// a person sees comes from lines that were read.
#[test]
fn the_receipt_tells_the_truth() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let outcomes: BTreeMap<(u32, u32), Outcome> =
            read.ledger.entries().iter().map(|entry| ((entry.file, entry.line), entry.outcome)).collect();
        let mut sources = BTreeSet::new();
        let mut without_place = 0;
        for record in &read.records {
            let Some((span, visibility)) = place(record) else {
                without_place += 1;
                continue;
            };
            let lines: Vec<(u32, u32)> =
                (span.line_first..=span.line_last).map(|line| (span.file, line)).collect();
            let counted = |line| !matches!(outcomes.get(line), None | Some(Outcome::NotShown(_)));
            let shown = visibility != Visibility::Hidden;
            assert!(
                !shown || lines.iter().any(counted),
                "nobody would look for this on {lines:?}: {record:?}"
            );
            sources.extend(lines);
        }
        let read_without_record =
            outcomes.iter().filter(|(line, outcome)| **outcome == Outcome::Read && !sources.contains(line));
        // A session, an agent or a workflow is a record of its own, too, but says no place.
        let unexplained: Vec<_> = read_without_record.skip(without_place).collect();
        assert!(unexplained.is_empty(), "read, but as what? {unexplained:?}");
    });
}

fn place(record: &TranscriptRecord) -> Option<(Span, Visibility)> {
    match record {
        TranscriptRecord::Message(message) => Some((message.span?, message.visibility)),
        TranscriptRecord::ToolCall(call) => Some((call.span?, Visibility::Visible)),
        TranscriptRecord::ToolResult(result) => Some((result.span?, Visibility::Visible)),
        TranscriptRecord::Summary(summary) => Some((summary.span?, summary.visibility)),
        _ => None,
    }
}

/// Numbers of the lines that are not blank, by the contract's own words and not by our splitter's.
pub(crate) fn lines_of(bytes: &[u8]) -> Vec<u32> {
    let blank = |line: &[u8]| line.iter().all(|byte| b"\0 \t\r\xef\xbb\xbf".contains(byte));
    let numbered = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    numbered.filter(|(_, line)| !blank(line)).map(|(number, _)| number).collect()
}

pub(crate) fn assert_adds_up(read: &ReadLog) {
    let receipt = read.ledger.receipt(0);
    let sum = receipt.read
        + receipt.merged
        + receipt.not_shown.values().sum::<u64>()
        + receipt.unknown.values().sum::<u64>()
        + receipt.damaged.len() as u64;
    assert_eq!(receipt.lines, sum, "{receipt:?}");
    assert_eq!(receipt.lines, read.ledger.entries().len() as u64);
}
