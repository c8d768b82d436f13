//! Messages with their parts → records.

use palimpsest_record::order::sort_by;
use std::collections::BTreeSet;

use palimpsest_record::{MessageType, SupersededBy, Text, Timestamp, Usage};

use super::kept::{Facts, Kept, Message, Store};
use super::parts::{FILE, Told, child, told};
use crate::notes::{Notes, first, last};
use crate::parts::{Voice, count, tell as tell_parts};
use crate::writing::Writer;
use crate::{Batch, Object, Outcome};

/// How a session is called before it has a title.
const NO_TITLE: [&str; 2] = ["New session - ", "Child session - "];

/// Writes all sessions: the one that all is about, then those that its agents are.
pub(super) fn tell(store: Store, notes: &mut Notes, batch: &mut Batch) {
    let Store { sessions, mut messages, .. } = store;
    let is_child =
        |facts: &&Facts| facts.parent.as_ref().is_some_and(|id| sessions.iter().any(|it| it.id == *id));
    let root = sessions.iter().find(|facts| !is_child(facts)).or(sessions.first());
    let root_id =
        root.map(|facts| facts.id.clone()).or_else(|| messages.first().map(|it| it.session.clone()));
    notes.name(root_id.as_deref());
    if let Some(facts) = root {
        facts_of(facts, notes);
    }
    let mut last = 0.0;
    for message in &mut messages {
        // One that does not say when stands behind the one before it.
        last = *message.created.get_or_insert(last);
        if message.session.is_empty() {
            message.session = root_id.clone().unwrap_or_default();
        }
    }
    // Ids do not always sort by time, and a document lists messages as it likes.
    sort_by(&mut messages, |a, b| a.created.unwrap_or(0.0).total_cmp(&b.created.unwrap_or(0.0)));
    let others: BTreeSet<&Text> = messages.iter().map(|message| &message.session).collect();
    let others = others.into_iter().filter(|session| Some(*session) != root_id.as_ref());
    let mut seq = 0;
    for session in root_id.iter().chain(others) {
        let facts = sessions.iter().find(|facts| facts.id == *session);
        let agent = (Some(session) != root_id.as_ref()).then_some(session);
        if let Some(agent) = agent {
            let title = facts.and_then(|facts| title(&Object::parse(&facts.json)?));
            first(&mut notes.agent(agent).description, title);
        }
        let mut telling = Telling { agent, seq: &mut seq, marks: Vec::new(), start: 0, notes, batch };
        for message in messages.iter().filter(|message| message.session == *session) {
            telling.message(message);
        }
        telling.revert(facts);
    }
}

fn facts_of(facts: &Facts, notes: &mut Notes) {
    let info = Object::parse(&facts.json).unwrap_or_default();
    notes.head.title = title(&info);
    first(&mut notes.head.cwd, info.words("directory"));
    first(&mut notes.head.version, info.words("version"));
    notes.head.forked_from.clone_from(&facts.parent);
}

fn title(info: &Object<'_>) -> Option<Text> {
    let title = info.words("title")?;
    (!NO_TITLE.iter().any(|placeholder| title.starts_with(placeholder))).then(|| Text::from(&*title))
}

/// Writes one session.
struct Telling<'a> {
    /// The agent that the session is.
    agent: Option<&'a Text>,
    /// Place among all records.
    seq: &'a mut u64,
    /// Where the records of each message and part begin.
    marks: Vec<(Text, usize)>,
    /// Where those of the message begin that is written.
    start: usize,
    notes: &'a mut Notes,
    batch: &'a mut Batch,
}

