//! Kimi CLI's contexts: what the model is given. When something of it is taken back, the context so far is put aside and a new one
//! begins with what stays: that is how this product attests that something was superseded.
//!
//! Read alone they are the conversation. Beside a wire, which holds all of it, they say what of the wire is still in force.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use palimpsest_record::{ContentType, MessageType, Preview, Span, SupersededBy, Text, TranscriptRecord};

use super::content::{FILE, parts, text};
use crate::notes::Notes;
use crate::parts::{Part, Voice, result, tell};
use crate::said::Said;
use crate::writing::Writer;
use crate::{Batch, EntryId, Line, Object, Outcome};

/// How a compaction's summary is announced.
const COMPACTED: &str = "Previous context has been compacted";

/// All contexts by file, in the order of reading: by path, so that the current one comes first.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    all: BTreeMap<u32, Vec<Kept>>,
    file: u32,
}

/// A message of a context.
#[derive(Debug)]
struct Kept {
    json: Text,
    span: Span,
    entry: EntryId,
    /// What it says, to be found again elsewhere.
    said: Key,
}

/// Who says what; of calls, their ids.
type Key = (Role, String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    User,
    Assistant,
    Thought,
    Calls,
    Result,
    Summary,
}

/// Whether a line is one that only Kimi writes.
pub(super) fn is_own(object: &Object<'_>) -> bool {
    object.str("role").is_some_and(|role| role.starts_with('_'))
}

impl Contexts {
    pub(super) fn begin_file(&mut self, file: u32) {
        self.file = file;
    }

    pub(super) fn line(&mut self, object: &Object<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let context = self.all.entry(self.file).or_default();
        let role = object.str("role").unwrap_or_default();
        if role.starts_with('_') || role == "system" {
            return batch.ledger.not_shown(&[&role]);
        }
        let Some(said) = key(object) else { return batch.ledger.unknown(&["malformed"]) };
        context.push(Kept { json: Text::from(line.text), span: line.span, entry: line.entry, said });
        Outcome::Merged
    }

    /// All is read. Says whether the contexts attest that something was superseded.
    pub(super) fn finish(&mut self, notes: &mut Notes, batch: &mut Batch) -> bool {
        let mut all: Vec<Vec<Kept>> = std::mem::take(&mut self.all).into_values().collect();
        let has_wire = batch.records.iter().any(|record| matches!(record, TranscriptRecord::Message(_)));
        let current = if has_wire { newest(&all, batch) } else { 0 };
        if current < all.len() {
            let current = all.remove(current);
            all.push(current);
        }
        if has_wire {
            beside_wire(&all, notes, batch);
        } else {
            alone(&all, notes, batch);
        }
        all.len() > 1
    }
}

fn key(object: &Object<'_>) -> Option<Key> {
    let text = text(object.value("content"));
    Some(match &*object.str("role")? {
        "user" => match text.find(COMPACTED) {
            Some(_) => (Role::Summary, summary(&text)),
            None => (Role::User, text),
        },
        "assistant" if text.trim().is_empty() => (Role::Calls, calls(object).join("\n")),
        "assistant" => (Role::Assistant, text),
        // Ids are counted anew after each clearing.
        "tool" => (Role::Result, format!("{}\n{text}", object.str("tool_call_id").unwrap_or_default())),
        _ => return None,
    })
}

fn calls(object: &Object<'_>) -> Vec<String> {
    object.objects("tool_calls").iter().filter_map(|call| call.str("id")).map(String::from).collect()
}

/// What stands behind the announcement.
fn summary(text: &str) -> String {
    let behind = text.split_once("</system>").map_or(text, |(_, behind)| behind);
    behind.trim().to_owned()
}

/// How the messages of a context that its successor does not hold were superseded.
fn how(context: &[Kept], successor: &[Kept]) -> SupersededBy {
    let goes_on = context.first().map(|kept| &kept.said) == successor.first().map(|kept| &kept.said);
    if successor
        .iter()
        .any(|kept| kept.said.0 == Role::Summary && !context.iter().any(|it| it.said == kept.said))
    {
        SupersededBy::Compacted
    } else if goes_on {
        SupersededBy::RolledBack
    } else {
        SupersededBy::Cleared
    }
}

