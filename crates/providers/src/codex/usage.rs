//! What model calls used, each counted once and put on a record of its call.
//!
//! Older versions write `token_count`, cumulative and often repeated; newer ones write a
//! `token_usage_record` for each call as well, and then that alone counts. Both come behind what the
//! call said and did. A call that left no record of its own (its answer is encrypted, or its lines
//! are damaged) is a hidden message, so that the session's total is what was paid for.

use std::collections::HashSet;

use palimpsest_record::{ContentType, Message, MessageType, Text, Usage, Visibility};

use super::here::Here;
use super::shapes::event::Event;
use super::shapes::{Spent, Tokens};
use super::thread::Thread;
use crate::{Batch, Outcome};

/// How well a record shows its model call: usage goes to the first of the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A thought, which the reader folds away.
    Thought,
    /// A text or a call.
    Shown,
}

/// What is remembered about model calls.
#[derive(Default)]
pub(super) struct Meter {
    /// The call whose usage has not come: where that goes.
    open: Option<(usize, Rank)>,
    /// The model was answered since: what it does next is another call, although usage of the one
    /// before may still come first.
    is_answered: bool,
    /// Usage of a call without a record, until something else happens.
    unattached: Option<Message>,
    /// The cumulative count that was seen last.
    total: Option<Tokens>,
    /// The cumulative count before this point was another thread's.
    is_new_thread: bool,
    /// The log has usage records: `token_count` repeats them.
    has_records: bool,
    responses: HashSet<Text>,
    /// Tokens of context at the end of the last call.
    context: Option<u64>,
}

impl Meter {
    /// A model call said or did something.
    pub(super) fn made(&mut self, record: usize, rank: Rank) {
        if std::mem::take(&mut self.is_answered) {
            self.open = None;
        }
        if self.open.is_none_or(|(_, best)| rank > best) {
            self.open = Some((record, rank));
        }
    }

    /// The model was given a result or a prompt.
    pub(super) fn answered(&mut self) {
        self.is_answered = true;
    }

    /// The thread's own part begins behind what it inherited.
    pub(super) fn own_part_begins(&mut self) {
        self.is_new_thread = true;
        self.open = None;
        self.context = None;
    }

    /// Tokens of context at the end of the last call.
    pub(super) fn context(&self) -> Option<u64> {
        self.context
    }

    /// Usage that nothing has been found for.
    pub(super) fn take_unattached(&mut self) -> Option<Usage> {
        self.unattached.take().and_then(|message| message.usage)
    }

    /// Nothing will be found for it any more.
    pub(super) fn flush(&mut self, batch: &mut Batch) {
        if let Some(message) = self.unattached.take() {
            batch.push(message);
        }
    }

    /// What the cumulative count `now` adds to the one before; `None` where it only repeats it.
    fn added(&mut self, now: &Tokens, last_call: Option<&Tokens>) -> Option<Tokens> {
        let before = self.total.replace(now.clone());
        if before.as_ref().is_some_and(|before| counts(before) == counts(now)) {
            return None;
        }
        let since = before.as_ref().and_then(|before| difference(now, before));
        if std::mem::take(&mut self.is_new_thread) && last_call.is_some() {
            return last_call.cloned();
        }
        match (before, since) {
            (Some(_), None) => last_call.or(Some(now)).cloned(),
            (Some(_), Some(since)) => Some(since),
            (None, _) => Some(now.clone()),
        }
    }
}

impl Thread {
    /// `token_usage_record`: one model call.
    pub(super) fn spent(&mut self, here: &mut Here<'_, '_>, spent: &Spent<'_>) -> Outcome {
        self.meter.has_records = true;
        let response = spent.response_id.text().filter(|id| !id.is_empty());
        let is_new = response.is_none_or(|id| self.meter.responses.insert(Text::from(id)));
        if let Some(tokens) = spent.usage.0.as_ref().filter(|_| is_new) {
            let request = response.map_or_else(|| here.line_id(0), str::to_owned);
            self.count(here, tokens, &request);
        }
        here.not_shown(["", "token_usage_record"])
    }

