//! Builds the items that the fold decided on.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use palimpsest_record::{ContentType, Message, MessageType, Span, Text, ToolCall, ToolResult, Visibility};

use crate::conversations::Conversation;
use crate::detail::{AgentLink, BranchPoint, Counts, Item, ItemCall, ItemResult, Place, RunLink};
use crate::fold::{Part, Placed, fold};
use crate::join::{blocks_text, join_messages, message_text};
use crate::patch::Identity;
use crate::relations::View;
use crate::set::Slot;
use crate::usage::ModelCalls;

/// The items of a conversation. Those of `previous` that did not change since are taken over.
pub(crate) fn items(
    view: View<'_>,
    conversation: &Conversation,
    several_files: bool,
    previous: &[Arc<Item>],
) -> (Vec<Arc<Item>>, Counts) {
    let visibility = |slot: &Slot| view.set.messages.at(*slot).map(|message| message.visibility);
    let everything = &conversation.messages;
    let drops = conversation.has_inactive && !view.include_inactive;
    let is_visible = |slot: &&Slot| visibility(slot) == Some(Visibility::Visible);
    let visible: Vec<Slot> =
        if drops { everything.iter().filter(is_visible).copied().collect() } else { Vec::new() };
    let mut previous = Previous { items: previous, next: 0, by_id: None };
    let builder = Builder { view, several_files };
    let items: Vec<Arc<Item>> = fold(view, if drops { &visible } else { everything })
        .chunk_by(|a, b| a.item == b.item)
        .filter_map(|placed| builder.item(placed, &mut previous))
        .collect();
    let mut counts = count(&items);
    if drops {
        counts.inactive = fold(View { include_inactive: true, ..view }, everything)
            .chunk_by(|a, b| a.item == b.item)
            .filter_map(|placed| visibility(&placed.first()?.message))
            .filter(|&visibility| visibility == Visibility::Inactive)
            .count() as u64;
    }
    (items, counts)
}

fn count(items: &[Arc<Item>]) -> Counts {
    let number = |of: fn(&Item) -> bool| items.iter().filter(|item| of(item)).count() as u64;
    Counts {
        inactive: number(|item| item.visibility == Visibility::Inactive),
        prompts: number(Item::is_prompt),
        errors: number(Item::has_error),
    }
}

/// Items of an earlier assembly of the same set, found again by id.
struct Previous<'a> {
    items: &'a [Arc<Item>],
    /// Where the next one stands, as long as nothing came or went before it.
    next: usize,
    by_id: Option<HashMap<&'a str, &'a Arc<Item>>>,
}

impl Previous<'_> {
    /// The item of that id, if it was made from the same revisions of the same records.
    fn unchanged(&mut self, id: &str, stamp: u64) -> Option<Arc<Item>> {
        let known = match self.items.get(self.next) {
            None if self.next == 0 => return None,
            Some(item) if item.id == *id => {
                self.next += 1;
                item
            }
            _ => self
                .by_id
                .get_or_insert_with(|| self.items.iter().map(|item| (item.id.as_str(), item)).collect())
                .get(id)?,
        };
        (known.identity.stamp == stamp).then(|| Arc::clone(known))
    }
}

#[derive(Clone, Copy)]
struct Builder<'a> {
    view: View<'a>,
    several_files: bool,
}

impl<'a> Builder<'a> {
    fn item(self, placed: &[Placed], previous: &mut Previous<'_>) -> Option<Arc<Item>> {
        let members: Vec<(Part, Slot, &Message)> = placed
            .iter()
            .filter_map(|placed| {
                Some((placed.part, placed.message, self.view.set.messages.at(placed.message)?))
            })
            .collect();
        let &(_, _, first) = members.first()?;
        let stamp = self.stamp(&members);
        let known = previous.unchanged(&first.id, stamp);
        Some(known.unwrap_or_else(|| Arc::new(self.build(first, &members, stamp))))
    }

    /// A hash over the revisions of every record that the item shows something of.
    fn stamp(self, members: &[(Part, Slot, &Message)]) -> u64 {
        let View { set, relations, .. } = self.view;
        let mut hash = DefaultHasher::new();
        self.several_files.hash(&mut hash);
        for &(part, slot, message) in members {
            (part as u8, set.messages.revision(slot), set.turn_duration(message)).hash(&mut hash);
            for &call in relations.calls(slot) {
                set.tool_calls.revision(call).hash(&mut hash);
                relations.result(call).map(|result| set.tool_results.revision(result)).hash(&mut hash);
                relations.agent(call).map(|agent| set.subagents.revision(agent)).hash(&mut hash);
                relations.workflow(call).map(|run| set.workflows.revision(run)).hash(&mut hash);
            }
        }
        hash.finish()
    }

