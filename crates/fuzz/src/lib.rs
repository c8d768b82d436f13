//! What is fuzzed: each target takes any bytes and must neither panic nor hang nor take memory without end.
//!
//! The fuzzer's own programs (`fuzz/fuzz_targets`) are one line each, because they build only with its tool chain; the test command runs
//! the same targets over their corpus, and over changes of it that are the same every time.

use std::hint::black_box;
use std::io::{self, Cursor};

use palimpsest_assembly::{AssemblyOptions, RecordSet, assemble_session_detail};
use palimpsest_intake::{Sink, unpack};
use palimpsest_providers::identify::logs_in;
use palimpsest_providers::{
    Container, FileRole, PROVIDERS, Provider, ReadLog, ReadOptions, SessionReader, identify,
};
use palimpsest_worker::prose::{self, LineFeeds};
use palimpsest_worker::terminal;

/// Longest input that a target takes: what is slow on more of the same is slow on this.
pub const LONGEST: usize = 1 << 18;

/// A target: its name, and what it does with any bytes.
pub type Target = (String, Box<dyn Fn(&[u8])>);

/// All targets: those that no provider has to do with, and one for each provider.
pub fn targets() -> Vec<Target> {
    let mut targets: Vec<Target> = vec![
        ("sniffing".to_owned(), Box::new(sniffing)),
        ("archives".to_owned(), Box::new(archives)),
        ("markdown".to_owned(), Box::new(markdown)),
    ];
    for &provider in PROVIDERS {
        let name = format!("adapter-{}", provider.id());
        targets.push((name, Box::new(move |bytes: &[u8]| adapter(provider, bytes))));
    }
    targets
}

/// Runs a target by its name.
///
/// # Panics
/// There is no such target; or it found something.
pub fn run(name: &str, bytes: &[u8]) {
    let targets = targets();
    match targets.iter().find(|(known, _)| known == name) {
        Some((_, target)) => target(bytes.get(..LONGEST).unwrap_or(bytes)),
        None => panic!("there is no target {name}"),
    }
}

/// Whose log is it? Told from the beginning and from the whole.
fn sniffing(bytes: &[u8]) {
    black_box(identify(bytes.get(..bytes.len() / 2).unwrap_or_default(), false).is_ok());
    black_box(identify(bytes, true).is_ok());
    for range in logs_in(bytes) {
        assert!(range.start <= range.end && range.end <= bytes.len() as u64, "{range:?} of {}", bytes.len());
    }
}

/// What is in it? Nothing more than its limits allow.
fn archives(bytes: &[u8]) {
    struct Counted(u64);
    impl Sink for Counted {
        fn begin(&mut self, _: &str) {}
        fn push(&mut self, piece: &[u8]) -> io::Result<()> {
            self.0 += piece.len() as u64;
            // Enough to know: the fuzzer would spend its time on copying zeros.
            if self.0 > 8 << 20 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
        fn end(&mut self, _: Option<String>) {}
        fn left_out(&mut self, _: String) {}
    }
    black_box(unpack(Cursor::new(bytes), "fuzz", &mut Counted(0)).is_ok());
}

/// A text as Markdown and as a terminal's output.
fn markdown(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line_feeds in [LineFeeds::Fold, LineFeeds::Keep] {
        black_box(prose::prose(&text, line_feeds));
    }
    black_box(terminal::terminal(&text));
    black_box(terminal::verbatim(&text));
}

/// A log, as lines and as a document, whole and in two pieces: the receipt adds up, and both say the same.
fn adapter(provider: &'static dyn Provider, bytes: &[u8]) {
    for container in [Container::Lines, Container::Document] {
        let whole = read(provider, container, &[bytes]);
        let receipt = whole.ledger.receipt(0);
        let sum = receipt.read
            + receipt.merged
            + receipt.not_shown.values().sum::<u64>()
            + receipt.unknown.values().sum::<u64>()
            + receipt.damaged.len() as u64;
        assert_eq!(receipt.lines, sum, "the receipt adds up");
        let (left, right) = bytes.split_at(bytes.len() / 2);
        let pieces = read(provider, container, &[left, right]);
        assert_eq!(pieces.records, whole.records, "pieces give the same");
        if let Ok(set) = RecordSet::from_records(whole.records) {
            let options = AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() };
            black_box(assemble_session_detail(&set, &options).is_ok());
        }
    }
}

fn read(provider: &'static dyn Provider, container: Container, pieces: &[&[u8]]) -> ReadLog {
    let mut reader = SessionReader::new(provider, ReadOptions { preview_limit: 256 });
    // Two logs of one session: the second is a companion.
    for role in [FileRole::Main, FileRole::Companion] {
        reader.begin_file(container, role);
        for piece in pieces {
            reader.push(piece);
        }
        reader.end_file();
    }
    reader.finish()
}
