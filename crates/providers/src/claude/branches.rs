//! Where a conversation forks, and which branches were left.
//!
//! Most lines with several children are no forks: parallel tools, progress, attachments. A person
//! went back where two subtrees of one message, or two roots, each hold a prompt. Only the log can
//! say which branch is current: by naming its leaf, in newer versions. Where it does not, every
//! branch stays, and the fork is marked.
//!
//! A parent is before its children, so each question is one pass over the lines, forwards or back.

use std::collections::HashSet;

use palimpsest_record::{Message, Superseded, SupersededBy, Text, TranscriptRecord, Visibility};

use super::threads::ThreadId;
use super::tree::{Kind, Node, NodeId, Tree};
use crate::Batch;

/// The main conversation's lines, looked at as a tree of what was said.
pub(super) struct Branches<'t> {
    nodes: &'t [Node],
    main: ThreadId,
    /// By line: the spoken line above it, through progress and the like; `ROOT` for none.
    above: Vec<usize>,
    /// By line: a compaction lies between it and that line.
    crosses: Vec<bool>,
    /// By spoken line, and last for the root: the first branch below it.
    first: Vec<Option<usize>>,
    /// By branch: the next one of the same fork.
    next: Vec<Option<usize>>,
}

impl<'t> Branches<'t> {
    pub(super) fn of(tree: &'t Tree, main: ThreadId) -> Branches<'t> {
        let nodes = tree.nodes();
        let mut branches = Branches {
            nodes,
            main,
            above: Vec::with_capacity(nodes.len()),
            crosses: Vec::with_capacity(nodes.len()),
            first: vec![None; nodes.len() + 1],
            next: vec![None; nodes.len()],
        };
        branches.look_through();
        branches.link();
        branches
    }

    /// The place of the root in lists by line.
    fn root(&self) -> usize {
        self.nodes.len()
    }

    fn is_spoken(&self, node: &Node) -> bool {
        node.thread == self.main && !matches!(node.kind, Kind::Through | Kind::Boundary)
    }

    fn look_through(&mut self) {
        for node in self.nodes {
            let parent = node.parent.and_then(|at| Some((at as usize, self.nodes.get(at as usize)?)));
            let (above, crosses) = match parent {
                Some((at, parent)) if self.is_spoken(parent) => (at, false),
                Some((at, parent)) => (
                    get(&self.above, at).unwrap_or(self.root()),
                    parent.kind == Kind::Boundary || get(&self.crosses, at) == Some(true),
                ),
                None => (self.root(), false),
            };
            self.above.push(above);
            self.crosses.push(crosses);
        }
    }

    /// Links the branches below each line: the spoken lines next to it whose subtrees hold a prompt.
    /// A compaction goes on with what is before it, so what follows one is a branch of that only
    /// where all others began later.
    fn link(&mut self) {
        let mut holds_prompt = vec![false; self.nodes.len() + 1];
        let mut is_chained = true;
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let holds = node.kind == Kind::Prompt || get(&holds_prompt, at) == Some(true);
            if !self.is_spoken(node) {
                continue;
            }
            let above = get(&self.above, at).unwrap_or(self.root());
            is_chained &= above != self.root() || node.kind != Kind::Answer || at == 0;
            if !holds {
                continue;
            }
            set(&mut holds_prompt, above, true);
            let later = get(&self.first, above).flatten();
            let crosses = later.is_some_and(|later| get(&self.crosses, later) == Some(true));
            let next = if crosses { later.and_then(|later| get(&self.next, later).flatten()) } else { later };
            set(&mut self.next, at, next);
            set(&mut self.first, above, Some(at));
        }
        if !is_chained {
            // Answers without a parent: this log was not written as a chain, and roots mean nothing.
            let root = self.root();
            set(&mut self.first, root, None);
        }
    }

    /// The branches below a line, where it is a fork; none elsewhere.
    fn fork(&self, at: usize) -> impl Iterator<Item = usize> {
        let first = get(&self.first, at).flatten();
        let is_fork = first.and_then(|first| get(&self.next, first).flatten()).is_some();
        std::iter::successors(first.filter(|_| is_fork), |&branch| get(&self.next, branch).flatten())
    }

