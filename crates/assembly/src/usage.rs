//! What model calls used: each counted once, on however many records it is written.

use palimpsest_record::order::sort_by;
use std::cmp::Ordering;
use std::collections::HashMap;

use palimpsest_record::{Text, Usage, Visibility};

use crate::detail::{UsageReport, UsageTotals};
use crate::relations::Relations;
use crate::set::RecordSet;

/// The four sums over a session. Visibility decides only about `visible`: an abandoned call was
/// made and paid for.
pub(crate) fn report(set: &RecordSet, relations: &Relations) -> UsageReport {
    let mut calls = ModelCalls::default();
    for message in relations.order.iter().filter_map(|&slot| set.messages.at(slot)) {
        if let Some(usage) = &message.usage {
            calls.add(usage, message.visibility, message.agent_id.is_none());
        }
    }
    let messages_carry_none = calls.calls.is_empty();
    let mut summaries: Vec<_> = set.summaries.iter().collect();
    sort_by(&mut summaries, |a, b| (a.seq, &a.id).cmp(&(b.seq, &b.id)));
    for summary in summaries {
        if let Some(usage) = &summary.usage {
            calls.add(usage, summary.visibility, summary.agent_id.is_none());
        }
    }

    let mut report = UsageReport::default();
    for call in &calls.calls {
        report.total.add(call.usage, 1);
        let side = if call.is_main { &mut report.main } else { &mut report.subagents };
        side.add(call.usage, 1);
        if call.is_visible {
            report.visible.add(call.usage, 1);
        }
    }
    if messages_carry_none && let Some(session) = &set.session {
        for model in &session.model_usage {
            report.total.add(&model.usage, model.requests);
            report.main.add(&model.usage, model.requests);
        }
    }
    report
}

/// Model calls in the order of their first records.
#[derive(Default)]
pub(crate) struct ModelCalls<'a> {
    calls: Vec<ModelCall<'a>>,
    /// Calls older than [`RECENT`], by request.
    older: HashMap<&'a str, usize>,
}

/// Records of one call are neighbours, almost always: so many last calls are compared before the
/// others are looked up.
const RECENT: usize = 4;

struct ModelCall<'a> {
    usage: &'a Usage,
    is_visible: bool,
    is_main: bool,
}

impl<'a> ModelCalls<'a> {
    /// The sum over the calls that one item came from; none where there was none.
    pub(crate) fn of_item(usages: impl Iterator<Item = &'a Usage>) -> Option<UsageTotals> {
        let mut calls = ModelCalls::default();
        for usage in usages {
            calls.add(usage, Visibility::Visible, true);
        }
        if calls.calls.is_empty() {
            return None;
        }
        let mut totals = UsageTotals::default();
        for call in calls.calls {
            totals.add(call.usage, 1);
        }
        Some(totals)
    }

    /// One record of a call. Records of one call differ where the log repeats it while it is still
    /// written: the one with the most output is the last.
    fn add(&mut self, usage: &'a Usage, visibility: Visibility, is_main: bool) {
        if usage.is_empty() {
            return;
        }
        let is_visible = visibility == Visibility::Visible;
        if let Some(call) = self.find(usage.request.as_ref()) {
            call.is_visible |= is_visible;
            call.is_main |= is_main;
            if compare(usage, call.usage) == Ordering::Greater {
                call.usage = usage;
            }
            return;
        }
        self.calls.push(ModelCall { usage, is_visible, is_main });
        let aged = self.calls.len().checked_sub(RECENT + 1);
        if let Some(at) = aged
            && let Some(request) = self.calls.get(at).and_then(|call| call.usage.request.as_ref())
        {
            self.older.insert(request, at);
        }
    }

    fn find(&mut self, request: Option<&Text>) -> Option<&mut ModelCall<'a>> {
        let request = request?;
        let is_it = |call: &ModelCall<'_>| call.usage.request.as_ref() == Some(request);
        let recent = self.calls.len().saturating_sub(RECENT);
        let at = match self.calls.get(recent..).unwrap_or_default().iter().rposition(is_it) {
            Some(at) => recent + at,
            None => *self.older.get(request.as_str())?,
        };
        self.calls.get_mut(at)
    }
}

/// By output first, then by everything else, so that the answer never depends on who came first.
fn compare(a: &Usage, b: &Usage) -> Ordering {
    let counts = |usage: &Usage| {
        (
            usage.output_tokens,
            usage.input_tokens,
            usage.cached_input_tokens,
            usage.cache_write_tokens,
            usage.reasoning_tokens,
        )
    };
    let cost = |usage: &Usage| usage.cost_usd.unwrap_or(-1.0);
    counts(a).cmp(&counts(b)).then(cost(a).total_cmp(&cost(b)))
}

impl UsageTotals {
    /// Adds what `requests` model calls used. Counts saturate: a log may hold any number.
    fn add(&mut self, usage: &Usage, requests: u64) {
        self.input_tokens = self.input_tokens.saturating_add(usage.input_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(usage.cached_input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(usage.cache_write_tokens);
        self.output_tokens = self.output_tokens.saturating_add(usage.output_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(usage.reasoning_tokens);
        self.requests = self.requests.saturating_add(requests);
        self.cost_usd = match (self.cost_usd, usage.cost_usd) {
            (Some(sum), Some(cost)) => Some(sum + cost),
            (sum, cost) => sum.or(cost),
        };
    }
}
