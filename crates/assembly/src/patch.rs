//! What changed between two session details, by id.
//!
//! Updates never go into assembly as deltas: records join the set, the whole is assembled again,
//! and the difference of the two details is what the page takes over. An item that did not change
//! keeps its identity (the same `Arc`), so that nobody draws it again.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use palimpsest_record::Text;

use crate::detail::{
    Capabilities, Counts, Item, SessionDetail, SessionHead, SubagentDetail, SummaryItem, UsageReport,
    WorkflowDetail,
};
use crate::set::Lineage;

/// What [`apply`] needs to turn one session detail into another.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The new session head.
    pub session: SessionHead,
    /// The new capabilities.
    pub capabilities: Capabilities,
    /// How the new main thread comes from the old.
    pub messages: ListPatch<Item>,
    /// How the new summaries come from the old.
    pub summaries: ListPatch<SummaryItem>,
    /// The new subagents in order: each its new head, and how its lists come from the old ones.
    pub subagents: Vec<SubagentPatch>,
    /// How the new workflows come from the old.
    pub workflows: ListPatch<WorkflowDetail>,
    /// The new sums.
    pub usage: UsageReport,
    /// The new counts.
    pub counts: Counts,
    /// The new count of results without a call.
    pub unattached_results: u64,
    lineage: Lineage,
}

/// How one subagent changed.
#[derive(Debug, Clone, PartialEq)]
pub struct SubagentPatch {
    /// Everything but its lists, which are empty here.
    pub head: SubagentDetail,
    /// How its conversation comes from the old one of the same agent.
    pub messages: ListPatch<Item>,
    /// How its summaries come from the old ones.
    pub summaries: ListPatch<SummaryItem>,
}

/// How a new list comes from an old one: its steps in order make the new list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPatch<T> {
    /// The steps.
    pub steps: Vec<Step<T>>,
}

/// One step of a [`ListPatch`].
#[derive(Debug, Clone, PartialEq)]
pub enum Step<T> {
    /// These rows of the old list, unchanged.
    Keep(Range<usize>),
    /// These new or changed rows.
    Put(Vec<Arc<T>>),
}

/// What turns `old` into `new`. Rows that are the same `Arc` cost a comparison of pointers; only
/// the others are fingerprinted, each once in its life.
pub fn diff(old: &SessionDetail, new: &SessionDetail) -> Patch {
    let agents: HashMap<&str, &SubagentDetail> =
        old.subagents.iter().map(|agent| (agent.agent_id.as_str(), agent)).collect();
    let none = SubagentDetail::default();
    let subagents = new.subagents.iter().map(|agent| {
        let known = agents.get(agent.agent_id.as_str()).copied().unwrap_or(&none);
        SubagentPatch {
            head: agent.head(),
            messages: diff_list(&known.messages, &agent.messages),
            summaries: diff_list(&known.summaries, &agent.summaries),
        }
    });
    Patch {
        session: new.session.clone(),
        capabilities: new.capabilities,
        messages: diff_list(&old.messages, &new.messages),
        summaries: diff_list(&old.summaries, &new.summaries),
        subagents: subagents.collect(),
        workflows: diff_list(&old.workflows, &new.workflows),
        usage: new.usage.clone(),
        counts: new.counts,
        unattached_results: new.unattached_results,
        lineage: new.lineage.clone(),
    }
}

/// `old` with `patch` applied: equal to the `new` that the patch was made for.
pub fn apply(old: &SessionDetail, patch: &Patch) -> SessionDetail {
    let agents: HashMap<&str, &SubagentDetail> =
        old.subagents.iter().map(|agent| (agent.agent_id.as_str(), agent)).collect();
    let none = SubagentDetail::default();
    let subagents = patch.subagents.iter().map(|change| {
        let known = agents.get(change.head.agent_id.as_str()).copied().unwrap_or(&none);
        SubagentDetail {
            messages: apply_list(&known.messages, &change.messages),
            summaries: apply_list(&known.summaries, &change.summaries),
            ..change.head.clone()
        }
    });
    SessionDetail {
        session: patch.session.clone(),
        capabilities: patch.capabilities,
        messages: apply_list(&old.messages, &patch.messages),
        summaries: apply_list(&old.summaries, &patch.summaries),
        subagents: subagents.collect(),
        workflows: apply_list(&old.workflows, &patch.workflows),
        usage: patch.usage.clone(),
        counts: patch.counts,
        unattached_results: patch.unattached_results,
        lineage: patch.lineage.clone(),
    }
}

/// A row of a list: known by its id, unchanged where its content is.
trait Row {
    fn id(&self) -> &Text;
    fn same(&self, other: &Self) -> bool;
}

impl Row for Item {
    fn id(&self) -> &Text {
        &self.id
    }

    fn same(&self, other: &Item) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}

impl Row for SummaryItem {
    fn id(&self) -> &Text {
        &self.id
    }

