//! Left to right: which messages of one conversation become one item.
//!
//! The fold only says who goes where, in numbers; nothing is copied or built here. Its rules:
//! - Thoughts go into the assistant item behind them, or stand alone where none follows at once.
//! - An assistant's text takes the calls behind it; calls without text take the calls behind them.
//!   Text never joins what stands before it.
//! - A thought, a change of visibility, a user's, system's or meta message is a border.
//! - A call that loads a skill, alone at the beginning of its item, stays a card of its own, with
//!   the skill's instructions inside.
//! - A message that only carried results which stand with their calls is no border and no item.

use palimpsest_record::order::sort_by;
use std::collections::HashMap;

use palimpsest_record::{ContentType, Message, MessageType, Presentation, Visibility};

use crate::relations::{View, has_text, shows_results};
use crate::set::Slot;

/// A message's part in an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Thought before the item said or did anything.
    Thinking,
    /// What the item says and does.
    Body,
    /// Instructions of the skill that the item's call loaded.
    Instructions,
    /// It only carried results that the item shows.
    Carrier,
}

/// A message in its item.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    /// The item, counted from 0 in order.
    pub(crate) item: usize,
    pub(crate) part: Part,
    pub(crate) message: Slot,
}

/// Folds a conversation: its messages in order, all of them admitted by `view`. The answer is
/// sorted by item, and within one by the messages' order with the carriers last.
pub(crate) fn fold(view: View<'_>, messages: &[Slot]) -> Vec<Placed> {
    let mut fold = Fold::new(view, messages.len());
    let mut carriers = Vec::new();
    for &slot in messages {
        let Some(message) = view.set.messages.at(slot) else { continue };
        if fold.only_carries(slot, message) {
            carriers.push(slot);
        } else {
            fold.take(slot, message);
        }
    }
    fold.close();
    fold.place_carriers(&carriers);
    let mut placed = fold.placed;
    sort_by(&mut placed, |a, b| a.item.cmp(&b.item));
    placed
}

struct Fold<'a> {
    view: View<'a>,
    placed: Vec<Placed>,
    items: usize,
    /// Thoughts that wait for what follows them, all of one visibility.
    thoughts: Vec<Slot>,
    thoughts_visibility: Visibility,
    /// The last item, while it takes calls.
    open: Option<(usize, Visibility)>,
    /// The last item, where it is a skill's card that no instructions have joined.
    bare_card: Option<(usize, Visibility)>,
    /// Every skill's card by its call.
    cards: HashMap<Slot, (usize, Visibility)>,
}

