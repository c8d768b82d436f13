//! What the agent says: its texts, thoughts and plans, in both streams.

use std::borrow::Cow;

use palimpsest_record::{Block, ContentType, MessageType, Text};

use super::here::Here;
use super::shapes::event::{Event, event_name};
use super::shapes::item::Item;
use super::thread::Thread;
use super::twins::Voice;
use super::usage::Rank;
use crate::Outcome;

impl Thread {
    /// `message` of the assistant. Each text of it is a message of its own.
    pub(super) fn answer_item(&mut self, here: &mut Here<'_, '_>, item: &Item<'_>, outer: &str) -> Outcome {
        let mut block = 0;
        let parts = item.content.0.iter();
        for text in parts.flat_map(|part| split_plan(part.text.text().unwrap_or_default())) {
            self.item_says(here, item, Voice::Answer, &text, block);
            block += 1;
        }
        let images: Vec<Block> = item.content.0.iter().filter_map(|part| part.block()).collect();
        if !images.is_empty() {
            self.act(here);
            let id = here.message_id(item.id.text(), block);
            let mut message = self.message(here, id, block, MessageType::Assistant, ContentType::Image);
            message.blocks = images;
            here.batch.push(message);
            block += 1;
        }
        if block == 0 { here.not_shown([outer, "message"]) } else { Outcome::Read }
    }

    /// `reasoning`: each part of its summary is a thought. Without a summary the raw thought is
    /// shown, where the model gives it; the encrypted one never is.
    pub(super) fn thought_item(&mut self, here: &mut Here<'_, '_>, item: &Item<'_>, outer: &str) -> Outcome {
        let summary: Vec<&str> = item.summary.texts().filter(|text| !is_encrypted(text)).collect();
        let shown = if summary.is_empty() {
            item.content.texts().filter(|text| !is_encrypted(text)).collect()
        } else {
            summary
        };
        for (block, text) in shown.iter().enumerate() {
            self.item_says(here, item, Voice::Thought, text, block);
        }
        if shown.is_empty() { here.not_shown([outer, "reasoning"]) } else { Outcome::Read }
    }

    /// `agent_message`: from one agent to another.
    pub(super) fn agent_message_item(
        &mut self,
        here: &mut Here<'_, '_>,
        item: &Item<'_>,
        outer: &str,
    ) -> Outcome {
        let texts: Vec<&str> = item.content.texts().filter(|text| !is_encrypted(text)).collect();
        if texts.is_empty() {
            return here.not_shown([outer, "agent_message"]);
        }
        self.act(here);
        let id = here.message_id(item.id.text(), 0);
        let mut message = self.message(here, id, 0, MessageType::System, ContentType::Custom);
        message.is_meta = true;
        message.role = item.author.text().map(Text::from);
        self.say(here, message, &texts.join("\n"));
        Outcome::Read
    }

    /// A developer's or the system's message: context for the model.
    pub(super) fn envelope_item(
        &mut self,
        here: &mut Here<'_, '_>,
        item: &Item<'_>,
        role: &str,
        outer: &str,
    ) -> Outcome {
        for (block, text) in item.content.texts().enumerate() {
            let id = here.message_id(item.id.text(), block);
            let index = self.envelope(here, id, block, MessageType::System, text);
            let role = self.names.get(role);
            if let Some(message) = here.batch.message_mut(index) {
                message.role = Some(role);
            }
        }
        here.not_shown([outer, "message"])
    }

