//! Adapters: from the bytes of a log to canonical transcript records.
//!
//! All that is particular to a source lives in its adapter; nothing after this crate knows the
//! source again. Values in, values out: no file system, clock, network or browser.
//!
//! The way of a log through here, in reading order:
//! - [`identify`](mod@identify): the beginning of a log → which provider claims it, and which session it belongs to
//! - [`head`]: what a provider sees of a log when it is asked
//! - [`grouping`]: files that were opened together → sessions
//! - [`session_reader`]: all files of one session, in pieces of any size → records and receipt
//! - [`lines`], [`repair`]: bytes → lines; what is done about damaged ones
//! - [`batch`], [`receipt`]: where adapters put records and what became of each line
//! - [`object`]: JSON objects whose fields are read when they are asked for; [`json`]: forgiving field types, for the adapters of large logs
//! - `parts`, `said`, `writing`: what somebody said, in the terms that all products share → records; `anthropic`, `google`: from the shapes
//!   of two services to those terms
//! - `notes`, `calls`, `undone`: what an adapter notes of a session while it reads, its calls and ids, and what was taken back
//! - one module per provider

pub mod batch;
mod calls;
pub mod grouping;
pub mod head;
pub mod identify;
pub mod json;
pub mod lines;
mod notes;
pub mod object;
mod parts;
pub mod receipt;
mod repair;
mod said;
pub mod session_reader;
mod undone;
mod writing;

mod amp;
mod anthropic;
mod chatgpt;
mod claude;
mod claude_ai;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod google;
mod kimi;
mod opencode;
mod pi;
mod qwen;

pub use batch::{Batch, Line, ReadOptions};
pub use grouping::{Found, SessionFiles, group};
pub use head::{Claim, Container, FileKey, FileRole, Parent};
pub use identify::{Identified, IdentifyError, Identity, identify};
pub use object::Object;
pub use receipt::{DamageReason, EntryId, Ledger, Outcome, Receipt};
pub use session_reader::{ReadLog, SessionReader};

use batch::Document;

/// A product whose logs we can read.
pub trait Provider: Sync {
    /// Its id in records and in `session.source`, e.g. `pi`.
    fn id(&self) -> &'static str;

    /// Its name for people, e.g. `Claude Code`.
    fn label(&self) -> &'static str;

    /// Could this object be a line of my log, or the whole of it? By content alone.
    fn claims(&self, object: &Object<'_>) -> Claim;

    /// Could a document that is a list be mine, told from the first object in it? [`Claim::Document`] where the list is one log,
    /// [`Claim::Logs`] where each of its objects is one.
    fn claims_list(&self, first: &Object<'_>) -> Claim {
        let _ = first;
        Claim::No
    }

    /// Could this object be a line of a log that is known to be mine? Asked about what stands behind
    /// the stub of a torn record; may say yes to more than [`claims`](Provider::claims) does.
    fn is_record(&self, object: &Object<'_>) -> bool {
        self.claims(object) != Claim::No
    }

    /// Which session a log belongs to and which part of it it is, told from its first objects.
    /// Files with the same session are read by one [`Reader`], main files first.
    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        let _ = head;
        FileKey::default()
    }

    /// A reader for one session.
    fn reader(&self) -> Box<dyn Reader>;
}

/// Reads the logs of one session: holds what must be remembered between lines. Cannot fail.
pub trait Reader {
    /// The next file begins. `file` counts from 0 and is what spans of its lines carry.
    fn begin_file(&mut self, file: u32, role: FileRole) {
        let _ = (file, role);
    }

    /// Reads one line: pushes records to `batch` and says what became of the line.
    ///
    /// # Errors
    /// The line is not JSON. It must not have changed anything then: the line is mended where it
    /// can be and given again. A JSON object of the wrong shape is [`Outcome::Unknown`], not an error.
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error>;

    /// Reads a log that is one JSON document. Enters its head and each message and part object in
    /// the batch's ledger. Only called where [`Provider::claims`] said [`Claim::Document`].
    ///
    /// # Errors
    /// The document is not JSON.
    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let _ = batch;
        serde_json::from_str::<serde::de::IgnoredAny>(document.text).map(|_| ())
    }

    /// All files are read. Settles what only the whole shows (visibility, titles, relations) and
    /// pushes the session record last.
    fn finish(&mut self, batch: &mut Batch);
}

/// Every provider. A tie in sniffing goes to the earlier one.
pub const PROVIDERS: &[&dyn Provider] = &[
    &claude::Claude,
    &codex::Codex,
    &cursor::Cursor,
    &copilot::Copilot,
    &gemini::Gemini,
    &opencode::Opencode,
    &cline::Cline,
    &amp::Amp,
    &kimi::Kimi,
    &qwen::Qwen,
    &pi::Pi,
    &chatgpt::ChatGpt,
    &claude_ai::ClaudeAi,
];
