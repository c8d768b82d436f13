//! Claude Code, versions 1.0 to 2.1, and its web sessions.
//!
//! A log is JSON lines, appended only. Of each line the members are found ([`members`], [`record`]),
//! and what its type is read for is parsed ([`shapes`], [`words`]). Lines of the conversation
//! ([`conversation`]) have a uuid and name their parent; file order is the order of display, and the
//! tree matters only where a person went back ([`branches`]). One API response is written as several
//! lines ([`responses`]); a tool's result comes as a user line ([`calls`]); subagents have files of
//! their own, or stand in between, or are relayed ([`threads`], [`agents`]). Much that looks like a
//! prompt is none ([`spoken`]). What only the whole log shows is settled at its end ([`finish`]).

mod agents;
mod assistant;
mod branches;
mod calls;
mod claim;
mod conversation;
mod documents;
mod finish;
mod media;
mod members;
mod queue;
mod record;
mod responses;
mod said;
mod session;
mod shapes;
mod spoken;
mod system;
mod threads;
mod tree;
mod user;
mod words;
mod workflow;
mod writer;

#[cfg(test)]
mod tests;

use palimpsest_record::escape::replace_lone_surrogates;
use palimpsest_record::{PREVIEW_LIMIT, Text};

use crate::batch::{Document, Interner, hash_of_opening};
use crate::{Batch, Claim, FileKey, FileRole, Line, Object, Outcome, Provider, Reader};

use record::{Record, Unreadable};
use threads::ThreadId;
use words::Shortened;

/// Claude Code.
pub(crate) struct Claude;

impl Provider for Claude {
    fn id(&self) -> &'static str {
        "claude"
    }

    fn label(&self) -> &'static str {
        "Claude Code"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        claim::claims(object)
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        let of_session = object.str("sessionId").is_some() || object.str("uuid").is_some();
        self.claims(object) != Claim::No || object.str("type").is_some() && of_session
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        claim::file_key(head)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ClaudeReader { source: Text::from(self.id()), ..ClaudeReader::default() })
    }
}

/// Reads the logs of one session.
#[derive(Default)]
struct ClaudeReader {
    source: Text,
    role: FileRole,
    /// The agent whose file is read.
    file_agent: Option<ThreadId>,
    /// Hash of how the first file begins.
    opening: Option<u64>,
    texts: Interner,
    session: session::Facts,
    threads: threads::Threads,
    tree: tree::Tree,
    responses: responses::Responses,
    calls: calls::Calls,
    spawns: Vec<agents::Spawn>,
    sidecars: Vec<documents::Sidecar>,
    runs: workflow::Runs,
    queue: queue::Queue,
}

impl Reader for ClaudeReader {
    fn begin_file(&mut self, _file: u32, role: FileRole) {
        self.role = role;
    }

    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let record = match Record::read(line.text) {
            Ok(record) => record,
            Err(Unreadable::Json(error)) => return Err(error),
            Err(Unreadable::Broken) => {
                serde_json::from_str::<serde::de::IgnoredAny>(line.text)?;
                return Ok(batch.ledger.unknown(&["misshapen"]));
            }
        };
        let inside = record.inside();
        // A raw lookup wants every word.
        let cuts = batch.options.preview_limit <= PREVIEW_LIMIT;
        let shortened = inside.filter(|_| cuts).and_then(Shortened::cut);
        let json = shortened.as_ref().map(|shortened| shortened.json.as_str());
        let inside = match record.open(json.or(inside)) {
            Ok(inside) => inside,
            // JSON, as far as it was read, but not of any shape that fits. A string that was cut inside a surrogate
            // pair is mended and read again.
            Err(error) if error.is_data() && replace_lone_surrogates(line.text).is_none() => {
                serde_json::from_str::<serde::de::IgnoredAny>(line.text)?;
                return Ok(batch.ledger.unknown(&["misshapen"]));
            }
            Err(error) => return Err(error),
        };
        self.begin(line.text);
        let part = conversation::Part { inside, shortened: shortened.as_ref() };
        Ok(self.record(&record, &part, line, batch))
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        self.read_document(document, batch)
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.settle(batch);
    }
}

impl ClaudeReader {
    /// The session's name for want of a better one (FNV-1a, which no library changes).
    fn begin(&mut self, text: &str) {
        self.opening.get_or_insert_with(|| hash_of_opening(text));
    }
}
