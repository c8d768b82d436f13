//! Gemini CLI.
//!
//! A log is lines (a head, messages, changes of them) or, in older versions, one document. In reading order:
//! - [`messages`]: which of them the log holds in the end, and which it took back
//! - [`writing`]: a message → records; its parts are those of Google's service ([`crate::google`])

use std::collections::BTreeSet;

use palimpsest_record::{
    Session, Subagent, Superseded, SupersededBy, Text, Timestamp, TranscriptRecord, Visibility,
};
use serde_json::value::RawValue;

use self::messages::{Kept, Messages};
use self::writing::Told;
use crate::batch::{Document, hash_of_opening};
use crate::calls::Ids;
use crate::notes::{first, last};
use crate::object::{elements, first_element, string};
use crate::writing::{Place, Writer};
use crate::{Batch, Claim, FileKey, FileRole, Line, Object, Outcome, Parent, Provider, Reader};

mod messages;
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
        match head.and_then(|head| head.str("kind")).as_deref() {
            // It lies in a folder that is called by its parent's id.
            Some("subagent") => FileKey { session, role: FileRole::Companion, parent: Some(Parent::Folder) },
            _ => FileKey::main(session),
        }
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
    /// The session's own conversation, then those of its agents.
    threads: Vec<Thread>,
    ids: Ids,
    /// It has lines: only those can say that something was taken back.
    has_lines: bool,
}

/// A conversation.
#[derive(Default)]
struct Thread {
    /// It is a subagent's: that one's id, once a line says it.
    agent: Option<Option<Text>>,
    messages: Messages,
}