impl<'a> Fold<'a> {
    fn new(view: View<'a>, messages: usize) -> Fold<'a> {
        Fold {
            view,
            placed: Vec::with_capacity(messages),
            items: 0,
            thoughts: Vec::new(),
            thoughts_visibility: Visibility::Visible,
            open: None,
            bare_card: None,
            cards: HashMap::new(),
        }
    }

    /// The message has nothing to show itself: its results stand with their calls, or are counted.
    fn only_carries(&self, slot: Slot, message: &Message) -> bool {
        let results = self.view.relations.carried(slot);
        if !self.view.relations.calls(slot).is_empty() {
            return false;
        }
        if message.content_type == ContentType::ToolResult {
            let all_attached =
                !results.is_empty() && results.iter().all(|&result| self.view.is_attached(result));
            return all_attached || !shows_results(message);
        }
        !results.is_empty() && !has_text(message) && message.blocks.is_empty()
    }

    fn take(&mut self, slot: Slot, message: &Message) {
        if message.content_type == ContentType::SkillInstructions
            && let Some(card) = self.card_of(message)
        {
            self.place(card, Part::Instructions, slot);
            return;
        }
        self.bare_card = None;
        let speaks = message.message_type == MessageType::Assistant && !message.is_meta;
        let calls = self.view.relations.calls(slot);
        if !speaks {
            self.close();
            self.begin(Part::Body, slot);
        } else if message.content_type == ContentType::Thinking && calls.is_empty() {
            self.think(slot, message.visibility);
        } else {
            self.say(slot, message, calls);
        }
    }

    fn think(&mut self, slot: Slot, visibility: Visibility) {
        self.open = None;
        if self.thoughts_visibility != visibility {
            self.close();
        }
        self.thoughts.push(slot);
        self.thoughts_visibility = visibility;
    }

    fn say(&mut self, slot: Slot, message: &Message, calls: &[Slot]) {
        let visibility = message.visibility;
        let takes_calls =
            matches!(message.content_type, ContentType::Text | ContentType::ToolUse | ContentType::Mixed);
        // A failure is something to show, even one without words.
        let shows = has_text(message) || !message.blocks.is_empty() || message.is_error;
        let only_calls = takes_calls && !shows;
        if let Some((item, open)) = self.open
            && only_calls
            && open == visibility
        {
            self.place(item, Part::Body, slot);
            return;
        }
        if self.thoughts_visibility != visibility {
            self.close();
        }
        self.open = None;
        let item = self.begin(Part::Body, slot);
        match *calls {
            [call] if only_calls && self.loads_skill(call) => {
                self.bare_card = Some((item, visibility));
                self.cards.insert(call, (item, visibility));
            }
            _ if takes_calls => self.open = Some((item, visibility)),
            _ => {}
        }
    }

    fn loads_skill(&self, call: Slot) -> bool {
        let call = self.view.set.tool_calls.at(call);
        call.is_some_and(|call| call.presentation == Presentation::Skill)
    }

    /// The card that instructions belong into: that of the call they name, or, where they name none
    /// that is known, the card right before them.
    fn card_of(&mut self, instructions: &Message) -> Option<usize> {
        let named = instructions.skill_call_id.as_ref().and_then(|id| self.view.set.tool_calls.find(id));
        let (item, visibility) = match named {
            Some(call) => self.cards.get(&call).copied()?,
            None => self.bare_card?,
        };
        if visibility != instructions.visibility {
            return None;
        }
        if self.bare_card.is_some_and(|(bare, _)| bare == item) {
            self.bare_card = None;
        }
        Some(item)
    }

    /// A new item: the waiting thoughts, then `slot`.
    fn begin(&mut self, part: Part, slot: Slot) -> usize {
        let item = self.items;
        self.items += 1;
        for thought in std::mem::take(&mut self.thoughts) {
            self.place(item, Part::Thinking, thought);
        }
        self.place(item, part, slot);
        item
    }

    /// A border: nothing joins what is before it, and waiting thoughts stand alone.
    fn close(&mut self) {
        self.open = None;
        if let Some(last) = self.thoughts.pop() {
            self.begin(Part::Thinking, last);
        }
    }

    fn place(&mut self, item: usize, part: Part, message: Slot) {
        self.placed.push(Placed { item, part, message });
    }

    /// Carriers lead to the item with their first call, wherever that stands.
    fn place_carriers(&mut self, carriers: &[Slot]) {
        if carriers.is_empty() {
            return;
        }
        // Mostly sorted as it is, and cheaper than a map of every message.
        let mut items: Vec<(Slot, usize)> =
            self.placed.iter().map(|placed| (placed.message, placed.item)).collect();
        sort_by(&mut items, Ord::cmp);
        let item_of = |message: Slot| {
            let at = items.binary_search_by_key(&message, |&(slot, _)| slot).ok()?;
            Some(items.get(at)?.1)
        };
        for &carrier in carriers {
            let relations = self.view.relations;
            let item = relations.carried(carrier).iter().find_map(|&result| {
                let owner = relations.owner(relations.call_of(result)?)?;
                item_of(owner)
            });
            if let Some(item) = item {
                self.place(item, Part::Carrier, carrier);
            }
        }
    }
}