    /// `token_count`: the sum so far, and the last call's part of it.
    pub(super) fn token_count(&mut self, here: &mut Here<'_, '_>, event: &Event<'_>) -> Outcome {
        let info = event.info.0.as_ref();
        if let Some(total) = info.and_then(|info| info.total_token_usage.0.as_ref()) {
            let last_call = info.and_then(|info| info.last_token_usage.0.as_ref());
            let added = self.meter.added(total, last_call);
            if let Some(added) = added.filter(|_| !self.meter.has_records) {
                let request = here.line_id(0);
                self.count(here, &added, &request);
            }
        }
        here.not_shown(["event_msg", "token_count"])
    }

    fn count(&mut self, here: &mut Here<'_, '_>, tokens: &Tokens, request: &str) {
        let open = self.meter.open.take();
        let usage = usage(tokens, request);
        if usage.is_empty() || self.fork.is_inherited() {
            return;
        }
        self.meter.context = Some(usage.input_tokens.saturating_add(usage.output_tokens));
        if let Some(message) = open.and_then(|(record, _)| here.batch.message_mut(record)) {
            message.usage = Some(usage);
            return;
        }
        self.meter.flush(here.batch);
        let id = Text::from(here.line_id(0));
        let mut message = self.message(here, id, 0, MessageType::Assistant, ContentType::Custom);
        message.visibility = Visibility::Hidden;
        message.usage = Some(usage);
        self.meter.unattached = Some(message);
    }
}

fn usage(tokens: &Tokens, request: &str) -> Usage {
    let [input, cached, written, output, reasoning] = counts(tokens);
    Usage {
        input_tokens: input,
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: output,
        reasoning_tokens: reasoning,
        cost_usd: None,
        request: Some(Text::from(request)),
    }
}

fn counts(tokens: &Tokens) -> [u64; 5] {
    [
        tokens.input_tokens.unwrap_or_default(),
        tokens.cached_input_tokens.unwrap_or_default(),
        tokens.cache_write_input_tokens.unwrap_or_default(),
        tokens.output_tokens.unwrap_or_default(),
        tokens.reasoning_output_tokens.unwrap_or_default(),
    ]
}

/// `now` less `before`; `None` where a count went back, because the sum began anew.
fn difference(now: &Tokens, before: &Tokens) -> Option<Tokens> {
    let mut left = counts(now);
    for (left, before) in left.iter_mut().zip(counts(before)) {
        *left = left.checked_sub(before)?;
    }
    let [input, cached, written, output, reasoning] = left.map(|count| crate::json::Lax(Some(count)));
    Some(Tokens {
        input_tokens: input,
        cached_input_tokens: cached,
        cache_write_input_tokens: written,
        output_tokens: output,
        reasoning_output_tokens: reasoning,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Lax;

    fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input_tokens: Lax(Some(input)), output_tokens: Lax(Some(output)), ..Tokens::default() }
    }

    #[test]
    fn a_sum_counts_what_it_adds() {
        let mut meter = Meter::default();
        let mut check = |total: (u64, u64), last: Option<(u64, u64)>, want: Option<(u64, u64)>| {
            let last = last.map(|(input, output)| tokens(input, output));
            let added = meter.added(&tokens(total.0, total.1), last.as_ref());
            let want = want.map(|(input, output)| counts(&tokens(input, output)));
            assert_eq!(added.as_ref().map(counts), want, "{total:?}");
        };
        check((100, 10), Some((100, 10)), Some((100, 10)));
        check((100, 10), Some((100, 10)), None);
        check((250, 20), Some((150, 10)), Some((150, 10)));
        // The line of the call between is damaged: the sum still holds it.
        check((700, 40), Some((200, 10)), Some((450, 20)));
        // The sum begins anew: only the last call is known.
        check((90, 9), Some((40, 4)), Some((40, 4)));
        check((120, 9), None, Some((30, 0)));
        check((10, 1), None, Some((10, 1)));
    }

    #[test]
    fn what_another_thread_used_is_not_counted() {
        let mut meter = Meter::default();
        meter.added(&tokens(1000, 50), Some(&tokens(1000, 50)));
        meter.own_part_begins();
        let added = meter.added(&tokens(1900, 90), Some(&tokens(300, 10)));
        assert_eq!(added.as_ref().map(counts), Some(counts(&tokens(300, 10))));
    }
}
