//! Gemini CLI.
//!
//! A log is lines (a head, messages, changes of them) or, in older versions, one document. In reading order:
//! - [`shapes`]: messages as Gemini writes them
//! - [`messages`]: which of them the log holds in the end, and which it took back
//! - [`writing`], [`content`]: a message → records

use std::collections::BTreeSet;

use palimpsest_record::{Session, Subagent, Superseded, SupersededBy, Text, TranscriptRecord, Visibility};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use self::messages::{Kept, Messages, instant};
use self::shapes::{Entry, Head, Message};
use self::writing::Calls;
use crate::batch::{Document, hash_of_opening};
use crate::json::objects;
use crate::object::first_element;
use crate::writing::{Place, Writer};
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

mod content;
mod messages;
mod shapes;
mod writing;

/// Gemini CLI.
pub(crate) struct Gemini;

impl Provider for Gemini {
    fn id(&self) -> &'static str {
        "gemini"
    }

    fn label(&self) -> &'static str {
        "Gemini CLI"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        // Claude Code and its kin name the session on every line, and Pi and Copilot wrap what they say.
        if object.has("uuid") || object.has("message") || object.has("data") {
            return Claim::No;
        }
        let is_saved_chat = object.raw("history").and_then(first_element).is_some_and(|turn| is_turn(&turn));
        if is_saved_chat {
            return Claim::Document;
        }
        if object.str("sessionId").is_some() && object.has("projectHash") {
            return if object.has("messages") { Claim::Document } else { Claim::Strong };
        }
        if object.has("$set") || object.has("$rewindTo") {
            return Claim::Strong;
        }
        let is_message =
            object.str("id").is_some() && object.str("timestamp").is_some() && object.has("content");
        match object.str("type").as_deref() {
            Some("gemini") if is_message => Claim::Strong,
            Some("user" | "info" | "error" | "warning") if is_message => Claim::Weak,
            _ => Claim::No,
        }
    }

    fn claims_list(&self, first: &Object<'_>) -> Claim {
        if is_turn(first) { Claim::Document } else { Claim::No }
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        let is_message = object.has("content") && !object.has("uuid");
        let kind = object.str("type");
        is_message && matches!(kind.as_deref(), Some("user" | "gemini" | "info" | "error" | "warning"))
            || self.claims(object) != Claim::No
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        let head = head.iter().find(|object| object.has("projectHash"));
        let session = head.and_then(|head| head.str("sessionId")).map(String::from);
        FileKey::main(session)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(GeminiReader { source: Text::from(self.id()), ..GeminiReader::default() })
    }
}

/// A turn as the model's service takes it: a saved chat is a list of them.
fn is_turn(turn: &Object<'_>) -> bool {
    let is_spoken = matches!(turn.str("role").as_deref(), Some("user" | "model" | "gemini"));
    is_spoken && turn.has("parts") && !turn.has("uuid")
}

/// Reads the logs of one session.
#[derive(Default)]
struct GeminiReader {
    source: Text,
    session_id: Option<Text>,
    /// What the log says of the session.
    head: Session,
    messages: Messages,
    /// It has lines: only those can say that something was taken back.
    has_lines: bool,
}

impl Reader for GeminiReader {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let entry: Entry<'_> = match serde_json::from_str(line.text) {
            Ok(entry) => entry,
            Err(error) if error.is_data() => {
                // JSON, but of a shape that no line has (a field twice): only then is it read again.
                serde_json::from_str::<IgnoredAny>(line.text)?;
                return Ok(batch.ledger.unknown(&["malformed"]));
            }
            Err(error) => return Err(error),
        };
        self.has_lines = true;
        Ok(self.entry(&entry, line, batch))
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let line = document.line(whole, 1, batch);
        let head: Head<'_> = serde_json::from_str(document.text).unwrap_or_default();
        batch.ledger.settle(line.entry, Outcome::Read);
        self.facts(&head);
        let turns = serde_json::from_str::<Vec<&RawValue>>(document.text).ok();
        let messages = head.messages.or(head.history);
        let listed = messages.and_then(|list| serde_json::from_str::<Vec<&RawValue>>(list.get()).ok());
        for (number, raw) in (2..).zip(turns.or(listed).into_iter().flatten()) {
            let line = document.line(raw, number, batch);
            match serde_json::from_str::<Entry<'_>>(line.text) {
                Ok(entry) => self.put(&entry, line.text, &line, 0, batch),
                Err(_) => {
                    let outcome = batch.ledger.unknown(&["malformed"]);
                    batch.ledger.settle(line.entry, outcome);
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        let session_id = self.session_id();
        let mut calls = Calls::default();
        let all = std::mem::take(&mut self.messages.all);
        let mut firsts = Vec::with_capacity(all.len());
        let mut read = BTreeSet::new();
        let mut last = None;
        for (at, kept) in all.iter().enumerate() {
            let first = batch.records.len();
            firsts.push(first);
            let outcome = self.write(kept, &session_id, last.clone(), &mut calls, batch);
            last = place(at, first, batch).or(last);
            // Several messages can share a line: it was read where one of them was.
            if outcome == Outcome::Read {
                read.insert(kept.entry);
            }
            if outcome == Outcome::Read || !read.contains(&kept.entry) {
                batch.ledger.settle(kept.entry, outcome);
            }
        }
        firsts.push(batch.records.len());
        supersede(&all, &firsts, batch);
        for (_, agent) in calls.agents {
            batch.push(Subagent { session_id: session_id.clone(), ..agent });
        }
        batch.push(Session {
            id: session_id,
            attests_inactive: self.has_lines,
            source: self.source.clone(),
            ..std::mem::take(&mut self.head)
        });
    }
}

