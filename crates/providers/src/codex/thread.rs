//! One thread: what is remembered between the lines of one file.

use palimpsest_record::{ContentType, Message, MessageType, Text, Visibility};

use super::calls::Calls;
use super::compaction::Tail;
use super::fork::Fork;
use super::here::Here;
use super::prompts::Prompts;
use super::searches::Searches;
use super::shapes::event::Event;
use super::shapes::item::Item;
use super::shapes::{Body, LogLine, TurnContext};
use super::turns::Turns;
use super::twins::Twins;
use super::usage::Meter;
use crate::Outcome;
use crate::batch::Interner;

/// What is known of a thread so far.
#[derive(Default)]
pub(super) struct Thread {
    /// A message of this thread before anything is said in it.
    pub(super) blank: Message,
    pub(super) facts: Facts,
    pub(super) turns: Turns,
    pub(super) twins: Twins,
    pub(super) prompts: Prompts,
    pub(super) calls: Calls,
    pub(super) searches: Searches,
    pub(super) meter: Meter,
    pub(super) fork: Fork,
    /// What the agent said last without a twin: the summariser's answer, if a compaction follows.
    pub(super) tail: Tail,
    /// What a review said, and its explanation: an answer behind it may repeat that.
    pub(super) review: Option<(usize, Text)>,
    /// Counts what was said and done, to tell what follows directly on what.
    pub(super) activity: u64,
    /// The event stream of this log shows the agent's texts, and its thoughts.
    pub(super) shows_answers: bool,
    pub(super) shows_thoughts: bool,
    /// It is an agent in another thread's session.
    pub(super) is_agent: bool,
    /// Its lines have the type and payload of today's versions.
    pub(super) is_wrapped: bool,
    pub(super) names: Interner,
}

/// A thread's facts, from its header and its turns.
#[derive(Default)]
pub(super) struct Facts {
    /// Its id; none until its header is read.
    pub(super) id: Option<Text>,
    pub(super) title: Option<Text>,
    pub(super) started_at: Option<palimpsest_record::Timestamp>,
    pub(super) cwd: Option<Text>,
    pub(super) version: Option<Text>,
    pub(super) git_branch: Option<Text>,
    /// Of the current turn.
    pub(super) model: Option<Text>,
    pub(super) forked_from: Option<Text>,
    pub(super) agent_role: Option<Text>,
    pub(super) agent_nickname: Option<Text>,
}

impl Thread {
    /// Reads a line.
    pub(super) fn read(&mut self, here: &mut Here<'_, '_>, line: &LogLine<'_>) -> Outcome {
        if self.fork.is_inherited() {
            self.look_for_own_part(here, line);
        }
        if here.is_after_gap() {
            self.prompts.gap_behind(here.previous);
        }
        match &line.body {
            Body::Meta(meta) => self.meta(here, meta),
            Body::Item(item) => self.item(here, item, "response_item"),
            Body::Event(event) => self.event(here, event),
            Body::Context(context) => self.context(here, context),
            Body::Compacted(compacted) => self.compacted(here, compacted),
            Body::Spent(spent) => self.spent(here, spent),
            Body::Sealed => match line.kind.text().unwrap_or_default() {
                kind @ ("world_state"
                | "inter_agent_communication"
                | "inter_agent_communication_metadata") => here.not_shown(["", kind]),
                kind => here.unknown(["", kind]),
            },
            Body::Bare(item) => self.item(here, item, ""),
            Body::Header(meta) => self.bare_header(here, meta),
        }
    }

    fn look_for_own_part(&mut self, here: &mut Here<'_, '_>, line: &LogLine<'_>) {
        let turn = match &line.body {
            Body::Context(context) => context.turn_id.text(),
            Body::Event(event) if matches!(event.kind.text(), Some("task_started" | "turn_started")) => {
                event.turn_id.text()
            }
            _ => None,
        };
        let time = here.timestamp();
        if self.fork.ends_at(here.seq(0), time, turn) {
            self.close_turn(here);
            self.prompts.forget();
            self.turns.close(here.seq(0));
            self.meter.own_part_begins();
        }
    }

    fn item(&mut self, here: &mut Here<'_, '_>, item: &Item<'_>, outer: &'static str) -> Outcome {
        match item.kind.text().unwrap_or_default() {
            kind @ "message" => match item.role.text() {
                Some("user") => self.user_item(here, item, outer),
                Some("assistant") => self.answer_item(here, item, outer),
                Some(role) => self.envelope_item(here, item, role, outer),
                None => here.unknown([outer, kind]),
            },
            "reasoning" => self.thought_item(here, item, outer),
            "agent_message" => self.agent_message_item(here, item, outer),
            kind @ ("function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "web_search_call"
            | "tool_search_call"
            | "image_generation_call") => self.call_item(here, item, kind, outer),
            kind @ ("function_call_output" | "custom_tool_call_output" | "tool_search_output") => {
                self.output_item(here, item, kind, outer)
            }
            kind @ ("ghost_snapshot" | "compaction" | "compaction_summary" | "context_compaction"
            | "compaction_trigger" | "additional_tools" | "other") => here.not_shown([outer, kind]),
            kind => here.unknown([outer, kind]),
        }
    }