    /// An event that shows what a response item says.
    pub(super) fn mirror_event(
        &mut self,
        here: &mut Here<'_, '_>,
        event: &Event<'_>,
        kind: &str,
    ) -> Option<Outcome> {
        let shown = match kind {
            "user_message" | "UserMessage" => return Some(self.prompt_event(here, event)),
            "agent_message" | "AgentMessage" => {
                self.turns.current.is_mirrored = true;
                let texts = event.message.text().into_iter().chain(event.content.texts());
                self.event_says(here, Voice::Answer, texts)
            }
            "Plan" => self.event_says(here, Voice::Answer, event.text.text().into_iter()),
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                self.event_says(here, Voice::Thought, event.text.text().into_iter())
            }
            "Reasoning" if event.summary_text.texts().next().is_some() => {
                self.event_says(here, Voice::Thought, event.summary_text.texts())
            }
            "Reasoning" => self.event_says(here, Voice::Thought, event.raw_content.texts()),
            _ => return None,
        };
        Some(shown.unwrap_or_else(|| here.not_shown(event_name(kind))))
    }

    /// A response item says `text`: takes over the record of the event that said it, or is new.
    fn item_says(
        &mut self,
        here: &mut Here<'_, '_>,
        item: &Item<'_>,
        voice: Voice,
        text: &str,
        block: usize,
    ) {
        let id = here.message_id(item.id.text(), block);
        let twin = self.twins.take_event(voice, text, here.batch);
        if let Some((record, entry)) = twin {
            here.batch.ledger.settle(entry, Outcome::Merged);
            let (seq, span) = (here.seq(block), here.line.span);
            if let Some(message) = here.batch.message_mut(record) {
                message.id = id;
                message.seq = seq;
                message.span = Some(span);
            }
            return;
        }
        let record = self.agent_says(here, id, voice, text, block);
        self.twins.lone_item(voice, record, here.line.entry);
        self.tail.add(voice, record, self.activity, here);
    }

    /// An event says these texts; `None` where it says nothing.
    fn event_says<'t>(
        &mut self,
        here: &mut Here<'_, '_>,
        voice: Voice,
        texts: impl Iterator<Item = &'t str>,
    ) -> Option<Outcome> {
        let mut outcome = None;
        match voice {
            Voice::Answer => self.shows_answers = true,
            Voice::Thought => self.shows_thoughts = true,
        }
        for (block, text) in texts.filter(|text| !text.trim().is_empty() && !is_encrypted(text)).enumerate() {
            if let Some(record) = self.twins.take_item(voice, text, here.batch) {
                self.tail.has_twin(record);
                outcome = outcome.or(Some(Outcome::Merged));
                continue;
            }
            let id = here.message_id(None, block);
            let record = self.agent_says(here, id, voice, text, block);
            self.twins.lone_event(voice, record, here.line.entry);
            outcome = Some(Outcome::Read);
        }
        outcome
    }

    fn agent_says(
        &mut self,
        here: &mut Here<'_, '_>,
        id: Text,
        voice: Voice,
        text: &str,
        block: usize,
    ) -> usize {
        let (content_type, rank) = match voice {
            Voice::Answer => (ContentType::Text, Rank::Shown),
            Voice::Thought => (ContentType::Thinking, Rank::Thought),
        };
        self.act(here);
        let message = self.message(here, id, block, MessageType::Assistant, content_type);
        let record = self.say(here, message, text);
        self.turns.current.is_answered = true;
        if voice == Voice::Answer {
            self.turns.current.last_answer = Some(record);
            self.answers_review(here, text);
        }
        self.meter.made(record, rank);
        record
    }
}

/// Encrypted text, which a log may hold where a text is expected.
fn is_encrypted(text: &str) -> bool {
    text.trim_start().starts_with("gAAAA")
}

const PLAN: (&str, &str) = ("<proposed_plan>", "</proposed_plan>");

/// A text in plan mode holds the plan in tags; the event stream shows the plan and what is around it
/// as two. Gives both, without the tags; of any other text, the text.
fn split_plan(text: &str) -> Vec<Cow<'_, str>> {
    let parts = match text.split_once(PLAN.0) {
        Some((before, rest)) => {
            let (plan, after) = rest.split_once(PLAN.1).unwrap_or((rest, ""));
            let around: Cow<'_, str> = match (before.trim(), after.trim()) {
                (before, "") => before.into(),
                ("", after) => after.into(),
                (before, after) => format!("{before}\n\n{after}").into(),
            };
            vec![around, plan.trim().into()]
        }
        None => vec![text.into()],
    };
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_comes_out_of_its_tags() {
        let check = |text: &str, want: &[&str]| assert_eq!(split_plan(text), want, "{text}");
        check("no plan", &["no plan"]);
        check(" \n", &[]);
        check("<proposed_plan>\n# Bake\n</proposed_plan>", &["# Bake"]);
        check("First:\n<proposed_plan>\nx\n</proposed_plan>\nThen.", &["First:\n\nThen.", "x"]);
        check("<proposed_plan>\ncut", &["cut"]);
    }
}