    fn build(self, first: &Message, members: &[(Part, Slot, &Message)], stamp: u64) -> Item {
        let of = |part: Part| members.iter().filter(move |member| member.0 == part).map(|member| member.2);
        let shown = || members.iter().filter(|member| member.0 != Part::Carrier).map(|member| member.2);
        let body = of(Part::Body).next();
        let (text, full_length) = body.map_or((None, None), message_text);
        let (thinking, thinking_full_length) = join_messages(of(Part::Thinking));
        let (skill_instructions, skill_instructions_full_length) = join_messages(of(Part::Instructions));
        let mut member_ids: Vec<Text> = Vec::new();
        if members.len() > 1 {
            member_ids.extend(members.iter().map(|member| member.2.id.clone()));
        }
        let branches: Vec<Text> = members.iter().flat_map(|member| &member.2.branches).cloned().collect();
        let span = shown().filter_map(|message| message.span).reduce(Span::join);
        let mut durations = members.iter().filter_map(|member| self.view.set.turn_duration(member.2));
        Item {
            id: first.id.clone(),
            member_ids,
            seq: first.seq,
            item_type: first.message_type,
            role: first.role.clone(),
            visibility: first.visibility,
            superseded: first.superseded.clone().filter(|_| first.visibility == Visibility::Inactive),
            is_meta: first.is_meta,
            content_type: body.map_or(first.content_type, |body| body.content_type),
            timestamp: shown().find_map(|message| message.timestamp),
            model: shown().find_map(|message| message.model.clone()),
            text,
            full_length,
            thinking,
            thinking_full_length,
            skill_instructions,
            skill_instructions_full_length,
            is_error: shown().any(|message| message.is_error),
            blocks: body.map(|body| body.blocks.clone()).unwrap_or_default(),
            tool_calls: members.iter().flat_map(|member| self.calls(member.1)).collect(),
            usage: ModelCalls::of_item(members.iter().filter_map(|member| member.2.usage.as_ref())),
            branch_point: (!branches.is_empty()).then_some(BranchPoint { children: branches }),
            turn_duration_ms: durations.next_back(),
            span: span.map(|span| Place::of(span, self.several_files)),
            identity: Identity::stamped(stamp),
        }
    }

    fn calls(self, message: Slot) -> impl Iterator<Item = ItemCall> {
        let View { set, relations, .. } = self.view;
        relations.calls(message).iter().filter_map(move |&slot| {
            let result = relations.result(slot).and_then(|result| set.tool_results.at(result));
            let agent = relations.agent(slot).and_then(|agent| set.subagents.at(agent));
            let workflow = relations.workflow(slot).and_then(|run| set.workflows.at(run));
            Some(ItemCall {
                result: result.map(|result| self.result(result)),
                subagent: agent.map(|agent| AgentLink { agent_id: agent.agent_id.clone() }),
                workflow: workflow.map(|run| RunLink { run_id: run.run_id.clone() }),
                ..self.call(set.tool_calls.at(slot)?)
            })
        })
    }

    fn call(self, call: &ToolCall) -> ItemCall {
        ItemCall {
            id: call.id.clone(),
            name: call.name.clone(),
            presentation: call.presentation,
            input: call.input.clone(),
            full_length: call.full_length,
            file_path: call.file_path.clone(),
            span: call.span.map(|span| Place::of(span, self.several_files)),
            result: None,
            subagent: None,
            workflow: None,
        }
    }

    fn result(self, result: &ToolResult) -> ItemResult {
        let (content, full_length) = if result.content.is_empty() {
            let (text, full_length) = blocks_text(&result.blocks);
            (text.unwrap_or_default(), full_length)
        } else {
            (result.content.clone(), result.full_length)
        };
        ItemResult {
            content,
            full_length,
            blocks: result.blocks.clone(),
            is_error: result.is_error,
            file_path: result.file_path.clone(),
            span: result.span.map(|span| Place::of(span, self.several_files)),
        }
    }
}

impl Item {
    /// What a person typed, or attached.
    pub fn is_prompt(&self) -> bool {
        self.item_type == MessageType::User
            && !self.is_meta
            && !self.is_error
            && matches!(self.content_type, ContentType::Text | ContentType::Image | ContentType::Mixed)
    }

    /// It is a failure, or holds a failed call.
    pub fn has_error(&self) -> bool {
        let failed = |call: &ItemCall| call.result.as_ref().is_some_and(|result| result.is_error);
        self.is_error || self.tool_calls.iter().any(failed)
    }
}