    /// By line: record of the first message shown in its subtree.
    fn first_said(&self, batch: &Batch) -> Vec<Option<usize>> {
        let mut said: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let own = node.records.clone().find(|&record| shown(batch, record).is_some());
            let first = own.or(get(&said, at).flatten());
            set(&mut said, at, first);
            let parent = node.parent.map(|parent| parent as usize);
            if let Some(above) = parent.and_then(|parent| said.get_mut(parent)) {
                *above = above.iter().chain(&first).min().copied();
            }
        }
        said
    }

    /// Marks every fork: nothing says which branch is current.
    pub(super) fn mark(&self, batch: &mut Batch) {
        let forks = (0..=self.root()).filter(|&at| self.fork(at).next().is_some());
        let forks: Vec<usize> = forks.collect();
        if forks.is_empty() {
            return;
        }
        let said = self.first_said(batch);
        for at in forks {
            let heads: Vec<usize> = self.fork(at).filter_map(|branch| get(&said, branch).flatten()).collect();
            let ids: Vec<Text> =
                heads.iter().filter_map(|&head| Some(shown(batch, head)?.id.clone())).collect();
            // A fork at the root has no message before it: it is marked where the first branch begins.
            let above = self.nodes.get(at).and_then(|node| node.tail);
            if let Some(message) = above.or(heads.first().copied()).and_then(|at| batch.message_mut(at)) {
                message.branches.extend(ids);
            }
        }
    }

    /// Makes every branch inactive that the log left: `leaf` is on the current one, which goes on to
    /// the newest line below it.
    pub(super) fn leave(&self, leaf: NodeId, batch: &mut Batch) {
        let mut on_path = vec![false; self.nodes.len()];
        let mut left: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut causes: Vec<Superseded> = Vec::new();
        let mut at = Some(self.newest_below(leaf as usize));
        let mut current = Superseded { how: SupersededBy::LeftBranch, at: None, by: None };
        loop {
            let place = at.unwrap_or(self.root());
            for branch in self.fork(place).filter(|&branch| get(&on_path, branch) != Some(true)) {
                set(&mut left, branch, Some(causes.len()));
            }
            causes.push(current.clone());
            let Some(node) = at.and_then(|at| self.nodes.get(at)) else { break };
            set(&mut on_path, place, true);
            if let Some(message) = node.records.clone().find_map(|record| shown(batch, record)) {
                current.at = message.timestamp;
                current.by = Some(message.id.clone());
            }
            at = node.parent.map(|parent| parent as usize);
        }
        self.spread(&mut left);
        for (node, cause) in self.nodes.iter().zip(&left) {
            if let Some(cause) = cause.and_then(|cause| causes.get(cause)) {
                supersede(node, cause, batch);
            }
        }
    }

    fn newest_below(&self, leaf: usize) -> usize {
        let mut below = vec![false; self.nodes.len()];
        set(&mut below, leaf, true);
        let mut newest = leaf;
        for (at, node) in self.nodes.iter().enumerate().skip(leaf + 1) {
            if node.parent.is_some_and(|parent| get(&below, parent as usize) == Some(true)) {
                set(&mut below, at, true);
                newest = at;
            }
        }
        newest
    }

    /// All below a branch that was left was left with it, but for lines of a response of which
    /// another line stays: parallel calls are written as a chain that the conversation leaves early.
    fn spread(&self, left: &mut [Option<usize>]) {
        let mut stays: HashSet<u32> = HashSet::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| get(left, parent as usize).flatten());
            if let Some(left) = left.get_mut(at) {
                *left = left.or(above);
                if left.is_none() && node.thread == self.main {
                    stays.extend(node.response);
                }
            }
        }
        for (left, node) in left.iter_mut().zip(self.nodes) {
            *left = left.filter(|_| node.response.is_none_or(|response| !stays.contains(&response)));
        }
    }
}

/// Makes a line's records inactive.
pub(super) fn supersede(node: &Node, cause: &Superseded, batch: &mut Batch) {
    for record in batch.records.get_mut(node.records.clone()).unwrap_or_default() {
        match record {
            TranscriptRecord::Message(message) if message.visibility != Visibility::Hidden => {
                message.visibility = Visibility::Inactive;
                message.superseded = Some(cause.clone());
            }
            TranscriptRecord::Summary(summary) => summary.visibility = Visibility::Inactive,
            _ => {}
        }
    }
}

/// The message of that index, where it is shown.
fn shown(batch: &Batch, record: usize) -> Option<&Message> {
    match batch.records.get(record) {
        Some(TranscriptRecord::Message(message)) if message.visibility != Visibility::Hidden => Some(message),
        _ => None,
    }
}

fn get<T: Copy>(list: &[T], at: usize) -> Option<T> {
    list.get(at).copied()
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value;
    }
}
