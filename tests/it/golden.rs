//! What every case gives, as text beside it. `UPDATE_EXPECT=1` writes it; reading it is the review.

use std::fmt::Write as _;

use expect_test::expect_file;
use palimpsest_providers::{Ledger, Outcome};

use crate::fixtures::{Fixture, assemble, on_every_fixture};
use crate::outline::outline;

/// The adapter: one record a line.
#[test]
fn records() {
    on_every_fixture(|fixture| {
        let lines: Vec<String> = fixture
            .read()
            .records
            .iter()
            .map(|record| serde_json::to_string(record).unwrap() + "\n")
            .collect();
        expect_file![fixture.folder.join("records.jsonl")].assert_eq(&lines.concat());
    });
}

/// The assembler: what a person sees, inactive messages included.
#[test]
fn outlines() {
    on_every_fixture(|fixture| {
        let detail = assemble(fixture.read().records);
        expect_file![fixture.folder.join("outline.txt")].assert_eq(&outline(&detail));
    });
}

/// The receipt: every line and what became of it, then the sums.
#[test]
fn receipt() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let unattached = assemble(read.records).unattached_results;
        let text = receipt_text(fixture, &read.ledger, unattached);
        expect_file![fixture.folder.join("receipt.txt")].assert_eq(&text);
    });
}

fn receipt_text(fixture: &Fixture, ledger: &Ledger, unattached: u64) -> String {
    let mut text = String::new();
    let mut file = None;
    for entry in ledger.entries() {
        if fixture.logs.len() > 1 && file != Some(entry.file) {
            file = Some(entry.file);
            writeln!(text, "{}", fixture.logs[entry.file as usize].name).unwrap();
        }
        let outcome = match entry.outcome {
            Outcome::Read => "read".to_owned(),
            Outcome::Merged => "merged".to_owned(),
            Outcome::NotShown(name) => format!("not shown: {}", ledger.name(name)),
            Outcome::Unknown(name) => format!("unknown: {}", ledger.name(name)),
            Outcome::Damaged(reason) => format!("damaged: {}", reason.as_str()),
        };
        writeln!(text, "{:4}  {outcome}", entry.line).unwrap();
    }
    let receipt = ledger.receipt(unattached);
    let not_shown: u64 = receipt.not_shown.values().sum();
    let unknown: u64 = receipt.unknown.values().sum();
    writeln!(
        text,
        "{} lines = {} read + {} merged + {not_shown} not shown + {unknown} unknown + {} damaged",
        receipt.lines,
        receipt.read,
        receipt.merged,
        receipt.damaged.len()
    )
    .unwrap();
    if receipt.unattached_results > 0 {
        writeln!(text, "{} results without a call", receipt.unattached_results).unwrap();
    }
    text
}
