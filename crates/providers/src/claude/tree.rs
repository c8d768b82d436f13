//! The tree that `parentUuid` makes of a log's lines.
//!
//! A line's parent is always before it here: one that is named later, or never, or is the line
//! itself gives way to the line before. So there are no cycles, and whatever is asked of the tree
//! is answered in one pass over it.

use std::collections::HashMap;
use std::ops::Range;

use palimpsest_record::Text;

use super::record::Record;
use super::shapes::Parent;
use super::threads::{Thread, ThreadId};

/// A line in the tree, counted in the order of reading.
pub(super) type NodeId = u32;

/// What a line is to the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A prompt that somebody typed, and not in passing: where two of them follow one message, a
    /// person went back.
    Prompt,
    /// What the agent says and what its tools answer.
    Answer,
    /// Any other part of the conversation.
    Spoken,
    /// Progress, attachments, notices: the conversation goes on through them.
    Through,
    /// A compaction.
    Boundary,
}

/// One line.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    pub(super) kind: Kind,
    pub(super) thread: ThreadId,
    /// The API response that the line is a part of.
    pub(super) response: Option<u32>,
    /// Indices of its records.
    pub(super) records: Range<usize>,
    /// Record of the last message shown at this line or above it.
    pub(super) tail: Option<usize>,
}

/// All lines that have a uuid.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_uuid: HashMap<Text, NodeId>,
}

impl Tree {
    /// The line of that uuid: the first, where there are several.
    pub(super) fn find(&self, uuid: &str) -> Option<NodeId> {
        self.by_uuid.get(uuid).copied()
    }

    /// The conversation that a line is part of.
    pub(super) fn thread(&self, node: NodeId) -> ThreadId {
        self.get(node).map_or(ThreadId::MAIN, |node| node.thread)
    }

    pub(super) fn get(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node as usize)
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Adds a line; a uuid that is taken leads to the line that has it.
    pub(super) fn add(&mut self, uuid: &Text, node: Node) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.by_uuid.entry(uuid.clone()).or_insert(id);
        self.nodes.push(node);
        id
    }

    /// The line that a line follows; none for a root.
    pub(super) fn parent(
        &self,
        record: &Record<'_>,
        is_boundary: bool,
        thread: ThreadId,
        state: &Thread,
    ) -> Option<NodeId> {
        let named = |uuid: &str| self.find(uuid).filter(|&node| self.thread(node) == thread);
        if is_boundary {
            // Its parent is null; the logical one is in no line as often as not.
            return record.logical_parent_uuid.text().and_then(named).or(state.last_node);
        }
        match &record.parent_uuid {
            Parent::Uuid(uuid) => named(uuid).or(state.last_node),
            Parent::Unsaid => state.last_node,
            // What follows a compaction goes on from it, also where the log cuts the chain there.
            Parent::None => state.last_node.filter(|_| state.compacted),
        }
    }
}