impl Reader for GeminiReader {
    fn begin_file(&mut self, _: u32, role: FileRole) {
        // A subagent's log that is opened alone is the conversation.
        if role == FileRole::Companion && !self.threads.is_empty() {
            self.threads.push(Thread { agent: Some(None), ..Thread::default() });
        }
        // Copies of the session's own log go on with it.
        if self.threads.is_empty() {
            self.threads.push(Thread::default());
        }
    }

    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let entry: Object<'_> = serde_json::from_str(line.text)?;
        self.has_lines = true;
        Ok(self.entry(&entry, line, batch))
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let line = document.line(whole, 1, batch);
        let head = Object::parse(document.text);
        batch.ledger.settle(line.entry, Outcome::Read);
        let list = head.as_ref().and_then(|head| head.value("messages").or_else(|| head.value("history")));
        self.facts(&head.unwrap_or_default());
        document.read_each(elements(list.unwrap_or(whole)), 2, batch, |line, batch| {
            let entry: Object<'_> = serde_json::from_str(line.text)?;
            self.put(&entry, line.text, line, 0, batch);
            Ok(Outcome::Merged)
        });
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        let session_id = self.session_id();
        let mut told = Told::default();
        let mut seq = 0;
        for thread in std::mem::take(&mut self.threads) {
            self.thread(thread, &session_id, &mut seq, &mut told, batch);
        }
        for (_, agent) in told.agents {
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
    fn thread(
        &mut self,
        thread: Thread,
        session_id: &Text,
        seq: &mut u64,
        told: &mut Told,
        batch: &mut Batch,
    ) {
        let all = thread.messages.all;
        let unnamed =
            || Text::from(format!("agent-{:016x}", hash_of_opening(all.first().map_or("", |it| &it.json))));
        let agent = thread.agent.map(|id| id.unwrap_or_else(unnamed));
        if let Some(id) = &agent {
            let new = || Subagent { agent_id: id.clone(), ..Subagent::default() };
            told.agents.entry(id.clone()).or_insert_with(new);
        }
        let mut firsts = Vec::with_capacity(all.len());
        let mut read = BTreeSet::new();
        let mut before = None;
        for kept in &all {
            let first = batch.records.len();
            firsts.push(first);
            let above =
                Above { session_id: session_id.clone(), before: before.clone(), agent: agent.clone() };
            let outcome = self.write(kept, above, told, batch);
            *seq += 1;
            before = place(*seq, first, batch).or(before);
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
    }

    fn entry(&mut self, entry: &Object<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        if let Some(change) = entry.object("$set") {
            self.facts(&change);
            let Some(list) = change.value("messages") else { return batch.ledger.not_shown(&["$set"]) };
            return self.checkpoint(list, line, batch);
        }
        if let Some(to) = entry.str("$rewindTo") {
            self.messages().into_iter().for_each(|messages| messages.rewind(&to));
            return batch.ledger.not_shown(&["$rewindTo"]);
        }
        if entry.str("type").is_none() && entry.str("sessionId").is_some() {
            let is_first = self.session_id.is_none();
            self.facts(entry);
            return if is_first { Outcome::Read } else { batch.ledger.not_shown(&["session"]) };
        }
        if entry.str("type").or_else(|| entry.str("role")).is_none() {
            return batch.ledger.unknown(&["malformed"]);
        }
        self.put(entry, line.text, line, 0, batch);
        // The end says what became of it.
        Outcome::Merged
    }

    /// All messages as they are now.
    fn checkpoint(&mut self, list: &RawValue, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let raws = elements(list);
        let entries: Vec<(Object<'_>, &str)> =
            raws.iter().filter_map(|raw| Some((Object::parse(raw.get())?, raw.get()))).collect();
        if entries.len() != raws.len() || !list.get().starts_with('[') {
            return batch.ledger.unknown(&["$set"]);
        }
        let ids = entries.iter().filter_map(|entry| entry.0.str("id")).map(|id| Text::from(&*id)).collect();
        self.messages().into_iter().for_each(|messages| messages.keep_only(&ids));
        for (number, (entry, json)) in entries.iter().enumerate() {
            self.put(entry, json, line, number, batch);
        }
        Outcome::Merged
    }

    fn put(&mut self, entry: &Object<'_>, json: &str, line: &Line<'_>, number: usize, batch: &mut Batch) {
        if let Some(messages) = self.messages() {
            messages.put(entry.str("id").as_deref(), json, line, number, batch);
        }
    }

    /// The messages of the log that is read.
    fn messages(&mut self) -> Option<&mut Messages> {
        self.threads.last_mut().map(|thread| &mut thread.messages)
    }

    fn facts(&mut self, head: &Object<'_>) {
        if let Some(agent) = self.threads.last_mut().and_then(|thread| thread.agent.as_mut()) {
            return first(agent, head.str("sessionId"));
        }
        first(&mut self.session_id, head.str("sessionId"));
        last(&mut self.head.title, head.words("summary").map(|title| title.trim().to_owned()));
        let folders = head.list("directories");
        first(&mut self.head.cwd, folders.first().and_then(|folder| string(folder)));
    }

    fn write(&mut self, kept: &Kept, above: Above, told: &mut Told, batch: &mut Batch) -> Outcome {
        let message = Object::parse(&kept.json).unwrap_or_default();
        if above.agent.is_none() {
            last(&mut self.head.model, message.str("model"));
        }
        let place = Place {
            // Each agent counts its own messages.
            id: self.ids.unique(&kept.id),
            session_id: above.session_id,
            source: self.source.clone(),
            parent_id: above.before,
            agent_id: above.agent,
            seq: 0,
            at: message.str("timestamp").and_then(|at| Timestamp::parse(&at)),
            span: kept.span,
        };
        let line = Line { text: &kept.json, span: kept.span, entry: kept.entry };
        writing::message(&message, told, &mut Writer::new(batch, line, 0, place))
    }

    /// The session's id. Where nothing says it, the log goes by its first message.
    fn session_id(&mut self) -> Text {
        let first = self
            .threads
            .first()
            .and_then(|thread| thread.messages.all.first())
            .map_or("", |kept| kept.json.as_str());
        let id =
            self.session_id.get_or_insert_with(|| Text::from(format!("log-{:016x}", hash_of_opening(first))));
        id.clone()
    }
}

/// What a message belongs to.
struct Above {
    session_id: Text,
    /// The message before it.
    before: Option<Text>,
    /// The subagent whose it is.
    agent: Option<Text>,
}

/// Gives the messages of the `at`th one in the log their place: that of its first copy, whatever line the last one is on.
/// Says the id of the last of them.
fn place(at: u64, first: usize, batch: &mut Batch) -> Option<Text> {
    const RECORDS: u64 = 1 << 12;
    let mut last = None;
    let mut seq = at * RECORDS;
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
