//! What a person typed, in both streams.
//!
//! A user's message counts as typed, in this order: where the log says which of its parts are
//! (`content_item_kinds`), those; where its twin in the event stream shows a text of it, that; and in
//! a turn that the event stream does not show at all, what the text's own beginning does not tell to
//! be injected. A damaged line beside a message may have been its twin: then the text decides, too, so
//! that one damaged line never hides a prompt.

use std::collections::VecDeque;

use palimpsest_record::{Block, Text, Visibility};

use super::here::Here;
use super::shapes::event::{Event, event_name};
use super::shapes::item::Item;
use super::shapes::part::{Part, image_of_url};
use super::spoken::{Forms, Match, Spoken};
use super::thread::Thread;
use super::utterance::Pushed;
use crate::{Batch, EntryId, Outcome};

/// Prompts of the current turn.
#[derive(Default)]
pub(super) struct Prompts {
    /// User messages of the item stream.
    asked: Vec<Asked>,
    /// Prompts of the event stream without an item so far.
    shown: VecDeque<Shown>,
}

/// A user message of the item stream.
struct Asked {
    entry: EntryId,
    outer: &'static str,
    /// A line beside it is missing.
    beside_gap: bool,
    /// The log itself says who wrote what.
    is_sure: bool,
    has_twin: bool,
    forms: Forms,
    records: Pushed,
}

/// A prompt of the event stream.
struct Shown {
    record: usize,
    entry: EntryId,
    form: u64,
    activity: u64,
    seq: u64,
}

/// Most user messages compared with a twin, the newest first. Twins are neighbours.
const NEWEST: usize = 16;

impl Prompts {
    /// A hole follows this line, or the end of the file.
    pub(super) fn gap_behind(&mut self, line: Option<EntryId>) {
        if let Some(asked) = self.asked.last_mut().filter(|asked| Some(asked.entry) == line) {
            asked.beside_gap = true;
        }
    }

    /// How many prompts were shown directly before now, and where the first of them stands. They
    /// stay for the turn that begins now; the others' turn is over.
    pub(super) fn carried(&mut self, activity: u64, now: u64) -> (u32, u64) {
        let first = self.shown.iter().rev().zip((0..=activity).rev());
        let count = first.take_while(|(shown, activity)| shown.activity == *activity).count();
        self.shown.drain(..self.shown.len() - count);
        let start = self.shown.front().map_or(now, |shown| shown.seq);
        (u32::try_from(count).unwrap_or(u32::MAX), start)
    }

    /// What was shown belongs to a turn that is over.
    pub(super) fn forget(&mut self) {
        self.shown.clear();
    }

    /// Takes the event that shows a message.
    fn take_shown(&mut self, forms: &Forms) -> Option<(Match, Shown)> {
        let mut newest = self.shown.iter().enumerate().rev().take(NEWEST);
        let (at, matched) = newest.find_map(|(at, shown)| Some((at, forms.shows(shown.form)?)))?;
        Some((matched, self.shown.remove(at)?))
    }
}

impl Thread {
    /// `message` of the user.
    pub(super) fn user_item(
        &mut self,
        here: &mut Here<'_, '_>,
        item: &Item<'_>,
        outer: &'static str,
    ) -> Outcome {
        let mut spoken = Spoken::of(item);
        let forms = spoken.forms();
        let twin = self.prompts.take_shown(&forms);
        if let Some((matched, shown)) = &twin {
            spoken.settle(*matched);
            here.batch.ledger.settle(shown.entry, Outcome::Merged);
        } else if spoken.is_prompt() {
            if self.turns.prompt_begins_turn() {
                self.begin_turn(here, None);
            }
            self.act(here);
            self.meter.answered();
            self.turns.current.typed += u32::from(spoken.is_sure);
        }
        let into = twin.as_ref().map(|(_, shown)| shown.record);
        let records = self.push_spoken(here, item.id.text(), &spoken, into);
        let is_shown = records.typed.is_some() || !records.cards.is_empty();
        self.prompts.asked.push(Asked {
            entry: here.line.entry,
            outer,
            beside_gap: here.is_after_gap(),
            is_sure: spoken.is_sure,
            has_twin: twin.is_some(),
            forms,
            records,
        });
        if is_shown { Outcome::Read } else { here.not_shown([outer, "message"]) }
    }

