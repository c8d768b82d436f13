//! Claude Code, versions 1.0 to 2.1, and its web sessions.
//!
//! A log is JSON lines, appended only. Lines of the conversation have a uuid and name their parent;
//! file order is the order of display, and the tree matters only where a person went back
//! ([`branches`]). One API response is written as several lines ([`responses`]); a tool's result comes
//! as a user line ([`calls`]); subagents have files of their own, or stand in between, or are relayed
//! ([`threads`], [`agents`]). Much that looks like a prompt is none ([`spoken`]).

mod agents;
mod assistant;
mod branches;
mod calls;
mod claim;
mod documents;
mod finish;
mod media;
mod queue;
mod responses;
mod said;
mod session;
mod shapes;
mod spoken;
mod system;
mod threads;
mod tree;
mod user;
mod workflow;
mod writer;

use palimpsest_record::{Text, Timestamp};

use crate::batch::{Document, Interner};
use crate::{Batch, Claim, FileKey, FileRole, HeadObject, Line, Outcome, Provider, Reader};

use assistant::Heard;
use said::Said;
use shapes::{Content, Record};
use system::System;
use threads::ThreadId;
use tree::{Kind, Node, NodeId};
use writer::{Stamp, Writer};

/// Claude Code.
pub(crate) struct Claude;

