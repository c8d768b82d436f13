//! What the page asks of its worker.

use serde::{Deserialize, Serialize};

/// A question. Each gets exactly one answer with the same envelope number, but for [`Request::Open`] and
/// [`Request::Choose`], which are answered by unasked messages as the log is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Read these files. The `File` objects come beside this message in the same order. Answered
    /// by `Progress`, `Outline` (incomplete ones first, the complete one last), or `Sessions`, or `Failed`.
    Open {
        /// Names as dropped, with folders: for display and for the order in which files are read.
        paths: Vec<String>,
    },
    /// Read this session of the several that the files hold (an index of `Sessions`).
    Choose {
        /// The index.
        session: u32,
    },
    /// Stop reading; what is read so far stays open. Answered by `Done`.
    Cancel,
    /// Assemble with or without what is inactive. Answered by `Outline`.
    ShowInactive(bool),
    /// The rows `start..end` of a view. Answered by `Rows`; rows of another view are gone: `Stale`.
    Rows {
        /// [`Outline::view`](crate::Outline::view) of the outline that the numbers are from.
        view: u32,
        /// First row.
        start: u32,
        /// Row behind the last.
        end: u32,
    },
    /// The rows of a subagent's conversation `start..end`. Answered by `Rows`.
    AgentRows {
        /// The subagent.
        agent_id: String,
        /// First row.
        start: u32,
        /// Row behind the last.
        end: u32,
    },
    /// The body of a fold. Answered by `Part`.
    Part(BodyPlace),
    /// A piece of a long text, read again from the log. Answered by `Text`.
    Text {
        /// Whose text.
        place: BodyPlace,
        /// Input or output of a call; ignored elsewhere.
        output: bool,
        /// First byte; moved back to a character border.
        start: u64,
        /// Most bytes.
        limit: u32,
    },
    /// The lines of the log behind a row. Answered by `Raw`.
    Raw {
        /// The row, by its first part.
        place: BodyPlace,
        /// First byte within the record's lines.
        start: u64,
    },
    /// Where a message is, by its own id or that of a message folded into it. Turns inactive on
    /// where it must: then the answer comes after an `Outline`. Answered by `Found`.
    Find {
        /// The id.
        id: String,
    },
    /// Lines of the log that became `class`. Answered by `Lines`.
    Lines {
        /// Which lines.
        class: LineClass,
        /// How many to skip.
        skip: u32,
    },
    /// One line of the log as it stands. Answered by `Raw`.
    Line {
        /// The file.
        file: u32,
        /// The line, counted from 1.
        line: u32,
    },
    /// The session detail as `palimpsest read --json` prints it. Answered by `Detail`.
    Detail,
}

/// A body: a part of a row, in the view's own rows or in a subagent's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyPlace {
    /// The subagent whose rows are meant; absent for the session's.
    pub agent_id: Option<String>,
    /// Id of the row's message or summary.
    pub id: String,
    /// Which of its parts.
    pub part: u32,
}

/// Which lines of the receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineClass {
    /// Not readable as their container.
    Damaged,
    /// A type this version does not know.
    Unknown(String),
    /// A known type with nothing to show.
    NotShown(String),
}