/// The contexts are the conversation: each writes what is new in it, and what its successor does not hold is superseded.
fn alone(all: &[Vec<Kept>], notes: &mut Notes, batch: &mut Batch) {
    let mut standing: Vec<(&Key, Range<usize>)> = Vec::new();
    for (number, context) in all.iter().enumerate() {
        let mut before = std::mem::take(&mut standing);
        let new = batch.records.len();
        for kept in context {
            if let Some(at) = before.iter().position(|(said, _)| **said == kept.said) {
                standing.push(before.remove(at));
                continue;
            }
            let first = batch.records.len();
            let outcome = write(kept, notes, batch);
            batch.ledger.settle(kept.entry, outcome);
            standing.push((&kept.said, first..batch.records.len()));
        }
        let how = number.checked_sub(1).and_then(|at| all.get(at)).map(|last| how(last, context));
        for (_, records) in before {
            notes.taken_back.add(records, how.unwrap_or(SupersededBy::RolledBack), new);
        }
    }
    // Contexts follow each other in time, whatever file each is.
    const RECORDS: u64 = 1 << 12;
    for (place, record) in (1..).zip(&mut batch.records) {
        match record {
            TranscriptRecord::Message(message) => message.seq = place * RECORDS,
            TranscriptRecord::Summary(summary) => summary.seq = place * RECORDS,
            _ => {}
        }
    }
}

fn write(kept: &Kept, notes: &mut Notes, batch: &mut Batch) -> Outcome {
    let line = Line { text: &kept.json, span: kept.span, entry: kept.entry };
    let Some(object) = Object::parse(&kept.json) else { return Outcome::Merged };
    let place = notes.place(None, None, &line);
    let mut to = Writer::new(batch, line, 0, place);
    match kept.said.0 {
        Role::Summary => {
            let summary = to.place.summary("compaction", &kept.said.1, None, to.batch);
            to.batch.push(summary);
            return Outcome::Read;
        }
        Role::User => {
            let reminds = kept.said.1.trim_start().starts_with("<system");
            let voice = Voice { is_meta: reminds, ..Voice::user() };
            tell(parts(object.value("content")), voice, &mut notes.calls, &mut to);
        }
        Role::Assistant | Role::Thought | Role::Calls => {
            let mut said = parts(object.value("content"));
            let calls = object.objects("tool_calls");
            said.extend(calls.iter().map(call));
            tell(said, Voice::assistant(None, None, FILE), &mut notes.calls, &mut to);
        }
        Role::Result => {
            let (said, is_error) = output(&object, to.batch);
            let id = object.str("tool_call_id");
            result(id.as_deref(), None, said, is_error, &mut notes.calls, &mut to);
            return if to.written() > 0 { Outcome::Read } else { Outcome::Merged };
        }
    }
    if to.written() > 0 { Outcome::Read } else { to.batch.ledger.not_shown(&["empty"]) }
}

fn call<'a>(call: &Object<'a>) -> Part<'a> {
    let function = call.object("function").unwrap_or_default();
    Part::Call {
        id: call.str("id"),
        name: function.words("name").unwrap_or("unknown".into()),
        input: function.value("arguments"),
    }
}

/// What a tool gave. What the product says to the model beside it stands in tags, and is shown where there is nothing else.
fn output(object: &Object<'_>, batch: &Batch) -> (Said, bool) {
    let mut said = Said::default();
    let mut beside = String::new();
    for part in parts(object.value("content")) {
        match part {
            Part::Text(text) => match tagged(&text) {
                Some(inner) => inner.clone_into(&mut beside),
                None => said.push(&text, batch),
            },
            Part::Block(block) => said.push_block(block),
            _ => {}
        }
    }
    let is_error = beside.starts_with("ERROR");
    (if said.is_empty() { Said::of(&beside) } else { said }, is_error)
}

fn tagged(text: &str) -> Option<&str> {
    text.trim().strip_prefix("<system>")?.strip_suffix("</system>")
}

/// The context whose last message stands last in the wire. The first one, where the wire does not tell.
fn newest(all: &[Vec<Kept>], batch: &Batch) -> usize {
    let places: HashMap<Key, usize> =
        (0..).zip(wire(batch)).map(|(place, (_, said))| (said, place)).collect();
    let last =
        |context: &Vec<Kept>| counts(context).keys().filter_map(|said| places.get(said)).max().copied();
    let mut newest = (0, all.first().and_then(last));
    // An empty context was just cleared.
    if all.first().is_none_or(Vec::is_empty) {
        return 0;
    }
    for (number, context) in all.iter().enumerate().skip(1) {
        if last(context) > newest.1 {
            newest = (number, last(context));
        }
    }
    newest.0
}

