//! All logs of one session, in pieces of any size → records and receipt.

use std::borrow::Cow;

use palimpsest_record::escape::replace_lone_surrogates;
use palimpsest_record::{ContentType, MessageType, Span, SupersededBy, Text, TranscriptRecord, Visibility};

use crate::batch::{Document, Line};
use crate::lines::{LineSplitter, unmarked};
use crate::receipt::{DamageReason, EntryId, Ledger, Outcome};
use crate::repair::{Joining, Openings, whole_records};
use crate::{Batch, Container, FileRole, Provider, ReadOptions, Reader};

/// Reads the logs of one session, one after the other. Reading cannot fail.
///
/// ```text
/// begin_file → push* → end_file   (for each file, main files first)
/// finish
/// ```
pub struct SessionReader {
    provider: &'static dyn Provider,
    reader: Box<dyn Reader>,
    batch: Batch,
    openings: Openings,
    joining: Option<Joining>,
    splitter: LineSplitter,
    container: Container,
    document: Vec<u8>,
    files: u32,
    bytes: u64,
    line_number: u32,
}

/// What a session's logs gave.
#[derive(Debug)]
pub struct ReadLog {
    /// The records, in the order of the source, the session last.
    pub records: Vec<TranscriptRecord>,
    /// What became of each line.
    pub ledger: Ledger,
}

impl SessionReader {
    /// A reader for a session of `provider`.
    pub fn new(provider: &'static dyn Provider, options: ReadOptions) -> SessionReader {
        SessionReader {
            provider,
            reader: provider.reader(),
            batch: Batch::new(options),
            openings: Openings::default(),
            joining: None,
            splitter: LineSplitter::default(),
            container: Container::Lines,
            document: Vec::new(),
            files: 0,
            bytes: 0,
            line_number: 0,
        }
    }

    /// The next log begins.
    pub fn begin_file(&mut self, container: Container, role: FileRole) {
        self.container = container;
        self.splitter = LineSplitter::default();
        self.line_number = 0;
        self.reader.begin_file(self.files, role);
    }