    /// `user_message`: a prompt as it was shown.
    pub(super) fn prompt_event(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        let kind = event.kind.text().unwrap_or_default();
        let texts = event.message.text().into_iter().chain(event.content.texts());
        let images = event.images.0.iter().chain(&event.local_images.0);
        let blocks =
            event.content.0.iter().filter_map(|part| part.block()).chain(images.filter_map(attached));
        let spoken = Spoken::shown(texts, blocks);
        // Versions of 2025 showed injected texts as well, and said so.
        let is_typed = matches!(event.sort.text(), None | Some("plain"));
        let form = spoken.form();
        if is_typed && self.confirm_asked(here.batch, form, &spoken) {
            self.turns.current.is_mirrored = true;
            return Outcome::Merged;
        }
        if !is_typed || !spoken.is_prompt() {
            return here.not_shown(event_name(kind));
        }
        if self.turns.prompt_begins_turn() {
            self.begin_turn(here, None);
        }
        self.act(here);
        self.meter.answered();
        self.turns.current.typed += 1;
        self.turns.current.is_mirrored = true;
        if let Some(record) = self.push_spoken(here, None, &spoken, None).typed {
            let (entry, activity, seq) = (here.line.entry, self.activity, here.seq(0));
            self.prompts.shown.push_back(Shown { record, entry, form, activity, seq });
        }
        Outcome::Read
    }

    /// Finds the user message that an event with this form shows, and settles who wrote what in it.
    fn confirm_asked(&mut self, batch: &mut Batch, form: u64, shown: &Spoken<'_>) -> bool {
        let newest = self.prompts.asked.iter_mut().rev().take(NEWEST).filter(|asked| !asked.has_twin);
        let found = newest.filter_map(|asked| asked.forms.shows(form).map(|matched| (matched, asked))).next();
        let Some((matched, asked)) = found else { return false };
        asked.has_twin = true;
        if !asked.is_sure {
            self.turns.current.typed += 1;
            match matched {
                Match::Typed => {}
                Match::Whole => asked.records.show_whole(batch, &shown.text()),
                Match::Text(only) => asked.records.keep_text(batch, only),
            }
            batch.ledger.settle(asked.entry, Outcome::Read);
        }
        true
    }

    /// A turn is over: what the event stream should have shown, and did not, nobody typed.
    pub(super) fn settle_prompts(&mut self, batch: &mut Batch) {
        let turn = &mut self.turns.current;
        for asked in self.prompts.asked.drain(..).filter(|asked| !asked.has_twin && !asked.is_sure) {
            let Some(typed) = asked.records.typed else { continue };
            if !turn.is_mirrored || asked.beside_gap {
                turn.typed += 1;
                continue;
            }
            if let Some(message) = batch.message_mut(typed) {
                message.visibility = Visibility::Hidden;
                message.is_meta = true;
            }
            if asked.records.cards.is_empty() {
                let outcome = match asked.outer {
                    "" => batch.ledger.not_shown(&["message"]),
                    outer => batch.ledger.not_shown(&[outer, "message"]),
                };
                batch.ledger.settle(asked.entry, outcome);
            }
        }
    }
}

/// An image or a file that an event names: an address or a path alone.
fn attached(part: &Part<'_>) -> Option<Block> {
    part.block().or_else(|| {
        let name = part.text.text()?;
        Some(match name.starts_with("data:") || name.starts_with("http") {
            true => image_of_url(name),
            false => Block::File { name: Some(Text::from(name)), media_type: None },
        })
    })
}