impl GeminiReader {
    fn entry(&mut self, entry: &Entry<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        if let Some(change) = &entry.set.0 {
            self.facts(change);
            let Some(list) = change.messages else { return batch.ledger.not_shown(&["$set"]) };
            return self.checkpoint(list, line, batch);
        }
        if let Some(to) = entry.rewind_to.text() {
            self.messages.rewind(to);
            return batch.ledger.not_shown(&["$rewindTo"]);
        }
        if entry.kind.is_none() && entry.session_id.is_some() {
            let head: Head<'_> = serde_json::from_str(line.text).unwrap_or_default();
            let is_first = self.session_id.is_none();
            self.facts(&head);
            return if is_first { Outcome::Read } else { batch.ledger.not_shown(&["session"]) };
        }
        if entry.kind.text().or(entry.role.text()).is_none() {
            return batch.ledger.unknown(&["malformed"]);
        }
        self.put(entry, line.text, line, 0, batch);
        // The end says what became of it.
        Outcome::Merged
    }

    /// All messages as they are now.
    fn checkpoint(&mut self, list: &RawValue, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let raws: Option<Vec<&RawValue>> = serde_json::from_str(list.get()).ok();
        let entries: Vec<Entry<'_>> = objects(Some(list));
        let Some(raws) = raws.filter(|raws| raws.len() == entries.len()) else {
            return batch.ledger.unknown(&["$set"]);
        };
        let ids = entries.iter().filter_map(|entry| entry.id.text()).map(Text::from).collect();
        self.messages.keep_only(&ids);
        for (number, (entry, raw)) in entries.iter().zip(raws).enumerate() {
            self.put(entry, raw.get(), line, number, batch);
        }
        Outcome::Merged
    }

    fn put(&mut self, entry: &Entry<'_>, json: &str, line: &Line<'_>, number: usize, batch: &mut Batch) {
        self.messages.put(entry.id.text(), json, line, number, batch);
    }

    fn facts(&mut self, head: &Head<'_>) {
        let id = head.session_id.text().filter(|id| !id.is_empty());
        self.session_id = self.session_id.take().or(id.map(Text::from));
        let title = head.summary.text().map(str::trim).filter(|title| !title.is_empty());
        self.head.title = title.map(Text::from).or(self.head.title.take());
        let folders: Option<Vec<String>> =
            head.directories.and_then(|folders| serde_json::from_str(folders.get()).ok());
        let folder = folders.and_then(|folders| folders.into_iter().next()).map(Text::from);
        self.head.cwd = self.head.cwd.take().or(folder);
    }

    fn write(
        &mut self,
        kept: &Kept,
        session_id: &Text,
        parent_id: Option<Text>,
        calls: &mut Calls,
        batch: &mut Batch,
    ) -> Outcome {
        let Ok(message) = serde_json::from_str::<Message<'_>>(&kept.json) else {
            return batch.ledger.unknown(&["malformed"]);
        };
        let place = Place {
            id: kept.id.clone(),
            session_id: session_id.clone(),
            source: self.source.clone(),
            parent_id,
            agent_id: None,
            seq: 0,
            at: instant(message.timestamp.text()),
            span: kept.span,
        };
        let line = Line { text: &kept.json, span: kept.span, entry: kept.entry };
        let model = message.model.text().map(Text::from);
        self.head.model = model.or(self.head.model.take());
        writing::message(&message, calls, &mut Writer::new(batch, line, 0, place))
    }

    /// The session's id. Where nothing says it, the log goes by its first message.
    fn session_id(&mut self) -> Text {
        let first = self.messages.all.first().map_or("", |kept| kept.json.as_str());
        let id =
            self.session_id.get_or_insert_with(|| Text::from(format!("log-{:016x}", hash_of_opening(first))));
        id.clone()
    }
}

/// Gives the messages of the `at`th one in the log their place: that of its first copy, whatever line the last one is on.
/// Says the id of the last of them.
fn place(at: usize, first: usize, batch: &mut Batch) -> Option<Text> {
    const RECORDS: u64 = 1 << 12;
    let mut last = None;
    let mut seq = (at as u64 + 1) * RECORDS;
    for record in batch.records.get_mut(first..).unwrap_or_default() {
        if let TranscriptRecord::Message(message) = record {
            message.seq = seq;
            seq += 1;
            last = Some(message.id.clone());
        }
    }
    last
}

/// Makes inactive what was taken back; in its place stands the first message behind.
fn supersede(all: &[Kept], firsts: &[usize], batch: &mut Batch) {
    let records = |at: usize| firsts.get(at).copied().unwrap_or(0)..firsts.get(at + 1).copied().unwrap_or(0);
    let is_shown = |record: &TranscriptRecord| match record {
        TranscriptRecord::Message(message) => message.visibility == Visibility::Visible,
        _ => false,
    };
    for (at, kept) in all.iter().enumerate() {
        let Some(there) = kept.taken_back else { continue };
        let behind =
            (there..all.len()).filter(|&at| all.get(at).is_some_and(|kept| kept.taken_back.is_none()));
        let by =
            behind.flat_map(&records).filter_map(|at| batch.records.get(at)).find(|record| is_shown(record));
        let (by, time) = match by {
            Some(TranscriptRecord::Message(message)) => (Some(message.id.clone()), message.timestamp),
            _ => (None, None),
        };
        let reason = Superseded { how: SupersededBy::RolledBack, at: time, by };
        for record in batch.records.get_mut(records(at)).unwrap_or_default() {
            if let TranscriptRecord::Message(message) = record
                && message.visibility == Visibility::Visible
            {
                message.visibility = Visibility::Inactive;
                message.superseded = Some(reason.clone());
            }
        }
    }
}