    fn context(&mut self, here: &mut Here<'_, '_>, context: &TurnContext<'_>) -> Outcome {
        let turn = context.turn_id.text().filter(|id| !id.is_empty());
        if self.turns.is_other_turn(turn) {
            self.begin_turn(here, None);
        }
        self.turns.context(turn);
        if let Some(model) = context.model.text().filter(|model| !model.is_empty()) {
            let model = self.names.get(model);
            self.facts.model = Some(model);
        }
        if let Some(cwd) = context.cwd.text().filter(|cwd| !cwd.is_empty()) {
            let cwd = self.names.get(cwd);
            if self.facts.cwd.is_none() {
                self.facts.cwd = Some(cwd.clone());
            }
            self.blank.cwd = Some(cwd).filter(|cwd| self.facts.cwd.as_ref() != Some(cwd));
        }
        here.not_shown(["", "turn_context"])
    }

    fn event(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        match event.kind.text() {
            Some("item_completed") => self.item_completed(here, event),
            Some("task_started" | "turn_started") => {
                self.begin_turn(here, Some(event.turn_id.text()));
                here.not_shown(["event_msg", event.kind.text().unwrap_or_default()])
            }
            Some("token_count") => self.token_count(here, event),
            Some(kind) => self
                .mirror_event(here, event, kind)
                .or_else(|| self.tool_event(here, event, kind))
                .or_else(|| self.notice_event(here, event, kind))
                .unwrap_or_else(|| here.unknown(["event_msg", kind])),
            None => here.unknown(["", "event_msg"]),
        }
    }

    /// `item_completed`: an event of the newer generation.
    fn item_completed(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        let Some(item) = super::shapes::open::<Event<'_>>(event.item) else {
            return here.unknown(["event_msg", "item_completed"]);
        };
        let Some(kind) = item.kind.text() else { return here.unknown(["event_msg", "item_completed"]) };
        self.mirror_event(here, &item, kind)
            .or_else(|| self.tool_event(here, &item, kind))
            .or_else(|| self.notice_event(here, &item, kind))
            .unwrap_or_else(|| here.batch.ledger.unknown(&["event_msg", "item_completed", kind]))
    }

    /// A turn begins here; by name, if the log says so.
    pub(super) fn begin_turn(&mut self, here: &mut Here<'_, '_>, named: Option<Option<&str>>) {
        // A prompt that was shown right before belongs to the turn that it begins.
        let (carried, start) = self.prompts.carried(self.activity, here.seq(0));
        self.turns.current.typed = self.turns.current.typed.saturating_sub(carried);
        self.close_turn(here);
        match named {
            Some(id) => self.turns.begin(start, id),
            None => self.turns.close(start),
        }
        self.turns.current.typed = carried;
        self.turns.current.is_mirrored = carried > 0;
    }

    /// Settles what only a whole turn shows.
    pub(super) fn close_turn(&mut self, here: &mut Here<'_, '_>) {
        self.settle_prompts(here.batch);
        self.twins.clear();
    }

    /// Something is said or done: what a model call left open before it stays without a message.
    pub(super) fn act(&mut self, here: &mut Here<'_, '_>) {
        self.activity += 1;
        self.meter.flush(here.batch);
    }

    /// A message of this line, with nothing said yet.
    pub(super) fn message(
        &self,
        here: &Here<'_, '_>,
        id: Text,
        block: usize,
        message_type: MessageType,
        content_type: ContentType,
    ) -> Message {
        let mut message = self.blank.clone();
        message.id = id;
        message.message_type = message_type;
        message.content_type = content_type;
        message.seq = here.seq(block);
        message.timestamp = here.timestamp();
        message.span = Some(here.line.span);
        if message_type == MessageType::Assistant {
            message.model.clone_from(&self.facts.model);
        }
        message
    }

    /// Pushes a message that says `text`.
    pub(super) fn say(&self, here: &mut Here<'_, '_>, mut message: Message, text: &str) -> usize {
        let preview = here.batch.cut(text);
        message.text = Some(preview.text);
        message.full_length = preview.full_length;
        here.batch.push(message)
    }

    /// Pushes text that nobody reads as conversation, for raw lookup and search in raw.
    pub(super) fn envelope(
        &self,
        here: &mut Here<'_, '_>,
        id: Text,
        block: usize,
        message_type: MessageType,
        text: &str,
    ) -> usize {
        let mut message = self.message(here, id, block, message_type, ContentType::Text);
        message.visibility = Visibility::Hidden;
        message.is_meta = true;
        self.say(here, message, text)
    }
}
