//! Records of one kind by id, and how a later one joins an earlier.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::mem;

use palimpsest_record::{Message, Subagent, Summary, Text, ToolCall, ToolResult, Workflow, WorkflowAgent};

/// A record that is upserted by id.
pub(crate) trait Record {
    /// What the bucket knows it by.
    fn key(&self) -> &Text;

    /// Takes over what `later` says. What is absent there stays as it was.
    fn merge(&mut self, later: Self);
}

/// Where a record is in its bucket. It stays until a session is deleted.
pub(crate) type Slot = u32;

/// The records of one kind, in order of first arrival, each with the revision that last touched it.
#[derive(Debug)]
pub(crate) struct Bucket<T> {
    /// Each in a block of its own: a list of them grows and moves without moving them.
    records: Vec<Box<T>>,
    revisions: Vec<u64>,
    index: Index,
}

impl<T> Default for Bucket<T> {
    fn default() -> Self {
        Bucket { records: Vec::new(), revisions: Vec::new(), index: Index::default() }
    }
}

impl<T: Record> Bucket<T> {
    pub(crate) fn upsert(&mut self, record: Box<T>, revision: u64) {
        let free = match self.index.find(record.key(), &self.records) {
            Ok(slot) => {
                let slot = slot as usize;
                if let (Some(known), Some(stamp)) = (self.records.get_mut(slot), self.revisions.get_mut(slot))
                {
                    known.merge(*record);
                    *stamp = revision;
                }
                return;
            }
            Err(free) => free,
        };
        // Four thousand million records do not fit into any memory this runs in.
        let next = Slot::try_from(self.records.len()).unwrap_or(Slot::MAX);
        self.index.slots.insert(free, next);
        self.records.push(record);
        self.revisions.push(revision);
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let records = mem::take(&mut self.records);
        let revisions = mem::take(&mut self.revisions);
        self.index.slots.clear();
        for (record, revision) in records.into_iter().zip(revisions) {
            if keep(&record) {
                self.upsert(record, revision);
            }
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&T> {
        self.at(self.find(key)?)
    }

    /// Where the record of that id is.
    pub(crate) fn find(&self, key: &str) -> Option<Slot> {
        self.index.find(key, &self.records).ok()
    }

    pub(crate) fn at(&self, slot: Slot) -> Option<&T> {
        self.records.get(slot as usize).map(Box::as_ref)
    }

    pub(crate) fn revision(&self, slot: Slot) -> u64 {
        self.revisions.get(slot as usize).copied().unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.records.iter().map(Box::as_ref)
    }

    /// Records with their slots.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (Slot, &T)> {
        (0..).zip(self.iter())
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }
}

/// Slots by the hash of their ids.
///
/// A map of the ids themselves would hash and read each of them again whenever it grows, which
/// costs more than all that is ever looked up. Where two hashes collide, the second id takes the
/// next free number.
#[derive(Debug, Default)]
struct Index {
    hasher: RandomState,
    slots: HashMap<u64, Slot, BuildHasherDefault<Hashed>>,
}

impl Index {
    /// The slot of that id, or the number under which it can be put in.
    fn find<T: Record>(&self, id: &str, records: &[Box<T>]) -> Result<Slot, u64> {
        let mut number = self.hasher.hash_one(id);
        while let Some(&slot) = self.slots.get(&number) {
            if records.get(slot as usize).is_some_and(|record| **record.key() == *id) {
                return Ok(slot);
            }
            number = number.wrapping_add(1);
        }
        Err(number)
    }
}

/// Takes a number that is a hash already for its hash.
#[derive(Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0.rotate_left(8) ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// What is there in the later record replaces; what is not there does not.
fn take<T>(known: &mut Option<T>, later: Option<T>) {
    if later.is_some() {
        *known = later;
    }
}

/// The same for a list, where none is absent.
fn take_list<T>(known: &mut Vec<T>, later: Vec<T>) {
    if !later.is_empty() {
        *known = later;
    }
}

impl Record for Message {
    fn key(&self) -> &Text {
        &self.id
    }

