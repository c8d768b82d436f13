//! Whose message is it: the session's messages, parted into conversations.

use palimpsest_record::order::sort_by;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use palimpsest_record::{Text, Visibility};

use crate::detail::{Counts, Item, SessionDetail, SubagentDetail, SummaryItem};
use crate::items::items;
use crate::relations::View;
use crate::set::Slot;
use crate::surroundings::Summaries;

/// The conversations of a session.
#[derive(Default)]
pub(crate) struct Conversations<'a> {
    pub(crate) main: Conversation,
    /// Also agents that only a record, a message or a summary names.
    pub(crate) agents: BTreeMap<&'a Text, Agent>,
}

/// Messages in order, hidden ones left out.
#[derive(Default)]
pub(crate) struct Conversation {
    pub(crate) messages: Vec<Slot>,
    pub(crate) has_inactive: bool,
}

#[derive(Default)]
pub(crate) struct Agent {
    record: Option<Slot>,
    pub(crate) conversation: Conversation,
}

impl<'a> Conversations<'a> {
    pub(crate) fn of(view: View<'a>) -> Conversations<'a> {
        let mut conversations = Conversations::default();
        for &slot in &view.relations.order {
            let Some(message) = view.set.messages.at(slot) else { continue };
            if message.visibility == Visibility::Hidden {
                continue;
            }
            let conversation = match &message.agent_id {
                None => &mut conversations.main,
                Some(agent_id) => &mut conversations.agents.entry(agent_id).or_default().conversation,
            };
            conversation.messages.push(slot);
            conversation.has_inactive |= message.visibility == Visibility::Inactive;
        }
        for (slot, agent) in view.set.subagents.slots() {
            conversations.agents.entry(&agent.agent_id).or_default().record = Some(slot);
        }
        let shown = view.set.summaries.iter().filter(|summary| summary.visibility != Visibility::Hidden);
        for agent_id in shown.filter_map(|summary| summary.agent_id.as_ref()) {
            conversations.agents.entry(agent_id).or_default();
        }
        conversations
    }
}

/// All agents in the order in which they began.
pub(crate) fn subagents(
    view: View<'_>,
    agents: BTreeMap<&Text, Agent>,
    mut summaries: Summaries,
    several_files: bool,
    previous: &SessionDetail,
) -> Vec<SubagentDetail> {
    let known: HashMap<&str, &[Arc<Item>]> =
        previous.subagents.iter().map(|agent| (agent.agent_id.as_str(), agent.messages.as_slice())).collect();
    let mut agents: Vec<(u64, &Text, Agent)> =
        agents.into_iter().map(|(id, agent)| (began(view, &agent), id, agent)).collect();
    // Stable, and they come sorted by id.
    sort_by(&mut agents, |a, b| a.0.cmp(&b.0));
    let details = agents.into_iter().map(|(_, agent_id, agent)| {
        let previous = known.get(agent_id.as_str()).copied().unwrap_or_default();
        let (messages, counts) = items(view, &agent.conversation, several_files, previous);
        let summaries = summaries.remove(&Some(agent_id.clone())).unwrap_or_default();
        detail(view, agent_id.clone(), &agent, messages, summaries, counts)
    });
    details.collect()
}

/// The place of its first message, or of the call that started it.
fn began(view: View<'_>, agent: &Agent) -> u64 {
    let message = agent.conversation.messages.first().copied().or_else(|| {
        let call = view.set.subagents.at(agent.record?)?.parent_tool_call_id.as_ref()?;
        view.relations.owner(view.set.tool_calls.find(call)?)
    });
    message.and_then(|slot| view.set.messages.at(slot)).map_or(u64::MAX, |message| message.seq)
}

fn detail(
    view: View<'_>,
    agent_id: Text,
    agent: &Agent,
    messages: Vec<Arc<Item>>,
    summaries: Vec<Arc<SummaryItem>>,
    counts: Counts,
) -> SubagentDetail {
    let record = agent.record.and_then(|slot| view.set.subagents.at(slot)).cloned().unwrap_or_default();
    SubagentDetail {
        agent_id,
        parent_tool_use_id: record.parent_tool_call_id,
        agent_type: record.agent_type,
        description: record.description,
        duration_ms: record.duration_ms,
        total_tokens: record.total_tokens,
        messages,
        summaries,
        counts,
    }
}
