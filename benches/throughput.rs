//! How fast logs become a session detail, as a ratio to parsing the same lines with serde into
//! typed structs and keeping nothing: `cargo bench -p palimpsest-worker -- LOG…`, or
//! `cargo xtask bench`, which writes the logs first.
//!
//! Both sides alternate in one run and the median of the rounds is printed, because a machine's
//! speed differs from run to run and a ratio within one run does not.

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use palimpsest_assembly::{AssemblyOptions, RecordSet, assemble_session_detail};
use palimpsest_providers::{Identified, Identity, ReadOptions, SessionReader, identify};
use serde::Deserialize;
use serde_json::value::RawValue;

const ROUNDS: usize = 5;
const PIECE: usize = 2 << 20;

fn main() {
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match std::fs::read(&path) {
            Ok(bytes) => compare(&path, &bytes),
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
}

fn compare(path: &str, bytes: &[u8]) {
    let Ok(Identified::Yes(identity)) = identify(bytes, true) else {
        eprintln!("{path}: no provider claims it");
        return;
    };
    let mut baseline = Vec::new();
    let mut reading = Vec::new();
    let mut assembling = Vec::new();
    let mut records = 0;
    for _ in 0..ROUNDS {
        baseline.push(timed(|| parse_typed(bytes)).0);
        let (time, log) = timed(|| read(&identity, bytes));
        reading.push(time);
        records = log.records.len();
        let (time, ()) = timed(|| assemble(log.records));
        assembling.push(time);
    }
    let (baseline, reading, assembling) = (median(baseline), median(reading), median(assembling));
    let megabytes = bytes.len() as f64 / 1e6;
    let per_record = assembling.as_secs_f64() * 1e9 / records.max(1) as f64;
    report(&format!("{path}: {megabytes:.0} MB, {records} records, {}", identity.provider.label()));
    report(&format!(
        "  serde typed parse  {:7.1} ms  {:6.0} MB/s",
        ms(baseline),
        megabytes / baseline.as_secs_f64()
    ));
    report(&format!(
        "  read and adapt     {:7.1} ms  {:6.0} MB/s",
        ms(reading),
        megabytes / reading.as_secs_f64()
    ));
    report(&format!("  assemble           {:7.1} ms  {per_record:6.0} ns a record", ms(assembling)));
    report(&format!(
        "  whole / typed      {:7.2}",
        (reading + assembling).as_secs_f64() / baseline.as_secs_f64()
    ));
}

#[expect(clippy::print_stdout, reason = "the figures are what this program is for")]
fn report(line: &str) {
    println!("{line}");
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = black_box(work());
    (start.elapsed(), value)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn read(identity: &Identity, bytes: &[u8]) -> palimpsest_providers::ReadLog {
    let mut reader = SessionReader::new(identity.provider, ReadOptions::default());
    reader.begin_file(identity.container, identity.key.role);
    bytes.chunks(PIECE).for_each(|piece| reader.push(piece));
    reader.end_file();
    reader.finish()
}

fn assemble(records: Vec<palimpsest_record::TranscriptRecord>) {
    let set = RecordSet::from_records(records);
    let detail = set.and_then(|set| assemble_session_detail(&set, &AssemblyOptions::default()));
    black_box(&detail);
}

/// The least that any reader of these lines must do: the envelope typed, the rest left raw.
fn parse_typed(bytes: &[u8]) -> usize {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow, default, rename = "type")]
        kind: Option<Cow<'a, str>>,
        #[serde(borrow, default)]
        timestamp: Option<Cow<'a, str>>,
        #[serde(borrow, default)]
        message: Option<Message<'a>>,
        #[serde(borrow, default)]
        payload: Option<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow, default)]
        content: Option<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Block<'a> {
        #[serde(borrow, default)]
        text: Option<Cow<'a, str>>,
        #[serde(borrow, default)]
        content: Option<&'a RawValue>,
    }
    let mut kept = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(line) else { continue };
        kept += envelope.kind.map_or(0, |kind| kind.len()) + envelope.timestamp.map_or(0, |time| time.len());
        kept += envelope.payload.map_or(0, |payload| payload.get().len());
        let content = envelope.message.and_then(|message| message.content);
        let blocks = content.and_then(|content| serde_json::from_str::<Vec<Block<'_>>>(content.get()).ok());
        for block in blocks.unwrap_or_default() {
            kept += block.text.map_or(0, |text| text.len());
            let text = block.content.and_then(|text| serde_json::from_str::<Cow<'_, str>>(text.get()).ok());
            kept += text.map_or(0, |text| text.len());
        }
    }
    kept
}