impl Provider for Claude {
    fn id(&self) -> &'static str {
        "claude"
    }

    fn label(&self) -> &'static str {
        "Claude Code"
    }

    fn claims(&self, object: &HeadObject<'_>) -> Claim {
        claim::claims(object)
    }

    fn is_record(&self, object: &HeadObject<'_>) -> bool {
        let of_session = object.str("sessionId").is_some() || object.str("uuid").is_some();
        self.claims(object) != Claim::No || object.str("type").is_some() && of_session
    }

    fn file_key(&self, head: &[HeadObject<'_>]) -> FileKey {
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

/// Line types that say nothing of the conversation.
const BOOKKEEPING: &[&str] = &[
    "agent-name",
    "atis-latch",
    "bridge-session",
    "file-history-snapshot",
    "frame-link",
    "mode",
    "permission-mode",
    "pr-link",
    "relocated",
    "tag",
    "worktree-state",
];

/// Progress that says nothing which the result of its call does not say again.
const TRANSPORT: &[&str] = &[
    "agent_progress",
    "bash_progress",
    "hook_progress",
    "mcp_progress",
    "query_update",
    "search_results_received",
    "waiting_for_task",
];

impl Reader for ClaudeReader {
    fn begin_file(&mut self, _file: u32, role: FileRole) {
        self.role = role;
    }

    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let record = match serde_json::from_str::<Record<'_>>(line.text) {
            Ok(record) => record,
            // JSON, as far as it was read, but not of any shape that fits.
            Err(error) if error.is_data() => {
                serde_json::from_str::<serde::de::IgnoredAny>(line.text)?;
                return Ok(batch.ledger.unknown(&["misshapen"]));
            }
            Err(error) => return Err(error),
        };
        self.begin(line.text);
        Ok(self.record(&record, line, batch))
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
        const HASHED: usize = 4096;
        self.opening.get_or_insert_with(|| {
            let bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
            bytes.take(HASHED).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
        });
    }

    fn record(&mut self, record: &Record<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let kind = record.kind.text().unwrap_or_default();
        match kind {
            "summary" | "custom-title" | "ai-title" => {
                self.session.titled(record);
                batch.ledger.not_shown(&[kind])
            }
            "last-prompt" => {
                if let Some(leaf) = record.leaf_uuid.text() {
                    self.session.leaf_named(leaf, &self.tree);
                }
                batch.ledger.not_shown(&[kind])
            }
            "queue-operation" => {
                let out = self.writer(record, None, ThreadId::MAIN, None, line, batch);
                self.queue.operate(record, &out);
                batch.ledger.not_shown(&[kind, record.operation.text().unwrap_or("untyped")])
            }
            "started" | "result" => {
                let mut out = self.writer(record, None, ThreadId::MAIN, None, line, batch);
                match self.journal(record, &mut out) {
                    None => batch.ledger.unknown(&[kind]),
                    Some(true) => Outcome::Read,
                    Some(false) => Outcome::Merged,
                }
            }
            _ if BOOKKEEPING.contains(&kind) => batch.ledger.not_shown(&[kind]),
            _ => self.conversation(record, line, batch),
        }
    }

    /// A line that is part of the conversation, or of a type that is not known and may be one.
    fn conversation(&mut self, record: &Record<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let kind = record.kind.text().unwrap_or_default();
        let uuid = record.uuid.text().filter(|uuid| is_sound(uuid)).map(Text::from);
        let copy_of = uuid.as_ref().and_then(|uuid| self.tree.find(uuid));
        let own_id = uuid.clone().unwrap_or_else(|| place(line));
        let thread = self.threads.of_line(record, &own_id, &self.tree);
        self.session.note(record, thread);
        if thread != ThreadId::MAIN && self.role == FileRole::Companion {
            self.file_agent = Some(thread);
        }
        let is_boundary = kind == "system" && record.subtype.text() == Some("compact_boundary");
        let parent = self.tree.parent(record, is_boundary, thread, self.threads.of(thread));
        let tail = parent.and_then(|parent| self.tree.get(parent)?.tail);
        let mut out = self.writer(record, uuid.as_ref(), thread, copy_of, line, batch);
        out.stamp.parent = tail.and_then(|tail| out.message_id(tail));

        let heard = self.hear_line(record, kind, &mut out);
        let Some(heard) = heard else {
            if let Some(uuid) = uuid.filter(|_| copy_of.is_none()) {
                let records = out.records();
                self.grow(&uuid, Node { parent, kind: Kind::Through, thread, response: None, records, tail });
            }
            return out.batch.ledger.unknown(&unknown_name(record, kind));
        };
        let is_spoken = matches!(kind, "user" | "assistant");
        let state = self.threads.of(thread);
        if is_spoken && (out.tail.is_some() || out.merged) {
            state.unanswered_error = None;
            state.own_lines = true;
        }
        state.speaks |= out.tail.is_some();
        let records = out.records();
        if let Some(uuid) = uuid.filter(|_| copy_of.is_none() || !records.is_empty()) {
            let tail = if out.stamp.relayed { tail } else { out.tail.or(tail) };
            self.grow(
                &uuid,
                Node { parent, kind: heard.kind, thread, response: heard.response, records, tail },
            );
        }
        out.outcome(&name(record, kind))
    }

    fn grow(&mut self, uuid: &Text, node: Node) {
        let thread = node.thread;
        let node = self.tree.add(uuid, node);
        self.threads.of(thread).last_node = Some(node);
    }

    /// Reads the line by its type; `None` where the type, or its shape, is not known.
    fn hear_line(&mut self, record: &Record<'_>, kind: &str, out: &mut Writer<'_>) -> Option<Heard> {
        let through = Heard { kind: Kind::Through, response: None };
        match kind {
            "user" | "assistant" if matches!(record.message.content, Content::None) => None,
            "user" | "assistant" => {
                self.threads.of(out.stamp.thread).compacted = false;
                let said = Said::line(record);
                Some(if kind == "user" { self.user(&said, out) } else { self.assistant(&said, out) })
            }
            "system" => match self.system(record, out) {
                System::Known(heard) => Some(heard),
                System::Unknown => None,
            },
            "progress" => {
                let data = record.data.0.as_ref()?;
                let kind = data.kind.text().filter(|kind| TRANSPORT.contains(kind))?;
                let agent = data.agent_id.text().filter(|id| kind == "agent_progress" && !id.is_empty());
                if let (Some(agent), Some(line)) = (agent, &data.message.0) {
                    self.relayed(agent, record.parent_tool_use_id.text(), line, out);
                }
                Some(through)
            }
            "attachment" => {
                let attachment = record.attachment.0.as_ref()?;
                if attachment.kind.text() == Some("queued_command") {
                    self.user(&Said::queued(attachment), out);
                }
                Some(through)
            }
            _ => None,
        }
    }

    /// A writer for a line's records.
    fn writer<'w>(
        &mut self,
        record: &Record<'_>,
        uuid: Option<&Text>,
        thread: ThreadId,
        copy_of: Option<NodeId>,
        line: &'w Line<'w>,
        batch: &'w mut Batch,
    ) -> Writer<'w> {
        let copied = copy_of.and_then(|node| self.tree.get(node));
        let known = copied.map_or(0..0, |node| node.records.clone());
        let id = match (uuid, copied) {
            (Some(uuid), None) => uuid.clone(),
            (Some(uuid), Some(_)) => Text::from(format!("{uuid}~{}", place(line))),
            (None, _) => place(line),
        };
        let cwd = record.cwd.text().filter(|cwd| self.session.cwd.as_deref().is_some_and(|own| own != *cwd));
        let stamp = Stamp {
            id,
            source: self.source.clone(),
            session_id: self.session.id().cloned().unwrap_or_default(),
            thread,
            agent_id: self.threads.of(thread).agent_id.clone(),
            is_sidechain: *record.is_sidechain == Some(true),
            timestamp: record.timestamp.text().and_then(Timestamp::parse),
            cwd: cwd.map(|cwd| self.texts.get(cwd)),
            parent: None,
            relayed: false,
            known,
        };
        Writer::new(batch, line, stamp)
    }
}

/// What a line without a uuid goes by. No uuid holds a colon, so none is taken.
fn place(line: &Line<'_>) -> Text {
    match line.span.file {
        0 => Text::from(format!("line:{}", line.span.line_first)),
        file => Text::from(format!("line:{file}.{}", line.span.line_first)),
    }
}

/// Ids made of a uuid and a block's number must not be another line's uuid.
fn is_sound(uuid: &str) -> bool {
    !uuid.is_empty() && uuid.len() <= 200 && !uuid.contains([':', '#', '~'])
}

/// The log's own name for a line's type.
fn name<'r>(record: &'r Record<'_>, kind: &'r str) -> Vec<&'r str> {
    let subtype = match kind {
        "system" => record.subtype.text(),
        "progress" => record.data.0.as_ref().and_then(|data| data.kind.text()),
        "attachment" => record.attachment.0.as_ref().and_then(|attachment| attachment.kind.text()),
        _ => None,
    };
    std::iter::once(kind).chain(subtype).collect()
}

fn unknown_name<'r>(record: &'r Record<'_>, kind: &'r str) -> Vec<&'r str> {
    if kind.is_empty() { vec!["untyped"] } else { name(record, kind) }
}
