//! What the worker answers.

use palimpsest_record::Text;
use serde::{Deserialize, Serialize};

use crate::Outline;
use crate::row::{PartBody, Row};
use crate::styled::Styled;

/// An answer, or news.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The worker is up. Always its first message.
    Ready {
        /// [`BUILD_ID`](crate::BUILD_ID) of the worker.
        build: String,
    },
    /// Reading goes on.
    Progress {
        /// Bytes read.
        read: u64,
        /// Bytes in all. 0 while archives are unpacked: then nobody knows.
        total: u64,
    },
    /// The files hold several sessions: one must be chosen.
    Sessions(Vec<SessionChoice>),
    /// What is known of some of them by now: their indices in `Sessions`, and the facts.
    Facts(Vec<(u32, SessionFacts)>),
    /// A view of the session: the first ones while it is still read, one more at the end and one
    /// for every change of what is shown.
    Outline(Box<Outline>),
    /// Rows, from `start` on.
    Rows {
        /// The first one's number.
        start: u32,
        /// How many there are in all.
        total: u32,
        /// The rows.
        rows: Vec<Row>,
    },
    /// The view that was asked about is no longer the current one.
    Stale,
    /// A fold's body.
    Part(PartBody),
    /// A piece of a long text.
    Text(TextWindow),
    /// Lines of the log.
    Raw(RawText),
    /// Where the message is: the row's number, or `None` where the session has no such message.
    Found {
        /// The view that the number is from.
        view: u32,
        /// The row.
        row: Option<u32>,
    },
    /// Lines of the receipt.
    Lines(LineList),
    /// The session detail as JSON.
    Detail(String),
    /// Nothing to say but that it is done.
    Done,
    /// It cannot be done: one sentence for people.
    Failed(String),
}

/// One of several sessions in the files that were opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionChoice {
    /// Path of its main file.
    pub path: String,
    /// The provider's name for people.
    pub provider: String,
    /// Bytes in its files.
    pub bytes: u64,
    /// How many files it has.
    pub files: u32,
    /// What its log says of it, once that is read.
    pub facts: Option<SessionFacts>,
}

/// What a log says of its session, for a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFacts {
    /// Its name, or how its first prompt begins; empty where there is none.
    pub title: String,
    /// The folder it worked in; empty where the log does not say.
    pub project: String,
    /// Its first moment, in milliseconds since 1970.
    pub started: Option<i64>,
    /// Its last one; `None` also where the log is too long to be read for a list.
    pub ended: Option<i64>,
    /// How many messages it has; `None` where the log is too long to be read for a list.
    pub messages: Option<u64>,
}

/// A piece of a long text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextWindow {
    /// The piece, with control characters made visible.
    pub text: Vec<Styled>,
    /// Its first byte in the text.
    pub start: u64,
    /// The byte behind its last.
    pub end: u64,
    /// Length of the whole text in bytes.
    pub total: u64,
}

/// Lines of the log as they stand, at most 64 KiB of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawText {
    /// Path of the file.
    pub path: String,
    /// Number of the first line.
    pub line_first: u32,
    /// Number of the last line of the record.
    pub line_last: u32,
    /// The text, with control characters made visible.
    pub lines: Vec<Vec<Styled>>,
    /// First byte within the record's lines.
    pub start: u64,
    /// Byte behind the last shown.
    pub end: u64,
    /// Length of the record's lines in bytes.
    pub total: u64,
}

/// Some of the lines of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineList {
    /// At most 100 of them.
    pub lines: Vec<LineRef>,
    /// How many there are in all.
    pub total: u32,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRef {
    /// The file.
    pub file: u32,
    /// The line, counted from 1.
    pub line: u32,
    /// Length in bytes.
    pub length: u32,
    /// Why it could not be read; empty where it could.
    pub reason: String,
}

/// The sums of the receipt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptSummary {
    /// Lines that are not blank.
    pub lines: u64,
    /// Became a record of their own.
    pub read: u64,
    /// Joined another record.
    pub merged: u64,
    /// Known types with nothing to show, by type.
    pub not_shown: Vec<(Text, u64)>,
    /// Types this version does not know, by type.
    pub unknown: Vec<(Text, u64)>,
    /// Lines that could not be read.
    pub damaged: u64,
    /// Results whose call is nowhere.
    pub unattached_results: u64,
}
