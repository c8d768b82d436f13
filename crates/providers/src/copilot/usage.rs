//! What the session used. Each shutdown says the totals of its own segment, from start or resumption on, for each
//! model; what messages say of their output is a part of the same.

use std::collections::BTreeMap;

use palimpsest_record::{ModelUsage, Text, TranscriptRecord, Usage};
use serde_json::value::RawValue;

use super::shapes::{Metrics, Tokens};
use crate::Batch;
use crate::json::{Lax, Nested};

/// Totals by model.
#[derive(Debug, Default)]
pub(super) struct Totals(BTreeMap<String, ModelUsage>);

impl Totals {
    /// Adds the metrics of one segment. Those without tokens say nothing of usage.
    pub(super) fn add(&mut self, metrics: Option<&RawValue>) {
        let models: Option<BTreeMap<String, Nested<Metrics>>> =
            metrics.and_then(|metrics| serde_json::from_str(metrics.get()).ok());
        for (model, metrics) in models.into_iter().flatten() {
            let Nested(Some(metrics)) = metrics else { continue };
            let Nested(Some(tokens)) = metrics.usage else { continue };
            let total = self.0.entry(model).or_default();
            total.usage.add(&usage(&tokens));
            let requests = metrics.requests.0.and_then(|requests| *requests.count).unwrap_or(0);
            total.requests = total.requests.saturating_add(requests);
        }
    }

    /// The session's usage. Where there is any, what messages say of theirs goes: it would count twice.
    pub(super) fn finish(self, batch: &mut Batch) -> Vec<ModelUsage> {
        if self.0.is_empty() {
            return Vec::new();
        }
        for record in &mut batch.records {
            if let TranscriptRecord::Message(message) = record {
                message.usage = None;
            }
        }
        let named = |(model, usage): (String, ModelUsage)| ModelUsage { model: Text::from(model), ..usage };
        self.0.into_iter().map(named).collect()
    }
}

fn usage(tokens: &Tokens) -> Usage {
    let count = |count: &Lax<u64>| count.unwrap_or(0);
    Usage {
        input_tokens: count(&tokens.input_tokens),
        cached_input_tokens: count(&tokens.cache_read_tokens),
        cache_write_tokens: count(&tokens.cache_write_tokens),
        output_tokens: count(&tokens.output_tokens),
        reasoning_tokens: count(&tokens.reasoning_tokens),
        ..Usage::default()
    }
}
