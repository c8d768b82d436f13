//! Conversations: the main thread, and one for each subagent.
//!
//! A subagent's lines are found in a file of its own, between the main lines as a sidechain (1.0.x),
//! or relayed in its parent's progress lines. Where it has lines of its own, relayed ones say the
//! same again and are dropped at the end.

use std::collections::HashMap;

use palimpsest_record::Text;

use super::record::Record;
use super::shapes::Parent;
use super::tree::{NodeId, Tree};
use crate::EntryId;

/// Which conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ThreadId(u32);

impl ThreadId {
    /// The session's own conversation.
    pub(super) const MAIN: ThreadId = ThreadId(0);
}

/// One conversation.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Whose it is; absent for the main thread.
    pub(super) agent_id: Option<Text>,
    /// It has lines of its own, not only relayed ones.
    pub(super) own_lines: bool,
    /// Indices of records that relayed lines gave, and those lines.
    pub(super) relayed: Vec<usize>,
    pub(super) relayed_lines: Vec<EntryId>,
    /// Prompts so far, and the hash of the first.
    pub(super) prompts: u32,
    pub(super) first_prompt: Option<u64>,
    /// The first prompt is `Warmup`: the product keeps its caches warm.
    pub(super) warms_up: bool,
    /// The tool call that started it.
    pub(super) started_by: Option<Text>,
    pub(super) agent_type: Option<Text>,
    pub(super) description: Option<Text>,
    pub(super) duration_ms: Option<u64>,
    pub(super) total_tokens: Option<u64>,
    /// It has messages.
    pub(super) speaks: bool,
    /// Its last line in the tree.
    pub(super) last_node: Option<NodeId>,
    /// Nothing was said since its last compaction.
    pub(super) compacted: bool,
    /// Record of its last compaction, as long as no text was found for it.
    pub(super) untold_compaction: Option<usize>,
    /// Record of its last answer.
    pub(super) last_answer: Option<usize>,
    /// Its last message, of a conversation that is only relayed and so has no tree.
    pub(super) last_message: Option<Text>,
    /// Record and line of the last failed request, as long as nothing was said since.
    pub(super) unanswered_error: Option<(usize, EntryId)>,
}

impl Thread {
    /// The product kept its caches warm, and that is all there is.
    pub(super) fn is_warm_up(&self) -> bool {
        self.warms_up && self.prompts == 1
    }
}

/// All conversations of a session.
#[derive(Debug, Default)]
pub(super) struct Threads {
    main: Thread,
    agents: Vec<Thread>,
    by_agent: HashMap<Text, ThreadId>,
    last_sidechain: Option<ThreadId>,
}

impl Threads {
    /// The subagent's conversation, begun where it is new.
    pub(super) fn of_agent(&mut self, agent_id: &str) -> ThreadId {
        if let Some(&known) = self.by_agent.get(agent_id) {
            return known;
        }
        let id = ThreadId(u32::try_from(self.agents.len() + 1).unwrap_or(u32::MAX));
        let agent_id = Text::from(agent_id);
        self.by_agent.insert(agent_id.clone(), id);
        self.agents.push(Thread { agent_id: Some(agent_id), ..Thread::default() });
        id
    }

    /// The conversation that a line belongs to. A sidechain without an agent's id is one agent from
    /// its root on, which is a user line; it goes by that line's id, `own_id`.
    pub(super) fn of_line(&mut self, record: &Record<'_>, own_id: &str, tree: &Tree) -> ThreadId {
        match record.agent_id.text().filter(|id| !id.is_empty()) {
            Some(agent) => self.of_agent(agent),
            None if record.is_sidechain => self.of_sidechain(record, own_id, tree),
            None => ThreadId::MAIN,
        }
    }

    fn of_sidechain(&mut self, record: &Record<'_>, own_id: &str, tree: &Tree) -> ThreadId {
        let parent = match &record.parent_uuid {
            Parent::Uuid(uuid) => tree.find(uuid).map(|node| tree.thread(node)),
            Parent::None | Parent::Unsaid => Some(ThreadId::MAIN),
        };
        let begins = parent == Some(ThreadId::MAIN) && record.kind.text() == Some("user");
        let thread = match parent.filter(|parent| *parent != ThreadId::MAIN) {
            Some(parent) => parent,
            None if begins => self.of_agent(own_id),
            None => self.last_sidechain.unwrap_or_else(|| self.of_agent(own_id)),
        };
        self.last_sidechain = Some(thread);
        thread
    }

    /// The conversation.
    pub(super) fn of(&mut self, id: ThreadId) -> &mut Thread {
        match (id.0 as usize).checked_sub(1).and_then(|at| self.agents.get_mut(at)) {
            Some(agent) => agent,
            None => &mut self.main,
        }
    }

    /// All conversations, the main one first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Thread> {
        std::iter::once(&self.main).chain(&self.agents)
    }

    /// All subagents' conversations, in the order in which the log first names them.
    pub(super) fn agents(&mut self) -> impl Iterator<Item = (ThreadId, &mut Thread)> {
        (1..).map(ThreadId).zip(&mut self.agents)
    }
}