impl Telling<'_> {
    fn message(&mut self, message: &Message) {
        self.start = self.batch.records.len();
        self.marks.push((message.id.clone(), self.start));
        let info = message.info.as_ref().and_then(|kept| Object::parse(&kept.json)).unwrap_or_default();
        let time = info.object("time").unwrap_or_default();
        let at = time.instant("created");
        let model = info.words("modelID").map(|model| Text::from(&*model));
        if self.agent.is_none() {
            last(&mut self.notes.head.model, model.as_deref());
        }
        let is_user = info.str("role").as_deref() == Some("user");
        let Some(kept) = message.info.as_ref().or(message.parts.first()) else { return };
        if info.is("summary") {
            self.summary(message, kept, at, &info);
            return;
        }
        let voice = || if is_user { Voice::user() } else { Voice::assistant(model.clone(), None, FILE) };
        let is_together = message.parts.iter().all(|part| part.span.file == kept.span.file);
        if is_user && is_together {
            self.prompt(message, kept, at);
        } else {
            for part in &message.parts {
                self.part(&message.id, part, at, voice());
            }
        }
        self.usage(message, kept, at, &info);
        if let Some(error) = info.object("error") {
            self.failure(message, kept, at, &error);
        }
    }

    /// A prompt: its texts and files are one message, where they stand together.
    fn prompt(&mut self, message: &Message, kept: &Kept, at: Option<Timestamp>) {
        let mut said = Vec::new();
        let mut source = None;
        for part in &message.parts {
            let object = Object::parse(&part.json).unwrap_or_default();
            match told(&object, self.batch) {
                Told::Says(parts) => {
                    said.extend(parts);
                    // One part is found again by itself, several by their message.
                    source = Some(source.map_or(part, |_| kept));
                    self.batch.ledger.settle(part.entry, Outcome::Merged);
                }
                _ => self.part(&message.id, part, at, Voice::user()),
            }
        }
        let Some(source) = source else { return };
        self.write(&message.id, source, at, |to, notes| {
            tell_parts(said, Voice::user(), &mut notes.calls, to)
        });
    }

    fn part(&mut self, message: &Text, part: &Kept, at: Option<Timestamp>, voice: Voice) {
        let object = Object::parse(&part.json).unwrap_or_default();
        if let Some(id) = object.words("id") {
            self.marks.push((Text::from(&*id), self.batch.records.len()));
        }
        let kind = object.str("type").unwrap_or_default();
        // A message's first record goes by its id, so that it is found by that.
        let own = object.words("id").filter(|_| self.batch.records.len() > self.start);
        let id = own.map_or_else(|| message.clone(), |id| Text::from(&*id));
        let who = voice.who;
        let outcome = match told(&object, self.batch) {
            Told::Says(parts) => {
                let is_read =
                    self.write(&id, part, at, |to, notes| tell_parts(parts, voice, &mut notes.calls, to));
                self.started(&object);
                if is_read { Outcome::Read } else { self.batch.ledger.not_shown(&[&kind]) }
            }
            Told::Hidden(text) => {
                self.write(&id, part, at, |to, _| {
                    to.hidden(who, &text);
                    false
                });
                self.batch.ledger.not_shown(&[&kind, "hidden"])
            }
            Told::Nothing => self.batch.ledger.not_shown(&[&kind]),
            Told::Unknown => self.batch.ledger.unknown(&[if kind.is_empty() { "malformed" } else { &*kind }]),
        };
        self.batch.ledger.settle(part.entry, outcome);
    }

    /// Notes the agent that a call started.
    fn started(&mut self, part: &Object<'_>) {
        let Some(child) = child(part) else { return };
        let call = part.str("callID").and_then(|id| self.notes.calls.id(&id));
        let input = part.object("state").and_then(|state| state.object("input")).unwrap_or_default();
        let agent = self.notes.agent(&child);
        agent.parent_tool_call_id = call;
        first(&mut agent.agent_type, input.words("subagent_type"));
        first(&mut agent.description, input.words("description"));
    }

    /// What stands for the conversation so far.
    fn summary(&mut self, message: &Message, kept: &Kept, at: Option<Timestamp>, info: &Object<'_>) {
        let mut texts = Vec::new();
        let mut source = kept;
        for part in &message.parts {
            let object = Object::parse(&part.json).unwrap_or_default();
            if object.str("type").as_deref() == Some("text") {
                source = if texts.is_empty() { part } else { kept };
                texts.push(object.str("text").unwrap_or_default().into_owned());
                self.batch.ledger.settle(part.entry, Outcome::Merged);
            } else {
                self.part(&message.id, part, at, Voice::assistant(None, None, FILE));
            }
        }
        let usage = used(message, info).filter(|usage| !usage.is_empty());
        self.write(&message.id, source, at, |to, _| {
            let mut summary = to.place.summary("compaction", &texts.join("\n"), None, to.batch);
            summary.usage = usage;
            to.batch.push(summary);
            true
        });
    }

    fn usage(&mut self, message: &Message, kept: &Kept, at: Option<Timestamp>, info: &Object<'_>) {
        let Some(usage) = used(message, info).filter(|usage| !usage.is_empty()) else { return };
        let free = (self.start..self.batch.records.len()).find(|&at| {
            self.batch.message_mut(at).is_some_and(|it| it.message_type == MessageType::Assistant)
        });
        match free.and_then(|at| self.batch.message_mut(at)) {
            Some(message) => message.usage = Some(usage),
            None => {
                self.write(&message.id, kept, at, |to, _| count(Some(usage), to.batch.records.len(), to));
            }
        }
    }

    fn failure(&mut self, message: &Message, kept: &Kept, at: Option<Timestamp>, error: &Object<'_>) {
        let data = error.object("data");
        let text = data.and_then(|data| data.words("message")).or_else(|| error.words("name"));
        let id = format!("{}-error", message.id);
        self.write(&id, kept, at, |to, _| {
            to.failure(text.as_deref().unwrap_or("error"));
            true
        });
        self.batch.ledger.settle(kept.entry, Outcome::Read);
    }

    /// Writes what `write` writes at the next place. Says what it says.
    fn write(
        &mut self,
        id: &str,
        kept: &Kept,
        at: Option<Timestamp>,
        write: impl FnOnce(&mut Writer<'_>, &mut Notes) -> bool,
    ) -> bool {
        const RECORDS: u64 = 1 << 12;
        let line = kept.line();
        let mut place = self.notes.place(Some(id), at, &line);
        place.agent_id = self.agent.cloned();
        *self.seq += RECORDS;
        place.seq = *self.seq;
        let mut to = Writer::new(self.batch, line, 0, place);
        let says = write(&mut to, self.notes);
        if says {
            self.batch.ledger.settle(kept.entry, Outcome::Read);
        }
        says
    }

    /// The session was taken back to before a message, or to before a part of it.
    fn revert(&mut self, facts: Option<&Facts>) {
        let info = facts.and_then(|facts| Object::parse(&facts.json));
        let Some(revert) = info.and_then(|info| info.object("revert")) else { return };
        let mark = |key: &str| {
            let id = revert.words(key)?;
            self.marks.iter().find(|mark| *mark.0 == *id).map(|mark| mark.1)
        };
        if let Some(from) = mark("partID").or_else(|| mark("messageID")) {
            let end = self.batch.records.len();
            self.notes.taken_back.add(from..end, SupersededBy::RolledBack, end);
        }
    }
}

