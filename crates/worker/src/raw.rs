//! Lines of the log as they stand.

use std::ops::Range;

use palimpsest_protocol::{LineClass, LineList, LineRef, RawText};
use palimpsest_providers::receipt::Entry;
use palimpsest_providers::{Ledger, Outcome};

use crate::terminal::verbatim;

/// Most bytes of one answer.
pub const RAW_WINDOW: u64 = 64 * 1024;
/// Most lines of one list.
const LIST_WINDOW: usize = 100;

/// Bytes of a file, and where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// The file.
    pub file: u32,
    /// First byte of the record's lines.
    pub byte_start: u64,
    /// Byte behind their last.
    pub byte_end: u64,
    /// Last line.
    pub line_last: u32,
    /// How far into them this answer begins.
    pub skip: u64,
}

impl Lines {
    /// The bytes to read for it.
    pub fn window(&self) -> Range<u64> {
        let start = (self.byte_start + self.skip).min(self.byte_end);
        start..self.byte_end.min(start + RAW_WINDOW)
    }

    /// The answer, once the bytes are there.
    pub fn answer(&self, ledger: &Ledger, path: &str, bytes: &[u8]) -> RawText {
        let window = self.window();
        let sound = characters(bytes, window.end < self.byte_end);
        let start = window.start - self.byte_start + sound.start as u64;
        let bytes = bytes.get(sound).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        RawText {
            path: path.to_owned(),
            line_first: line_at(ledger, self.file, window.start),
            line_last: self.line_last,
            lines: text.split('\n').map(|line| verbatim(line.strip_suffix('\r').unwrap_or(line))).collect(),
            start,
            end: start + bytes.len() as u64,
            total: self.byte_end - self.byte_start,
        }
    }
}

/// The bytes without the rest of a character that began before them, and, where there is `more`
/// behind them, without the beginning of one that ends there.
fn characters(bytes: &[u8], more: bool) -> Range<usize> {
    const LONGEST: usize = 4;
    let goes_on = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
    let start = bytes.iter().take(LONGEST - 1).take_while(|byte| goes_on(byte)).count();
    let begun = bytes.utf8_chunks().last().filter(|_| more).map_or(0, |chunk| chunk.invalid().len());
    let end = bytes.len().saturating_sub(if begun < LONGEST { begun } else { 0 });
    start..end.max(start)
}

/// The number of the line that holds a byte; blank lines are in no ledger and count as the one before.
fn line_at(ledger: &Ledger, file: u32, byte: u64) -> u32 {
    let entries = ledger.entries();
    let behind = entries.partition_point(|entry| (entry.file, entry.start) <= (file, byte));
    behind.checked_sub(1).and_then(|at| entries.get(at)).map_or(1, |entry| entry.line)
}

/// One line of the ledger.
pub fn line(ledger: &Ledger, file: u32, line: u32) -> Option<Lines> {
    let entries = ledger.entries();
    let at = entries.partition_point(|entry| (entry.file, entry.line) < (file, line));
    entries.get(at).filter(|entry| (entry.file, entry.line) == (file, line)).map(|entry| Lines {
        file,
        byte_start: entry.start,
        byte_end: entry.start + u64::from(entry.length),
        line_last: line,
        skip: 0,
    })
}

/// Some of the lines of one class.
pub fn list(ledger: &Ledger, class: &LineClass, skip: usize) -> LineList {
    let in_class = |entry: &&Entry| match (entry.outcome, class) {
        (Outcome::Damaged(_), LineClass::Damaged) => true,
        (Outcome::Unknown(name), LineClass::Unknown(wanted))
        | (Outcome::NotShown(name), LineClass::NotShown(wanted)) => ledger.name(name) == wanted,
        _ => false,
    };
    let total = ledger.entries().iter().filter(in_class).count();
    let lines = ledger
        .entries()
        .iter()
        .filter(in_class)
        .skip(skip)
        .take(LIST_WINDOW)
        .map(|entry| LineRef {
            file: entry.file,
            line: entry.line,
            length: entry.length,
            reason: match entry.outcome {
                Outcome::Damaged(reason) => reason.as_str().to_owned(),
                _ => String::new(),
            },
        })
        .collect();
    LineList { lines, total: total as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_whole_characters() {
        let check =
            |bytes: &[u8], more, want: Range<usize>| assert_eq!(characters(bytes, more), want, "{bytes:?}");
        let text = "aé€😀".as_bytes();
        check(text, true, 0..10);
        check(&text[2..9], true, 1..4);
        check(&text[5..], false, 1..5);
        check(b"", true, 0..0);
        // What is no UTF-8 at all is not thrown away.
        check(b"a\xff", false, 0..2);
    }
}
