//! Messages as a tree. The document maps ids to nodes in any order; the tree's own order is that of the conversation.

use palimpsest_record::order::sort_by;
use std::collections::{HashMap, HashSet};

use palimpsest_record::{Span, Text};

use crate::{EntryId, Line, Object};

/// All nodes.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_id: HashMap<Text, usize>,
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    id: Text,
    parent: Option<Text>,
    children: Vec<Text>,
    /// Its JSON; empty where it says nothing.
    pub(super) json: Text,
    pub(super) span: Span,
    pub(super) entry: EntryId,
}

impl Tree {
    /// Adds a node. Whether it is one.
    pub(super) fn add(&mut self, node: &Object<'_>, line: &Line<'_>) -> bool {
        let says = node.object("message").is_some();
        if !says && !node.has("children") {
            return false;
        }
        let children = node.list("children").into_iter().filter_map(crate::object::string);
        let id = node.words("id").map(|id| Text::from(&*id)).unwrap_or_default();
        self.by_id.entry(id.clone()).or_insert(self.nodes.len());
        self.nodes.push(Node {
            id,
            parent: node.words("parent").map(|id| Text::from(&*id)),
            children: children.map(|id| Text::from(&*id)).collect(),
            json: if says { Text::from(line.text) } else { Text::default() },
            span: line.span,
            entry: line.entry,
        });
        true
    }

    pub(super) fn get(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// The nodes from a root to this one.
    pub(super) fn path(&self, id: &Text) -> Option<HashSet<usize>> {
        let mut path = HashSet::new();
        let mut at = self.by_id.get(id).copied();
        at?;
        while let Some(node) = at.filter(|&at| path.insert(at)).and_then(|at| self.nodes.get(at)) {
            at = node.parent.as_ref().and_then(|id| self.by_id.get(id).copied());
        }
        Some(path)
    }

    /// All nodes: each behind its parent, children in their order. What hangs on nothing comes last.
    pub(super) fn order(&self) -> Vec<usize> {
        let is_root = |at: &usize| {
            let parent = self.nodes.get(*at).and_then(|node| node.parent.as_ref());
            parent.is_none_or(|parent| !self.by_id.contains_key(parent))
        };
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = HashSet::new();
        // A node that its parent does not list hangs on it all the same.
        let mut unlisted: HashMap<&Text, Vec<usize>> = HashMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = &node.parent {
                unlisted.entry(parent).or_default().push(at);
            }
        }
        let mut roots: Vec<usize> = (0..self.nodes.len()).filter(is_root).collect();
        // What hangs on a lost message comes behind the rest.
        let hangs = |at: &usize| self.nodes.get(*at).is_some_and(|node| node.parent.is_some());
        sort_by(&mut roots, |a, b| hangs(a).cmp(&hangs(b)));
        for root in roots.into_iter().chain(0..self.nodes.len()) {
            let mut waiting = vec![root];
            while let Some(at) = waiting.pop() {
                if !seen.insert(at) {
                    continue;
                }
                order.push(at);
                let Some(node) = self.nodes.get(at) else { continue };
                let mut children: Vec<usize> =
                    node.children.iter().filter_map(|id| self.by_id.get(id).copied()).collect();
                children.extend(unlisted.get(&node.id).into_iter().flatten());
                waiting.extend(children.into_iter().rev());
            }
        }
        order
    }
}