    /// Reads a piece of the log.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.container != Container::Lines {
            self.document.extend_from_slice(bytes);
            return;
        }
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(bytes, |line, start| self.physical_line(line, start));
        self.splitter = splitter;
    }

    /// The log is at its end.
    pub fn end_file(&mut self) {
        match self.container {
            Container::Lines => {
                let mut splitter = std::mem::take(&mut self.splitter);
                splitter.finish(|line, start| self.physical_line(line, start));
                self.give_up_joining();
            }
            Container::Document | Container::Logs => self.read_document(),
        }
        self.files += 1;
    }

    /// Nothing more of the log will come, though it goes on: the line that it stands in is not read.
    pub fn leave_file(&mut self) {
        self.splitter = LineSplitter::default();
        self.document = Vec::new();
        if self.container == Container::Lines {
            self.give_up_joining();
        }
        self.files += 1;
    }

    /// The records so far. They may still change: what is superseded is known only at the end.
    pub fn records(&self) -> &[TranscriptRecord] {
        &self.batch.records
    }

    /// What became of the lines so far.
    pub fn ledger(&self) -> &Ledger {
        &self.batch.ledger
    }

    /// All logs are read.
    pub fn finish(mut self) -> ReadLog {
        self.reader.finish(&mut self.batch);
        self.complete_session();
        ReadLog { records: self.batch.records, ledger: self.batch.ledger }
    }

    fn physical_line(&mut self, raw: &[u8], start: u64) {
        self.line_number = self.line_number.saturating_add(1);
        let line = unmarked(raw);
        // Checking a sound line is several times as fast as mending it.
        let text =
            simdutf8::basic::from_utf8(&line).map_or_else(|_| String::from_utf8_lossy(&line), Cow::Borrowed);
        if text.trim_ascii().is_empty() {
            if let Some(joining) = &mut self.joining {
                joining.add_blank(&text);
            }
            return;
        }
        let span = Span {
            file: self.files,
            line_first: self.line_number,
            line_last: self.line_number,
            byte_start: start,
            byte_end: start + raw.len() as u64,
        };
        let entry = self.batch.ledger.enter(&span);
        self.line(&text, span, entry);
    }

    fn line(&mut self, text: &str, span: Span, entry: EntryId) {
        if let Some(mut joining) = self.joining.take() {
            if self.read(text, span, entry) {
                // A sound line: what was being joined before it will never close.
                self.unjoin(joining, true);
                return;
            }
            let room = joining.add(text, span, entry);
            if joining.closed().is_some() {
                self.close(joining);
            } else if room {
                self.joining = Some(joining);
            } else {
                self.unjoin(joining, false);
            }
            return;
        }
        if self.read(text, span, entry) {
            return;
        }
        if self.recover(text, span, entry) {
            return;
        }
        self.joining = Joining::begin(text, span, entry);
        if self.joining.is_none() {
            self.batch.ledger.settle(entry, damage(text));
        }
    }

    /// Reads a sound line, or one that only lone surrogates spoil.
    fn read(&mut self, text: &str, span: Span, entry: EntryId) -> bool {
        let text = text.trim_ascii();
        // Only an object is a record; anything else a line can be is damage.
        if !text.starts_with('{') {
            return false;
        }
        let outcome = self.reader.line(&Line { text, span, entry }, &mut self.batch).or_else(|error| {
            let mended = replace_lone_surrogates(text).ok_or(error)?;
            self.reader.line(&Line { text: &mended, span, entry }, &mut self.batch)
        });
        if let Ok(outcome) = outcome {
            self.openings.learn(text);
            self.batch.ledger.settle(entry, outcome);
        }
        outcome.is_ok()
    }

    /// Reads the whole records on a damaged line. The line counts as damaged all the same.
    fn recover(&mut self, text: &str, span: Span, entry: EntryId) -> bool {
        let records = whole_records(text.trim_ascii(), self.provider, &self.openings);
        let mut recovered = false;
        for record in records {
            recovered |= self.read(record, span, entry);
        }
        if recovered {
            self.batch.ledger.settle(entry, Outcome::Damaged(DamageReason::Glued));
        }
        recovered
    }

    /// The joined lines are closed: the first counts by what the record is, the others as merged.
    fn close(&mut self, joining: Joining) {
        let place = joining.span().zip(joining.parts.front().map(|part| part.2));
        let sound = match (joining.closed(), place) {
            (Some(text), Some((span, entry))) => self.read(text, span, entry),
            _ => false,
        };
        if !sound {
            self.unjoin(joining, false);
            return;
        }
        for (_, _, entry) in joining.parts.iter().skip(1) {
            self.batch.ledger.settle(*entry, Outcome::Merged);
        }
    }

    /// The lines never closed: each is damaged. Where the first was a torn stub, those behind it
    /// may be a joined record of their own, so they get one more chance (`again`).
    fn unjoin(&mut self, mut joining: Joining, again: bool) {
        let Some((text, span, entry)) = joining.parts.pop_front() else { return };
        self.give_up(&text, span, entry);
        let mut rest: Option<Joining> = None;
        for (text, span, entry) in joining.parts {
            if let Some(mut open) = rest.take() {
                open.add(&text, span, entry);
                match open.closed() {
                    Some(_) => self.close(open),
                    None => rest = Some(open),
                }
            } else if !self.recover(&text, span, entry) {
                rest = Joining::begin(&text, span, entry).filter(|_| again);
                if rest.is_none() {
                    self.batch.ledger.settle(entry, damage(&text));
                }
            }
        }
        for (text, span, entry) in rest.into_iter().flat_map(|open| open.parts) {
            self.give_up(&text, span, entry);
        }
    }

    /// A line that is part of no record: what is whole on it is read.
    fn give_up(&mut self, text: &str, span: Span, entry: EntryId) {
        if !self.recover(text, span, entry) {
            self.batch.ledger.settle(entry, damage(text));
        }
    }

    fn give_up_joining(&mut self) {
        if let Some(joining) = self.joining.take() {
            self.unjoin(joining, true);
        }
    }

    fn read_document(&mut self) {
        let bytes = std::mem::take(&mut self.document);
        let text = String::from_utf8_lossy(&bytes);
        let text = replace_lone_surrogates(&text).map_or(text, Cow::Owned);
        // Padding is no text here, either; in JSON no NUL stands for itself.
        let text = if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { text };
        let text = text.trim_start_matches('\u{feff}').trim_start();
        // Where nothing had to be mended, this is where the text begins in the file.
        let start = (bytes.len() - bytes.len().min(text.len())) as u64;
        let document = Document { text: text.trim_end(), file: self.files, start };
        if self.reader.document(&document, &mut self.batch).is_err() {
            let whole = Span {
                file: self.files,
                line_first: 1,
                line_last: 1,
                byte_start: 0,
                byte_end: bytes.len() as u64,
            };
            self.batch.ledger.enter(&whole);
        }
    }

    /// Fills what every source's session record has in common.
    fn complete_session(&mut self) {
        let mut count = 0;
        let mut title: Option<Text> = None;
        let mut times: Option<(palimpsest_record::Timestamp, palimpsest_record::Timestamp)> = None;
        for record in &self.batch.records {
            let TranscriptRecord::Message(message) = record else { continue };
            if let Some(time) = message.timestamp {
                times = Some(times.map_or((time, time), |(a, b)| (a.min(time), b.max(time))));
            }
            // A compaction takes the first prompt out of the context, but the session is still about it.
            let compacted = message.superseded.as_ref().is_some_and(|it| it.how == SupersededBy::Compacted);
            let visible = message.visibility == Visibility::Visible;
            if !(visible || compacted) || message.is_meta || message.agent_id.is_some() {
                continue;
            }
            count += u64::from(visible);
            let typed = message.message_type == MessageType::User
                && matches!(
                    message.content_type,
                    ContentType::Text | ContentType::Mixed | ContentType::Image
                );
            if title.is_none() && typed {
                title = message.text.as_deref().and_then(first_line);
            }
        }
        let lines = self.batch.ledger.entries().len() as u64;
        for record in &mut self.batch.records {
            let TranscriptRecord::Session(session) = record else { continue };
            session.message_count = count;
            session.title = session.title.take().or_else(|| title.clone());
            session.started_at = session.started_at.or(times.map(|times| times.0));
            session.ended_at = session.ended_at.or(times.map(|times| times.1));
            session.log.files = self.files;
            session.log.bytes = self.bytes;
            session.log.lines = lines;
        }
    }
}

/// What is wrong with a line of which nothing could be read.
fn damage(text: &str) -> Outcome {
    let text = text.trim_ascii();
    let torn = text.starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_err_and(|error| error.is_eof());
    Outcome::Damaged(if torn { DamageReason::Torn } else { DamageReason::NotAnObject })
}

/// The first line of a prompt, as a title.
fn first_line(text: &str) -> Option<Text> {
    const LONGEST: usize = 120;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let mut cut: String = line.chars().take(LONGEST).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    Some(Text::from(cut))
}