    fn merge(&mut self, later: Message) {
        // A length belongs to the text it was measured on.
        if later.text.is_some() {
            self.text = later.text;
            self.full_length = later.full_length;
        }
        self.session_id = later.session_id;
        self.message_type = later.message_type;
        self.seq = later.seq;
        self.content_type = later.content_type;
        self.is_meta = later.is_meta;
        self.visibility = later.visibility;
        self.is_sidechain = later.is_sidechain;
        self.is_error = later.is_error;
        self.source = later.source;
        take(&mut self.role, later.role);
        take(&mut self.parent_id, later.parent_id);
        take(&mut self.timestamp, later.timestamp);
        take_list(&mut self.blocks, later.blocks);
        take(&mut self.superseded, later.superseded);
        take(&mut self.model, later.model);
        take(&mut self.agent_id, later.agent_id);
        take(&mut self.usage, later.usage);
        take(&mut self.cwd, later.cwd);
        take(&mut self.skill, later.skill);
        take(&mut self.skill_call_id, later.skill_call_id);
        take(&mut self.turn_duration_ms, later.turn_duration_ms);
        take_list(&mut self.branches, later.branches);
        take(&mut self.span, later.span);
    }
}

impl Record for ToolCall {
    fn key(&self) -> &Text {
        &self.id
    }

    fn merge(&mut self, later: ToolCall) {
        self.message_id = later.message_id;
        self.session_id = later.session_id;
        self.index = later.index;
        self.name = later.name;
        self.presentation = later.presentation;
        self.input = later.input;
        self.full_length = later.full_length;
        take(&mut self.file_path, later.file_path);
        take(&mut self.span, later.span);
    }
}

impl Record for ToolResult {
    fn key(&self) -> &Text {
        &self.tool_call_id
    }

    fn merge(&mut self, later: ToolResult) {
        // The parts are the content once more: they are replaced together.
        self.content = later.content;
        self.full_length = later.full_length;
        self.blocks = later.blocks;
        self.is_error = later.is_error;
        self.session_id = later.session_id;
        take(&mut self.message_id, later.message_id);
        take(&mut self.file_path, later.file_path);
        take(&mut self.span, later.span);
    }
}

impl Record for Summary {
    fn key(&self) -> &Text {
        &self.id
    }

    fn merge(&mut self, later: Summary) {
        self.session_id = later.session_id;
        self.seq = later.seq;
        self.summary_kind = later.summary_kind;
        self.content = later.content;
        self.full_length = later.full_length;
        self.visibility = later.visibility;
        take(&mut self.agent_id, later.agent_id);
        take(&mut self.timestamp, later.timestamp);
        take(&mut self.tokens_before, later.tokens_before);
        take(&mut self.usage, later.usage);
        take(&mut self.span, later.span);
    }
}

impl Record for Subagent {
    fn key(&self) -> &Text {
        &self.agent_id
    }

    fn merge(&mut self, later: Subagent) {
        self.session_id = later.session_id;
        take(&mut self.parent_tool_call_id, later.parent_tool_call_id);
        take(&mut self.agent_type, later.agent_type);
        take(&mut self.description, later.description);
        take(&mut self.duration_ms, later.duration_ms);
        take(&mut self.total_tokens, later.total_tokens);
    }
}

impl Record for Workflow {
    fn key(&self) -> &Text {
        &self.run_id
    }

    fn merge(&mut self, later: Workflow) {
        self.session_id = later.session_id;
        take(&mut self.parent_tool_call_id, later.parent_tool_call_id);
        take(&mut self.name, later.name);
        take(&mut self.status, later.status);
        take(&mut self.timestamp, later.timestamp);
        take(&mut self.duration_ms, later.duration_ms);
        take(&mut self.total_tokens, later.total_tokens);
        take(&mut self.agent_count, later.agent_count);
        take(&mut self.result, later.result);
    }
}

impl Record for WorkflowAgent {
    fn key(&self) -> &Text {
        &self.agent_id
    }

    fn merge(&mut self, later: WorkflowAgent) {
        self.session_id = later.session_id;
        self.run_id = later.run_id;
        take(&mut self.agent_type, later.agent_type);
        take(&mut self.description, later.description);
        take(&mut self.phase, later.phase);
        take(&mut self.label, later.label);
        take(&mut self.model, later.model);
        take(&mut self.state, later.state);
        take(&mut self.duration_ms, later.duration_ms);
        take(&mut self.tokens, later.tokens);
        take(&mut self.tool_calls, later.tool_calls);
    }
}
