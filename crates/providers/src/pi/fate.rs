//! What became of each entry: active, left behind with its branch, or compacted away.

use palimpsest_record::{Superseded, SupersededBy, Text, Timestamp, TranscriptRecord, Visibility};

use super::tree::{Kept, Tree};
use crate::Batch;

/// What became of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fate {
    /// It is on the path from the leaf to the root, and in the model's context or a summary's.
    Active,
    /// The session went on without it.
    Superseded(Superseded),
}

impl Fate {
    /// It lies on another branch than the one that is active.
    pub(super) fn is_left(&self) -> bool {
        matches!(self, Fate::Superseded(Superseded { how: SupersededBy::LeftBranch, .. }))
    }

    /// Makes a record of the entry inactive if it was superseded. What is hidden stays hidden.
    pub(super) fn settle(&self, record: &mut TranscriptRecord) {
        let Fate::Superseded(superseded) = self else { return };
        match record {
            TranscriptRecord::Message(message) if message.visibility == Visibility::Visible => {
                message.visibility = Visibility::Inactive;
                message.superseded = Some(superseded.clone());
            }
            TranscriptRecord::Summary(summary) if summary.visibility == Visibility::Visible => {
                summary.visibility = Visibility::Inactive;
            }
            _ => {}
        }
    }
}

/// The fate of every entry, by node.
pub(super) fn fates(tree: &Tree, batch: &Batch) -> Vec<Fate> {
    let path = tree.path();
    let mut fates = left_behind(tree, &path, batch);
    if let Some((gone, superseded)) = compacted(tree, &path, batch) {
        for &node in gone {
            if let Some(fate) = fates.get_mut(node) {
                *fate = Fate::Superseded(superseded.clone());
            }
        }
    }
    fates
}

/// Entries off the path are left. In their place stands the first message behind the fork.
fn left_behind(tree: &Tree, path: &[usize], batch: &Batch) -> Vec<Fate> {
    let instead = instead(tree, path, batch);
    let mut fates = Vec::with_capacity(tree.nodes.len());
    // How much of the path lies above each entry. Parents come first, so one pass is enough.
    let mut shared: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    let mut on_path = path.iter().copied().enumerate().peekable();
    for (index, node) in tree.nodes.iter().enumerate() {
        if let Some((place, _)) = on_path.next_if(|&(_, node)| node == index) {
            shared.push(place + 1);
            fates.push(Fate::Active);
            continue;
        }
        let above = node.parent.and_then(|parent| shared.get(parent)).copied().unwrap_or(0);
        shared.push(above);
        let (at, by) = instead.get(above).cloned().unwrap_or((tree.moved_at, None));
        fates.push(Fate::Superseded(Superseded { how: SupersededBy::LeftBranch, at, by }));
    }
    fates
}

/// For each place on the path: when it was taken, and the first message there or behind it (or
/// summary, where there is no message).
fn instead(tree: &Tree, path: &[usize], batch: &Batch) -> Vec<(Option<Timestamp>, Option<Text>)> {
    let mut message: Option<Text> = None;
    let mut summary: Option<Text> = None;
    let mut instead = Vec::with_capacity(path.len());
    for node in path.iter().rev().filter_map(|&node| tree.nodes.get(node)) {
        for record in batch.records.get(node.records.clone()).unwrap_or_default().iter().rev() {
            match record {
                TranscriptRecord::Message(shown) if shown.visibility == Visibility::Visible => {
                    message = Some(shown.id.clone());
                }
                TranscriptRecord::Summary(shown) => summary = Some(shown.id.clone()),
                _ => {}
            }
        }
        instead.push((node.at, message.clone().or_else(|| summary.clone())));
    }
    instead.reverse();
    instead
}

/// The part of the path before what the last compaction on it kept, and why it is superseded.
fn compacted<'a>(tree: &Tree, path: &'a [usize], batch: &Batch) -> Option<(&'a [usize], Superseded)> {
    let is_compaction = |&node: &usize| tree.nodes.get(node).is_some_and(|node| node.kept.is_some());
    let place = path.iter().rposition(is_compaction)?;
    let node = tree.nodes.get(*path.get(place)?)?;
    let before = path.get(..place)?;
    let first_kept = match node.kept.as_ref()? {
        Kept::From(kept) => before.iter().position(|node| node == kept)?,
        Kept::Place(index) => at_place(tree, node.file, *index, before, batch)?,
        Kept::Unsaid => return None,
    };
    let by = match batch.records.get(node.records.start) {
        Some(TranscriptRecord::Summary(summary)) => Some(summary.id.clone()),
        _ => None,
    };
    Some((before.get(..first_kept)?, Superseded { how: SupersededBy::Compacted, at: node.at, by }))
}

/// The first entry on the path at or behind a place in the file. Places count the lines that are
/// not blank, damaged ones too: they were entries when the place was counted.
fn at_place(tree: &Tree, file: u32, index: u64, path: &[usize], batch: &Batch) -> Option<usize> {
    let mut lines = batch.ledger.entries().iter().filter(|entry| entry.file == file);
    let line = lines.nth(usize::try_from(index).ok()?)?.line;
    path.iter()
        .position(|&node| tree.nodes.get(node).is_some_and(|node| node.file == file && node.line >= line))
}