/// Tokens of a message: its own sum, or that of its steps.
fn used(message: &Message, info: &Object<'_>) -> Option<Usage> {
    let own = tokens(info, &message.id);
    if own.as_ref().is_some_and(|usage| !usage.is_empty()) {
        return own;
    }
    let mut sum: Option<Usage> = None;
    for part in &message.parts {
        let part = Object::parse(&part.json).unwrap_or_default();
        if part.str("type").as_deref() == Some("step-finish")
            && let Some(step) = tokens(&part, &message.id)
        {
            sum.get_or_insert_default().add(&step);
        }
    }
    sum.map(|sum| Usage { request: Some(message.id.clone()), ..sum })
}

/// `input` is without what came from the cache or went there; reasoning is beside the output.
fn tokens(object: &Object<'_>, request: &Text) -> Option<Usage> {
    let tokens = object.object("tokens")?;
    let cache = tokens.object("cache").unwrap_or_default();
    let count = |object: &Object<'_>, key: &str| object.count(key).unwrap_or(0);
    let (read, written) = (count(&cache, "read"), count(&cache, "write"));
    let reasoning = count(&tokens, "reasoning");
    Some(Usage {
        input_tokens: count(&tokens, "input").saturating_add(read).saturating_add(written),
        cached_input_tokens: read,
        cache_write_tokens: written,
        output_tokens: count(&tokens, "output").saturating_add(reasoning),
        reasoning_tokens: reasoning,
        cost_usd: object.number("cost").filter(|cost| *cost != 0.0),
        request: Some(request.clone()),
    })
}
