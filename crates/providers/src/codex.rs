//! Codex.
//!
//! A log is one thread, and says nearly everything twice: as the model has it (response items) and as
//! a person was shown it (events, in newer versions completed items). The adapter reads the items and
//! lets the events tell who typed what, how calls ended, what was rolled back and what it all used.
//!
//! The way of a line, in reading order:
//! - [`sniff`]: whose log it is, and of which session
//! - [`order`]: lines of a paginated history in the order of their ordinals
//! - [`shapes`]: what a line is, parsed once; [`here`]: its place and ids
//! - [`thread`]: which handler reads it; [`session`]: the header, and what is settled at the end
//! - [`turns`], [`fork`]: what was rolled back, what was inherited
//! - [`speech`], [`twins`]: what the agent says, and the two streams that say it
//! - [`prompts`], [`spoken`], [`prompt`], [`utterance`]: what a person typed, and what was put beside it
//! - [`calls`], [`tools`], [`ends`], [`searches`], [`agents`], [`output`]: tools
//! - [`usage`], [`compaction`], [`notices`]: everything else

mod agents;
mod calls;
mod compaction;
mod ends;
mod fork;
mod here;
mod notices;
mod order;
mod output;
mod prompt;
mod prompts;
mod searches;
mod session;
mod shapes;
mod sniff;
mod speech;
mod spoken;
mod thread;
mod tools;
mod turns;
mod twins;
mod usage;
mod utterance;

use std::collections::HashSet;

use palimpsest_record::Text;
use serde_json::value::RawValue;

use crate::batch::Document;
use crate::{Batch, Claim, EntryId, FileKey, FileRole, Line, Object, Outcome, Provider, Reader};
use here::{Here, Ids};
use order::Order;
use shapes::{Body, LogLine, Meta};
use thread::Thread;

/// Codex.
pub(crate) struct Codex;

impl Provider for Codex {
    fn id(&self) -> &'static str {
        "codex"
    }

    fn label(&self) -> &'static str {
        "Codex"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        sniff::claims(object)
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        sniff::file_key(head)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Rollouts::default())
    }
}

/// Reads the logs of one session: the thread itself, and those of its agents.
#[derive(Default)]
struct Rollouts {
    /// The file being read, and as what; none before the first line.
    file: Option<u32>,
    role: FileRole,
    thread: Thread,
    /// The first record of the thread.
    first_record: usize,
    /// The session's own thread, once another one is read.
    root: Option<Thread>,
    order: Order,
    ids: Ids,
    /// Lines of the file read so far.
    count: u32,
    /// The last of them that was understood.
    last_line: Option<EntryId>,
    /// The line of the last record, and how many records were on it before that.
    last_record: (u32, u32),
    /// Fingerprints of the lines of main files: a copy of one (an archived, a compressed one) adds
    /// only what is new in it.
    fingerprints: HashSet<u64>,
}

impl Reader for Rollouts {
    fn begin_file(&mut self, _file: u32, role: FileRole) {
        self.role = role;
    }

    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let parsed = match LogLine::parse(line.text)? {
            Some(parsed) => parsed,
            None => {
                // JSON, but with another type where one of ours must be.
                self.enter(line, batch);
                return Ok(batch.ledger.unknown(&["malformed"]));
            }
        };
        self.enter(line, batch);
        if self.role == FileRole::Main
            && !self.fingerprints.insert(fingerprint(line.text))
            && line.span.file > 0
        {
            return Ok(Outcome::Merged);
        }
        if let Some(ordinal) = parsed.ordinal.filter(|_| self.order.is_early(parsed.ordinal)) {
            self.order.keep(ordinal, line);
            // Until its turn comes, which it does at the end of the file at the latest.
            return Ok(Outcome::Merged);
        }
        let outcome = self.read(line, &parsed, batch);
        while let Some(kept) = self.order.due() {
            self.read_kept(&kept, batch);
        }
        Ok(outcome)
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        #[derive(serde::Deserialize)]
        struct Old<'a> {
            #[serde(borrow)]
            session: &'a RawValue,
            #[serde(borrow)]
            items: Vec<&'a RawValue>,
        }
        let old: Old<'_> = serde_json::from_str(document.text)?;
        let head = document.line(old.session, 1, batch);
        self.enter(&head, batch);
        if let Ok(meta) = serde_json::from_str::<Meta<'_>>(old.session.get()) {
            let place = here::place(document.file, 0);
            let ids = &mut self.ids;
            let (previous, before_on_line) = (None, 0);
            let mut here = Here { batch, ids, line: head, time: None, place, previous, before_on_line };
            self.thread.header(&mut here, &meta);
        }
        let outcome = batch.ledger.not_shown(&["session"]);
        batch.ledger.settle(head.entry, outcome);
        for (number, item) in (2..).zip(&old.items) {
            let line = document.line(item, number, batch);
            let outcome = match LogLine::parse(line.text) {
                Ok(Some(parsed)) => self.read(&line, &parsed, batch),
                _ => batch.ledger.unknown(&["malformed"]),
            };
            batch.ledger.settle(line.entry, outcome);
        }
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.end_thread(batch);
        let session = self.root.take().unwrap_or_default().session();
        batch.push(session);
    }
}

