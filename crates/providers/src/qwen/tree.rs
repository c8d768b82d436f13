//! The lines as a tree: which hangs on which, and what a rewind left behind.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use palimpsest_record::{SupersededBy, Text, TranscriptRecord};

use crate::Batch;
use crate::undone::TakenBack;

/// All lines so far. Lines with one id are one node.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_id: HashMap<Text, usize>,
    /// What was said: hashes of a node's number and the part.
    said: HashSet<u64>,
}

#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    records: Vec<Range<usize>>,
    /// Its model call is counted.
    is_counted: bool,
}

impl Tree {
    /// The node of a line. A parent that is nowhere was lost: then it hangs on the line before it, so that one damaged line does not
    /// take all before it out of the session. `has_parent` says that the line names its parent, be it none.
    pub(super) fn node(&mut self, id: Option<&Text>, parent: Option<&str>, has_parent: bool) -> usize {
        if let Some(&known) = id.and_then(|id| self.by_id.get(id)) {
            return known;
        }
        let before = self.nodes.len().checked_sub(1);
        let parent = match parent {
            Some(parent) => self.by_id.get(parent).copied().or(before),
            None if has_parent => None,
            None => before,
        };
        if let Some(id) = id {
            self.by_id.insert(id.clone(), self.nodes.len());
        }
        self.nodes.push(Node { parent, records: Vec::new(), is_counted: false });
        self.nodes.len() - 1
    }

    /// The node has these records, too.
    pub(super) fn wrote(&mut self, node: usize, records: Range<usize>) {
        if let Some(node) = self.nodes.get_mut(node).filter(|_| !records.is_empty()) {
            node.records.push(records);
        }
    }

    /// A node says a part; whether it does so for the first time.
    pub(super) fn says(&mut self, node: usize, part: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        (node, part).hash(&mut hasher);
        self.said.insert(hasher.finish())
    }

    /// Its model call is counted.
    pub(super) fn is_counted(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(|node| node.is_counted)
    }

    /// Its model call is counted from now on.
    pub(super) fn count(&mut self, node: usize) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.is_counted = true;
        }
    }

    /// The last message at or above a node's parent.
    pub(super) fn message_above(&self, node: usize, batch: &Batch) -> Option<Text> {
        let mut above = self.nodes.get(node)?.parent;
        while let Some(node) = above.and_then(|at| self.nodes.get(at)) {
            let records = node.records.iter().rev().flat_map(|records| records.clone().rev());
            let message = records.filter_map(|at| match batch.records.get(at) {
                Some(TranscriptRecord::Message(message)) => Some(message.id.clone()),
                _ => None,
            });
            if let Some(id) = message.into_iter().next() {
                return Some(id);
            }
            above = node.parent;
        }
        None
    }

    /// What is not above this node was left.
    pub(super) fn rewind(&self, node: usize, here: usize, taken_back: &mut TakenBack) {
        let mut stays = vec![false; self.nodes.len()];
        let mut at = Some(node);
        while let Some(node) = at.and_then(|at| Some((at, self.nodes.get(at)?))) {
            // A node hangs on an earlier one, so this ends.
            if let Some(stays) = stays.get_mut(node.0) {
                *stays = true;
            }
            at = node.1.parent.filter(|parent| *parent < node.0);
        }
        for (node, _) in self.nodes.iter().zip(stays).filter(|(_, stays)| !stays) {
            for records in &node.records {
                taken_back.add(records.clone(), SupersededBy::LeftBranch, here);
            }
        }
    }
}