    fn same(&self, other: &SummaryItem) -> bool {
        self == other
    }
}

impl Row for WorkflowDetail {
    fn id(&self) -> &Text {
        &self.run_id
    }

    fn same(&self, other: &WorkflowDetail) -> bool {
        self == other
    }
}

impl SubagentDetail {
    fn head(&self) -> SubagentDetail {
        SubagentDetail {
            agent_id: self.agent_id.clone(),
            parent_tool_use_id: self.parent_tool_use_id.clone(),
            agent_type: self.agent_type.clone(),
            description: self.description.clone(),
            duration_ms: self.duration_ms,
            total_tokens: self.total_tokens,
            messages: Vec::new(),
            summaries: Vec::new(),
            counts: self.counts,
        }
    }
}

impl<T> ListPatch<T> {
    /// The old list stays as it is, or only grows at its end.
    pub fn only_appends(&self, old_len: usize) -> bool {
        let mut kept = 0;
        for step in &self.steps {
            match step {
                Step::Keep(range) if range.start == kept => kept = range.end,
                Step::Keep(_) => return false,
                Step::Put(_) => break,
            }
        }
        kept == old_len
    }

    fn keep(&mut self, range: Range<usize>) {
        match self.steps.last_mut() {
            _ if range.is_empty() => {}
            Some(Step::Keep(last)) if last.end == range.start => last.end = range.end,
            _ => self.steps.push(Step::Keep(range)),
        }
    }

    fn put(&mut self, row: Arc<T>) {
        match self.steps.last_mut() {
            Some(Step::Put(rows)) => rows.push(row),
            _ => self.steps.push(Step::Put(vec![row])),
        }
    }
}

/// The usual change is at the end, so equal rows are taken from the front first and then from the
/// back; what is left in between is matched by id.
fn diff_list<T: Row>(old: &[Arc<T>], new: &[Arc<T>]) -> ListPatch<T> {
    let unchanged = |(a, b): &(&Arc<T>, &Arc<T>)| Arc::ptr_eq(a, b) || (a.id() == b.id() && a.same(b));
    let front = old.iter().zip(new).take_while(unchanged).count();
    let (old_rest, new_rest) = (old.get(front..).unwrap_or_default(), new.get(front..).unwrap_or_default());
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(unchanged).count();
    let old_middle = old_rest.get(..old_rest.len() - back).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - back).unwrap_or_default();

    let mut patch = ListPatch { steps: Vec::new() };
    patch.keep(0..front);
    let places: HashMap<&str, usize> =
        old_middle.iter().zip(front..).map(|(row, at)| (row.id().as_str(), at)).collect();
    for row in new_middle {
        let known = places.get(row.id().as_str()).and_then(|&at| Some((at, old.get(at)?)));
        match known {
            Some((at, same)) if unchanged(&(same, row)) => patch.keep(at..at + 1),
            _ => patch.put(Arc::clone(row)),
        }
    }
    patch.keep(old.len() - back..old.len());
    patch
}

fn apply_list<T>(old: &[Arc<T>], patch: &ListPatch<T>) -> Vec<Arc<T>> {
    let mut rows = Vec::with_capacity(old.len());
    for step in &patch.steps {
        match step {
            Step::Keep(range) => rows.extend_from_slice(old.get(range.clone()).unwrap_or_default()),
            Step::Put(new) => rows.extend_from_slice(new),
        }
    }
    rows
}

/// What a patch and a later assembly know an item by. No part of its content: two are equal to
/// every comparison, and a clone, which somebody may change, begins anew.
#[derive(Default)]
pub(crate) struct Identity {
    /// Hash over the revisions of all records it was made from; 0 where it was made by hand.
    pub(crate) stamp: u64,
    fingerprint: OnceLock<u64>,
}

impl Identity {
    pub(crate) fn stamped(stamp: u64) -> Identity {
        Identity { stamp, fingerprint: OnceLock::new() }
    }

    /// Its fingerprint has been computed.
    #[cfg(test)]
    pub(crate) fn is_fingerprinted(&self) -> bool {
        self.fingerprint.get().is_some()
    }
}

impl Item {
    /// A hash over everything that the item's JSON shows. Computed when first asked for.
    pub fn fingerprint(&self) -> u64 {
        *self.identity.fingerprint.get_or_init(|| {
            let mut hash = HashWriter(DefaultHasher::new());
            // Writing into a hash cannot fail, and an item's JSON has no key that is no string.
            let _ = serde_json::to_writer(&mut hash, self);
            hash.0.finish()
        })
    }
}

/// Hashes what is written to it.
struct HashWriter(DefaultHasher);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Clone for Identity {
    fn clone(&self) -> Identity {
        Identity::default()
    }
}

impl PartialEq for Identity {
    fn eq(&self, _: &Identity) -> bool {
        true
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:x}", self.stamp)
    }
}
