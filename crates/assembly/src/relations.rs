//! Who belongs to whom, by id alone: built once for an assembly, in one pass over each bucket.

use palimpsest_record::order::sort_by;
use std::collections::HashMap;

use palimpsest_record::{Message, Visibility};

use crate::set::{RecordSet, Slot};

/// The relations of a record set.
pub(crate) struct Relations {
    /// All messages in their order, hidden ones too.
    pub(crate) order: Vec<Slot>,
    /// Calls by the message that owns them.
    calls: Lists,
    /// Results by the message that carried them.
    carried: Lists,
    /// By call: its owner and its result.
    of_call: Vec<CallLinks>,
    /// By result: its call.
    call_of_result: Vec<Option<Slot>>,
    /// Subagents by the call that started them.
    agents: HashMap<Slot, Slot>,
    /// Workflows by the call that started them.
    workflows: HashMap<Slot, Slot>,
}

#[derive(Clone, Copy, Default)]
struct CallLinks {
    owner: Option<Slot>,
    result: Option<Slot>,
}

impl Relations {
    pub(crate) fn of(set: &RecordSet) -> Relations {
        let mut order: Vec<Slot> = set.messages.slots().map(|(slot, _)| slot).collect();
        let place = |slot: &Slot| set.messages.at(*slot).map(|message| (message.seq, &message.id));
        sort_by(&mut order, |a, b| place(a).cmp(&place(b)));

        let mut of_call = vec![CallLinks::default(); set.tool_calls.len()];
        let mut owned = Vec::with_capacity(set.tool_calls.len());
        for ((slot, call), links) in set.tool_calls.slots().zip(&mut of_call) {
            links.owner = set.messages.find(&call.message_id);
            owned.extend(links.owner.map(|owner| (owner, slot)));
        }
        let place = |&(owner, slot): &(Slot, Slot)| {
            (owner, set.tool_calls.at(slot).map(|call| (call.span, call.index, &call.id)))
        };
        sort_by(&mut owned, |a, b| place(a).cmp(&place(b)));

        let mut call_of_result = vec![None; set.tool_results.len()];
        let mut carried = Vec::new();
        for ((slot, result), call) in set.tool_results.slots().zip(&mut call_of_result) {
            *call = set.tool_calls.find(&result.tool_call_id);
            if let Some(links) = call.and_then(|call| of_call.get_mut(call as usize)) {
                links.result = Some(slot);
            }
            let carrier = result.message_id.as_ref().and_then(|id| set.messages.find(id));
            carried.extend(carrier.map(|carrier| (carrier, slot)));
        }
        sort_by(&mut carried, Ord::cmp);

        let mut agents = HashMap::new();
        let mut by_id: Vec<_> = set.subagents.slots().collect();
        sort_by(&mut by_id, |a, b| a.1.agent_id.cmp(&b.1.agent_id));
        for (slot, agent) in by_id {
            let call = agent.parent_tool_call_id.as_ref().and_then(|id| set.tool_calls.find(id));
            if let Some(call) = call {
                agents.entry(call).or_insert(slot);
            }
        }
        let mut workflows = HashMap::new();
        let mut by_id: Vec<_> = set.workflows.slots().collect();
        sort_by(&mut by_id, |a, b| a.1.run_id.cmp(&b.1.run_id));
        for (slot, workflow) in by_id {
            let call = workflow.parent_tool_call_id.as_ref().and_then(|id| set.tool_calls.find(id));
            if let Some(call) = call {
                workflows.entry(call).or_insert(slot);
            }
        }

        Relations {
            order,
            calls: Lists::new(set.messages.len(), &owned),
            carried: Lists::new(set.messages.len(), &carried),
            of_call,
            call_of_result,
            agents,
            workflows,
        }
    }

    /// The calls of a message, in order.
    pub(crate) fn calls(&self, message: Slot) -> &[Slot] {
        self.calls.of(message)
    }