/// The messages of the wire in their order: where each is, and what it says.
fn wire(batch: &Batch) -> Vec<(usize, Key)> {
    let mut said: Vec<(usize, Key)> = Vec::new();
    for (at, record) in batch.records.iter().enumerate() {
        match record {
            TranscriptRecord::Message(message) if message.agent_id.is_none() => {
                let role = match (message.message_type, message.content_type) {
                    (_, ContentType::ToolUse) => Role::Calls,
                    (_, ContentType::Thinking) => Role::Thought,
                    (MessageType::User, ContentType::Text | ContentType::Mixed) => Role::User,
                    (MessageType::Assistant, ContentType::Text | ContentType::Mixed) => Role::Assistant,
                    _ => continue,
                };
                said.push((at, (role, message.text.as_deref().unwrap_or_default().to_owned())));
            }
            TranscriptRecord::ToolCall(call) => {
                let log_id = call.id.split('~').next().unwrap_or_default();
                // Calls that stand together share their fate.
                if let Some((_, (Role::Calls, id))) = said.last_mut().filter(|said| said.1.1.is_empty()) {
                    id.push_str(log_id);
                }
            }
            _ => {}
        }
    }
    said
}

/// The wire is the conversation: what of it stands only in contexts that were put aside is superseded.
fn beside_wire(all: &[Vec<Kept>], notes: &mut Notes, batch: &mut Batch) {
    tell_summaries(all, notes, batch);
    let mut left: Vec<HashMap<Key, usize>> = all.iter().map(|context| counts(context)).collect();
    // From the end: a text that was said before and is said again is the last one.
    for (at, said) in wire(batch).into_iter().rev() {
        let found =
            (0..left.len()).rev().find(|&number| left.get_mut(number).is_some_and(|left| take(left, &said)));
        let Some(number) = found.filter(|&number| number + 1 < all.len()) else { continue };
        let (Some(context), Some(successor)) = (all.get(number), all.get(number + 1)) else { continue };
        notes.taken_back.add(at..at + 1, how(context, successor), at + 1);
    }
}

/// How often a context has each text, thought and call.
fn counts(context: &[Kept]) -> HashMap<Key, usize> {
    let mut counts: HashMap<Key, usize> = HashMap::new();
    let mut add = |said: Key| *counts.entry(said).or_default() += 1;
    for kept in context {
        let object = Object::parse(&kept.json).unwrap_or_default();
        for id in calls(&object) {
            add((Role::Calls, id));
        }
        for part in parts(object.value("content")) {
            if let Part::Thought(thought) = part {
                add((Role::Thought, thought.into_owned()));
            }
        }
        if kept.said.0 != Role::Calls {
            add(kept.said.clone());
        }
    }
    counts
}

fn take(left: &mut HashMap<Key, usize>, said: &Key) -> bool {
    match left.get_mut(said) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// A wire says only that the context was compacted; the contexts have the summaries, the last for the last.
fn tell_summaries(all: &[Vec<Kept>], notes: &mut Notes, batch: &mut Batch) {
    let mut told: Vec<&Kept> = Vec::new();
    for kept in all.iter().flatten().filter(|kept| kept.said.0 == Role::Summary) {
        if told.last().is_none_or(|last| last.said != kept.said) {
            told.push(kept);
        }
    }
    let limit = batch.options.preview_limit;
    let mut summaries = batch.records.iter_mut().rev().filter_map(|record| match record {
        TranscriptRecord::Summary(summary) if summary.content.is_empty() => Some(summary),
        _ => None,
    });
    let mut alone = Vec::new();
    for kept in told.into_iter().rev() {
        let Some(summary) = summaries.next() else {
            alone.push(kept);
            continue;
        };
        let Preview { text, full_length } = Preview::cut(&kept.said.1, limit);
        (summary.content, summary.full_length, summary.span) = (text, full_length, Some(kept.span));
    }
    for kept in alone {
        let outcome = write(kept, notes, batch);
        batch.ledger.settle(kept.entry, outcome);
    }
}
