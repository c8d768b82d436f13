//! Lines by their types: bookkeeping, and what is part of the conversation.

use palimpsest_record::{Text, Timestamp};

use super::ClaudeReader;
use super::assistant::Heard;
use super::record::{Inside, Record};
use super::said::Said;
use super::shapes::Content;
use super::system::System;
use super::threads::ThreadId;
use super::tree::{Kind, Node, NodeId};
use super::words::Shortened;
use super::writer::{Stamp, Writer};
use crate::{Batch, FileRole, Line, Outcome};

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

/// The part of a line that its type is read for.
pub(super) struct Part<'p> {
    pub(super) inside: Inside<'p>,
    pub(super) shortened: Option<&'p Shortened>,
}

impl ClaudeReader {
    /// Reads a line.
    pub(super) fn record(
        &mut self,
        record: &Record<'_>,
        part: &Part<'_>,
        line: &Line<'_>,
        batch: &mut Batch,
    ) -> Outcome {
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
            _ => self.conversation(record, part, line, batch),
        }
    }

    /// A line that is part of the conversation, or of a type that is not known and may be one.
    fn conversation(
        &mut self,
        record: &Record<'_>,
        part: &Part<'_>,
        line: &Line<'_>,
        batch: &mut Batch,
    ) -> Outcome {
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

        out.shortened = part.shortened;
        let heard = self.hear_line(record, part, kind, &mut out);
        let Some(heard) = heard else {
            if let Some(uuid) = uuid.filter(|_| copy_of.is_none()) {
                let records = out.records();
                self.grow(&uuid, Node { parent, kind: Kind::Through, thread, response: None, records, tail });
            }
            return out.batch.ledger.unknown(&name(record, kind));
        };
        let is_spoken = matches!(kind, "user" | "assistant");
        let state = self.threads.of(thread);
        if is_spoken && (out.tail.is_some() || out.merged) {
            state.unanswered_error = None;
            state.own_lines = true;
        }
        state.speaks |= out.tail.is_some() && !out.stamp.relayed;
        let records = out.records();
        if let Some(uuid) = uuid.filter(|_| copy_of.is_none() || !records.is_empty()) {
            let tail = if out.stamp.relayed { tail } else { out.tail.or(tail) };
            self.grow(
                &uuid,
                Node { parent, kind: heard.kind, thread, response: heard.response, records, tail },
            );
        }
        out.outcome(|| name(record, kind))
    }

    fn grow(&mut self, uuid: &Text, node: Node) {
        let thread = node.thread;
        let node = self.tree.add(uuid, node);
        self.threads.of(thread).last_node = Some(node);
    }

    /// Reads the line by its type; `None` where the type, or its shape, is not known.
    fn hear_line(
        &mut self,
        record: &Record<'_>,
        part: &Part<'_>,
        kind: &str,
        out: &mut Writer<'_>,
    ) -> Option<Heard> {
        let through = Heard { kind: Kind::Through, response: None };
        match (kind, &part.inside) {
            ("user" | "assistant", Inside::Message(body)) if !matches!(body.content, Content::None) => {
                self.threads.of(out.stamp.thread).compacted = false;
                let said = Said::line(record, body);
                Some(if kind == "user" { self.user(&said, out) } else { self.assistant(&said, out) })
            }
            ("system", _) => match self.system(record, out) {
                System::Known(heard) => Some(heard),
                System::Unknown => None,
            },
            ("progress", Inside::Progress(progress)) => {
                let agent = progress.agent_id.text().filter(|id| !id.is_empty());
                if let (Some(agent), Some(line)) = (agent, &progress.message.0) {
                    self.relayed(agent, record.parent_tool_use_id.text(), line, out);
                }
                Some(through)
            }
            ("progress", _) => {
                record.inner_kind.text().filter(|kind| TRANSPORT.contains(kind)).map(|_| through)
            }
            ("attachment", Inside::Attachment(attachment)) => {
                self.user(&Said::queued(attachment), out);
                Some(through)
            }
            ("attachment", _) => record.inner_kind.text().map(|_| through),
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
            is_sidechain: record.is_sidechain,
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
fn name<'n>(record: &'n Record<'_>, kind: &'n str) -> Vec<&'n str> {
    let subtype = match kind {
        "" => return vec!["untyped"],
        "system" => record.subtype.text(),
        "progress" | "attachment" => record.inner_kind.text(),
        _ => None,
    };
    std::iter::once(kind).chain(subtype).collect()
}
