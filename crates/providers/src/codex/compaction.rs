//! Compaction: a summary that stands for the history in the model's context. The older lines stay
//! visible; the replacement history in the log repeats them and is never shown.

use std::collections::VecDeque;

use palimpsest_record::{Summary, Text, Usage, Visibility};

use super::here::Here;
use super::shapes::Compacted;
use super::thread::Thread;
use super::twins::Voice;
use crate::{EntryId, Outcome};

/// The summary is handed to the model behind a fixed sentence that begins so; the summary itself
/// begins on the next line.
const PREAMBLE: &str = "Another language model started to solve this problem";

/// What of the agent's words no event has shown, and the last compaction.
#[derive(Default)]
pub(super) struct Tail {
    said: VecDeque<Said>,
    last: Option<Compaction>,
}

/// A text or thought in an item.
struct Said {
    voice: Voice,
    record: usize,
    entry: EntryId,
    /// What was said and done before it.
    activity: u64,
    after_gap: bool,
}

/// A compaction that one stream has told of, and the other has not yet.
struct Compaction {
    record: usize,
    entry: EntryId,
    activity: u64,
    told_by: Stream,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Stream {
    Items,
    Events,
}

impl Tail {
    /// The agent said something in an item that no event has shown so far.
    pub(super) fn add(&mut self, voice: Voice, record: usize, activity: u64, here: &Here<'_, '_>) {
        const KEPT: usize = 4;
        if self.said.len() == KEPT {
            self.said.pop_front();
        }
        let (entry, after_gap) = (here.line.entry, here.is_after_gap());
        self.said.push_back(Said { voice, record, entry, activity, after_gap });
    }

    /// An event shows it after all.
    pub(super) fn has_twin(&mut self, record: usize) {
        self.said.retain(|said| said.record != record);
    }

    /// Takes what was said directly before now, the last first.
    fn take(&mut self, now: u64) -> Vec<Said> {
        let said = std::mem::take(&mut self.said);
        let directly = said.into_iter().rev().zip((0..=now).rev());
        directly.take_while(|(said, activity)| said.activity == *activity).map(|(said, _)| said).collect()
    }

    /// Takes the compaction that the other stream told of directly before now.
    fn twin(&mut self, told_by: Stream, now: u64) -> Option<Compaction> {
        self.last.take().filter(|last| last.told_by != told_by && last.activity == now)
    }
}

impl Thread {
    /// `compacted`.
    pub(super) fn compacted(&mut self, here: &mut Here<'_, '_>, compacted: &Compacted<'_>) -> Outcome {
        let message = compacted.message.text().unwrap_or_default();
        let text = without_preamble(message);
        let usage = self.hide_summariser(here, text);
        let mut summary = self.summary(here, text);
        summary.tokens_before = usage.as_ref().map(|usage| usage.input_tokens).or(self.meter.context());
        summary.usage = usage;
        self.push_summary(here, summary, Stream::Items)
    }

    /// `context_compacted`.
    pub(super) fn context_compacted(&mut self, here: &mut Here<'_, '_>) -> Outcome {
        if self.tail.twin(Stream::Events, self.activity).is_some() {
            return Outcome::Merged;
        }
        let mut summary = self.summary(here, "");
        summary.tokens_before = self.meter.context();
        self.push_summary(here, summary, Stream::Events)
    }

    fn push_summary(&mut self, here: &mut Here<'_, '_>, summary: Summary, told_by: Stream) -> Outcome {
        let twin = self.tail.twin(told_by, self.activity);
        let place = twin.as_ref().and_then(|twin| here.batch.records.get_mut(twin.record));
        if let (Some(place), Some(twin)) = (place, &twin) {
            *place = summary.into();
            here.batch.ledger.settle(twin.entry, Outcome::Merged);
            return Outcome::Read;
        }
        let record = here.batch.push(summary);
        let (entry, activity) = (here.line.entry, self.activity);
        self.tail.last = Some(Compaction { record, entry, activity, told_by });
        Outcome::Read
    }

    fn summary(&mut self, here: &Here<'_, '_>, text: &str) -> Summary {
        let preview = here.batch.cut(text);
        Summary {
            id: Text::from(here.line_id(0)),
            session_id: self.blank.session_id.clone(),
            agent_id: self.blank.agent_id.clone(),
            seq: here.seq(0),
            timestamp: here.timestamp(),
            summary_kind: self.names.get("compaction"),
            content: preview.text,
            full_length: preview.full_length,
            visibility: Visibility::Visible,
            tokens_before: None,
            usage: None,
            span: Some(here.line.span),
        }
    }

    /// The call that wrote the summary is logged like any other, but nobody was shown its answer:
    /// the summary repeats it. Hides it and gives what it used.
    fn hide_summariser(&mut self, here: &mut Here<'_, '_>, summary: &str) -> Option<Usage> {
        let mut usage = self.meter.take_unattached();
        for (step, said) in self.tail.take(self.activity).into_iter().enumerate() {
            let Some(message) = here.batch.message_mut(said.record) else { break };
            // Without a twin in a log that has them, it was said to nobody. A damaged line before it
            // may have been its twin; then only what the summary repeats is the summariser's.
            let is_unshown = !said.after_gap
                && match said.voice {
                    Voice::Answer => self.shows_answers,
                    Voice::Thought => self.shows_thoughts,
                };
            let is_repeated = message.text.as_deref().is_some_and(|text| text.trim() == summary.trim());
            let is_summarisers = match (step, said.voice) {
                (0, Voice::Answer) => is_unshown || is_repeated,
                (_, Voice::Thought) if step > 0 => is_unshown,
                _ => false,
            };
            if !is_summarisers {
                break;
            }
            message.visibility = Visibility::Hidden;
            usage = usage.or(message.usage.take());
            let hidden = here.not_shown(["response_item", "message"]);
            here.batch.ledger.settle(said.entry, hidden);
        }
        usage
    }
}

fn without_preamble(message: &str) -> &str {
    if !message.starts_with(PREAMBLE) {
        return message;
    }
    message.split_once('\n').map_or("", |(_, summary)| summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preamble_is_no_part_of_the_summary() {
        let check = |message: &str, want: &str| assert_eq!(without_preamble(message), want, "{message}");
        check("Another language model started to solve this problem and […]:\nDone:\n- a", "Done:\n- a");
        check("Another language model started to solve this problem", "");
        check("We baked.\nThen we ate.", "We baked.\nThen we ate.");
        check("", "");
    }
}