impl Rollouts {
    /// Begins a thread where the line is the first of one.
    fn enter(&mut self, line: &Line<'_>, batch: &mut Batch) {
        let file = line.span.file;
        if self.file == Some(file) {
            return;
        }
        self.drain(batch);
        let goes_on = self.file.is_some() && self.role == FileRole::Main && self.root.is_none();
        if !goes_on {
            if self.file.is_some() {
                self.end_thread(batch);
            }
            self.thread = Thread::default();
            self.first_record = batch.records.len();
            self.thread.blank.source = Text::from("codex");
            if let Some(root) = &self.root {
                self.thread.is_agent = true;
                self.thread.blank.session_id = root.blank.session_id.clone();
            }
            // What a thread without a header is called: its content says.
            self.thread.name(Text::from(format!("{:016x}", fingerprint(line.text))));
        }
        self.file = Some(file);
        self.order = Order::default();
        self.count = 0;
        self.last_line = None;
        self.last_record = (0, 0);
    }

    /// The thread is read to its end.
    fn end_thread(&mut self, batch: &mut Batch) {
        self.drain(batch);
        let mut thread = std::mem::take(&mut self.thread);
        thread.finish(batch, self.first_record, self.last_line);
        if thread.is_agent {
            agents::put_agent(batch, &mut self.ids.agents, thread.as_agent());
        }
        if self.root.is_none() {
            self.root = Some(thread);
        }
    }

    /// Reads what waited for lines that never came.
    fn drain(&mut self, batch: &mut Batch) {
        while let Some(kept) = self.order.take_first() {
            self.read_kept(&kept, batch);
            while let Some(kept) = self.order.due() {
                self.read_kept(&kept, batch);
            }
        }
    }

    fn read_kept(&mut self, kept: &order::Kept, batch: &mut Batch) {
        let line = kept.line();
        let Ok(Some(parsed)) = LogLine::parse(line.text) else { return };
        let outcome = self.read(&line, &parsed, batch);
        settle_kept(batch, line.entry, outcome);
    }

    fn read(&mut self, line: &Line<'_>, parsed: &LogLine<'_>, batch: &mut Batch) -> Outcome {
        self.thread.is_wrapped |= !matches!(parsed.body, Body::Bare(_) | Body::Header(_));
        self.count = self.count.saturating_add(1);
        let place = here::place(line.span.file, self.count);
        let time = parsed.timestamp.text();
        let number = line.span.line_first;
        let before_on_line = if self.last_record.0 == number { self.last_record.1 + 1 } else { 0 };
        self.last_record = (number, before_on_line);
        let (ids, previous) = (&mut self.ids, self.last_line);
        let mut here = Here { batch, ids, line: *line, time, place, previous, before_on_line };
        let outcome = self.thread.read(&mut here, parsed);
        self.order.read(parsed.ordinal);
        if !matches!(outcome, Outcome::Unknown(_)) {
            self.last_line = Some(line.entry);
        }
        outcome
    }
}

/// A kept line was entered as what it is not yet; one that was damaged all the same stays so.
fn settle_kept(batch: &mut Batch, entry: EntryId, outcome: Outcome) {
    if !matches!(batch.ledger.outcome(entry), Some(Outcome::Damaged(_))) {
        batch.ledger.settle(entry, outcome);
    }
}

/// Tells lines apart by their length and their ends: where two differ, they differ there.
fn fingerprint(text: &str) -> u64 {
    const ENDS: usize = 128;
    const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const FNV_PRIME: u64 = 0x0100_0000_01b3;
    let bytes = text.as_bytes();
    let head = bytes.get(..ENDS.min(bytes.len())).unwrap_or_default();
    let tail = bytes.get(bytes.len().saturating_sub(ENDS)..).unwrap_or_default();
    head.chunks(8).chain(tail.chunks(8)).fold(FNV_OFFSET ^ bytes.len() as u64, |hash, chunk| {
        let word = chunk.iter().fold(0, |word: u64, byte| (word << 8) | u64::from(*byte));
        // The rotation brings the high bits, which the product only moves further up, back into play.
        (hash ^ word).wrapping_mul(FNV_PRIME).rotate_left(23)
    })
}
