//! Where in a log a record came from.

use serde::{Deserialize, Serialize};

/// The lines and bytes of a log that a record was read from: what a raw lookup reads again.
///
/// Where a record was merged from several lines, the span reaches from its first to its last and
/// may hold lines of other records in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// Which file, counted from 0, of the files the session was read from.
    pub file: u32,
    /// First line, counted from 1. Of a JSON document: the number of the object in it.
    pub line_first: u32,
    /// Last line, counted from 1.
    pub line_last: u32,
    /// Offset of the first byte.
    pub byte_start: u64,
    /// Offset behind the last byte, line end not included.
    pub byte_end: u64,
}

impl Span {
    /// The smallest span that holds both. Spans of different files do not join: the first stays.
    pub fn join(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            line_first: self.line_first.min(other.line_first),
            line_last: self.line_last.max(other.line_last),
            byte_start: self.byte_start.min(other.byte_start),
            byte_end: self.byte_end.max(other.byte_end),
        }
    }
}