    /// The results that a message carried.
    pub(crate) fn carried(&self, message: Slot) -> &[Slot] {
        self.carried.of(message)
    }

    /// The message that owns a call.
    pub(crate) fn owner(&self, call: Slot) -> Option<Slot> {
        self.of_call.get(call as usize)?.owner
    }

    pub(crate) fn result(&self, call: Slot) -> Option<Slot> {
        self.of_call.get(call as usize)?.result
    }

    pub(crate) fn call_of(&self, result: Slot) -> Option<Slot> {
        *self.call_of_result.get(result as usize)?
    }

    /// The subagent that a call started: the first by id, where there are several.
    pub(crate) fn agent(&self, call: Slot) -> Option<Slot> {
        self.agents.get(&call).copied()
    }

    pub(crate) fn workflow(&self, call: Slot) -> Option<Slot> {
        self.workflows.get(&call).copied()
    }
}

/// A list for every owner, in two vectors.
struct Lists {
    starts: Vec<usize>,
    slots: Vec<Slot>,
}

impl Lists {
    /// From pairs of owner and slot, sorted by owner.
    fn new(owners: usize, pairs: &[(Slot, Slot)]) -> Lists {
        let mut starts = Vec::with_capacity(owners + 1);
        let mut rest = pairs.iter().peekable();
        let mut taken = 0;
        for owner in 0..owners {
            starts.push(taken);
            while rest.next_if(|pair| pair.0 as usize == owner).is_some() {
                taken += 1;
            }
        }
        starts.push(taken);
        Lists { starts, slots: pairs.iter().map(|pair| pair.1).collect() }
    }

    fn of(&self, owner: Slot) -> &[Slot] {
        let owner = owner as usize;
        match (self.starts.get(owner), self.starts.get(owner + 1)) {
            (Some(&start), Some(&end)) => self.slots.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// A record set as one set of options shows it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) set: &'a RecordSet,
    pub(crate) relations: &'a Relations,
    pub(crate) include_inactive: bool,
}

impl View<'_> {
    pub(crate) fn admits(&self, visibility: Visibility) -> bool {
        match visibility {
            Visibility::Visible => true,
            Visibility::Inactive => self.include_inactive,
            Visibility::Hidden => false,
        }
    }

    /// The call is on the surface, so its result stands with it, whatever message carried that.
    fn shows_call(&self, call: Slot) -> bool {
        let owner = self.relations.owner(call).and_then(|owner| self.set.messages.at(owner));
        owner.is_some_and(|owner| self.admits(owner.visibility))
    }

    pub(crate) fn is_attached(&self, result: Slot) -> bool {
        self.relations.call_of(result).is_some_and(|call| self.shows_call(call))
    }

    /// Results that nothing shows. One that goes off the surface together with its call, or with a
    /// superseded message that would show it, is not among them.
    pub(crate) fn unattached_results(&self) -> u64 {
        let unattached = self.set.tool_results.slots().filter(|&(slot, result)| {
            if self.is_attached(slot) {
                return false;
            }
            let call = self.relations.call_of(slot);
            let has_call = call.is_some_and(|call| self.relations.owner(call).is_some());
            let carrier = result.message_id.as_ref().and_then(|id| self.set.messages.get(id));
            match carrier {
                Some(carrier) if has_call => self.admits(carrier.visibility) && !shows_results(carrier),
                None => !has_call,
                Some(carrier) => carrier.visibility == Visibility::Hidden || !shows_results(carrier),
            }
        });
        unattached.count() as u64
    }
}

/// A message that would stand alone for results without a call: it has nothing else to say, and
/// its text is theirs.
pub(crate) fn shows_results(carrier: &Message) -> bool {
    carrier.content_type == palimpsest_record::ContentType::ToolResult && has_text(carrier)
}

/// White space alone is nothing to read.
pub(crate) fn has_text(message: &Message) -> bool {
    message.text.as_ref().is_some_and(|text| !text.trim().is_empty())
}
