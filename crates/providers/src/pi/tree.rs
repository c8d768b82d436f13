//! Pi's session is a tree: every entry names the one before it, and the path from the current leaf
//! to the root is what is active. The file itself attests what was left and what was compacted.

use std::collections::{HashMap, HashSet};
use std::iter::successors;
use std::ops::Range;

use palimpsest_record::{Text, Timestamp, TranscriptRecord};

use super::shapes::{Entry, Link};
use crate::{Batch, Line};

/// The entries read so far. A parent stands before its children in the file, so what points
/// forward, at itself or nowhere is treated as dangling, and the tree has no cycle.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// An entry's own id → its node. Of a leaf entry: the node that it moved to.
    known: HashMap<Text, Known>,
    /// Names given to entries.
    names: HashSet<Text>,
    /// Where the session stands: the last entry, or where a leaf entry moved to.
    leaf: Option<usize>,
    /// When it moved there, if it moved.
    pub(super) moved_at: Option<Timestamp>,
}

/// An entry.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    /// What the entry became, in the batch.
    pub(super) records: Range<usize>,
    /// The last message record of the entry, or of the nearest entry above that has one.
    message: Option<usize>,
    pub(super) at: Option<Timestamp>,
    pub(super) file: u32,
    pub(super) line: u32,
    /// Of a compaction: where what it kept begins.
    pub(super) kept: Option<Kept>,
}

/// Where what a compaction kept begins.
#[derive(Debug, Default)]
pub(super) enum Kept {
    /// It does not say, or names an entry that is not there.
    #[default]
    Unsaid,
    /// From this entry on.
    From(usize),
    /// From the entry at this place in the file on, the header being 0 (version 1).
    Place(u64),
}

#[derive(Debug, Default)]
struct Known {
    node: Option<usize>,
    /// Tells the line from any other.
    print: u64,
    /// How often the id was taken: later ones get a suffix.
    times: u32,
}

/// An entry's place in the tree, while its records are made.
#[derive(Debug)]
pub(super) struct Grown {
    /// Its node.
    pub(super) node: usize,
    /// Its id, made unique.
    pub(super) id: Text,
    /// The message record before it: its parent, bridged over entries that are no messages.
    pub(super) parent_message: Option<usize>,
}

impl Tree {
    /// Adds an entry at the place that it names and moves the leaf there. `None` where the same
    /// entry was read before: a copy of the session lies beside it.
    pub(super) fn grow(
        &mut self,
        entry: &Entry<'_>,
        at: Option<Timestamp>,
        line: &Line<'_>,
        batch: &Batch,
    ) -> Option<Grown> {
        let own_id = entry.id.text().filter(|id| !id.is_empty());
        let print = fingerprint(line.text);
        if own_id.and_then(|id| self.known.get(id)).is_some_and(|seen| seen.print == print) {
            return None;
        }
        let parent = match (&entry.parent_id, own_id) {
            (Link::To(id), _) => self.known.get(&**id).map_or(self.leaf, |known| known.node),
            (Link::Nothing, Some(_)) => None,
            // Version 1 is one line after the other; so is an entry that lost its fields.
            (Link::Nothing | Link::Unsaid, _) => self.leaf,
        };
        let node = self.nodes.len();
        let id = self.name(own_id, node, print, line);
        let parent_message =
            parent.and_then(|parent| self.nodes.get(parent)).and_then(|parent| parent.message);
        let first = batch.records.len();
        self.nodes.push(Node {
            parent,
            records: first..first,
            message: parent_message,
            at,
            file: line.span.file,
            line: line.span.line_first,
            kept: None,
        });
        self.leaf = Some(node);
        self.moved_at = None;
        Some(Grown { node, id, parent_message })
    }

    /// A name that no other record has: `id`, then `id~2` and so on. One that looks like the second
    /// message of an entry (`id#1`) gets a mark.
    fn name(&mut self, own_id: Option<&str>, node: usize, print: u64, line: &Line<'_>) -> Text {
        let place = || match line.span.file {
            0 => format!("L{}", line.span.line_first),
            file => format!("F{file}L{}", line.span.line_first),
        };
        let id = own_id.map_or_else(place, str::to_owned);
        let numbered =
            id.rsplit_once('#').is_some_and(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
        let base = if numbered { format!("{id}~") } else { id.clone() };
        let known = self.known.entry(Text::from(id)).or_default();
        // Entries that follow mean the latest of that id.
        *known = Known { node: Some(node), print, times: known.times };
        loop {
            known.times = known.times.saturating_add(1);
            let name = match known.times {
                1 => Text::from(base.as_str()),
                times => Text::from(format!("{base}~{times}")),
            };
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// The entry's records are all in the batch.
    pub(super) fn close(&mut self, node: usize, batch: &Batch) {
        let Some(node) = self.nodes.get_mut(node) else { return };
        node.records.end = batch.records.len();
        let is_message = |at: &usize| matches!(batch.records.get(*at), Some(TranscriptRecord::Message(_)));
        node.message = node.records.clone().rev().find(is_message).or(node.message);
    }

    /// The entry is a compaction.
    pub(super) fn compacted(&mut self, node: usize, entry: &Entry<'_>) {
        let kept = match (entry.first_kept_entry_id.text(), *entry.first_kept_entry_index) {
            (Some(id), _) => self.known.get(id).and_then(|known| known.node).map(Kept::From),
            (None, Some(index)) => Some(Kept::Place(index)),
            (None, None) => None,
        };
        if let Some(node) = self.nodes.get_mut(node) {
            node.kept = Some(kept.unwrap_or_default());
        }
    }

    /// A leaf entry: no place in the tree, but a move to one. One that says nothing, or names
    /// nothing that is there, moves nothing.
    pub(super) fn move_leaf(&mut self, entry: &Entry<'_>, at: Option<Timestamp>) {
        let target = match &entry.target_id {
            Link::Unsaid => return,
            Link::Nothing => None,
            Link::To(id) => match self.known.get(&**id) {
                Some(known) => known.node,
                None => return,
            },
        };
        self.leaf = target;
        self.moved_at = at;
        // What is written next may hang on the leaf entry itself.
        if let Some(id) = entry.id.text().filter(|id| !id.is_empty() && !self.known.contains_key(*id)) {
            self.known.insert(Text::from(id), Known { node: target, print: 0, times: 1 });
        }
    }

    /// Nodes from the root to the leaf: what is active, but for what a compaction superseded.
    pub(super) fn path(&self) -> Vec<usize> {
        let mut path: Vec<usize> = successors(self.leaf, |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.nodes.get(node)?.parent
    }

    /// Whether `ancestor` lies above `node`, looking up no farther than `limit` entries.
    pub(super) fn is_above(&self, ancestor: usize, node: usize, limit: usize) -> bool {
        successors(Some(node), |&node| self.parent(node))
            .take(limit)
            .take_while(|&node| node >= ancestor)
            .any(|node| node == ancestor)
    }
}

/// A hash of a line: quick, because every line is hashed for the sake of the few that come twice.
fn fingerprint(text: &str) -> u64 {
    const ODD: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(ODD);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(text.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, &byte| mix(hash, byte.into()))
}

/// The id of a message record, as a parent of others.
pub(super) fn parent_id(batch: &Batch, record: Option<usize>) -> Option<Text> {
    match batch.records.get(record?) {
        Some(TranscriptRecord::Message(message)) => Some(message.id.clone()),
        _ => None,
    }
}
