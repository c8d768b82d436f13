//! What the session used. Each shutdown says the totals of its own segment, from start or resumption on, for each
//! model; what messages say of their output is a part of the same.

use std::collections::BTreeMap;

use palimpsest_record::{ModelUsage, Text, TranscriptRecord, Usage};

use crate::{Batch, Object};

/// Totals by model.
#[derive(Debug, Default)]
pub(super) struct Totals(BTreeMap<String, ModelUsage>);

impl Totals {
    /// Adds the metrics of one segment. Those without tokens say nothing of usage.
    pub(super) fn add(&mut self, metrics: Option<Object<'_>>) {
        for (model, metrics) in metrics.iter().flat_map(Object::entries) {
            let metrics = Object::parse(metrics.get()).unwrap_or_default();
            let Some(tokens) = metrics.object("usage") else { continue };
            let total = self.0.entry(model.to_owned()).or_default();
            total.usage.add(&usage(&tokens));
            let requests = metrics.object("requests").and_then(|requests| requests.count("count"));
            total.requests = total.requests.saturating_add(requests.unwrap_or(0));
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

fn usage(tokens: &Object<'_>) -> Usage {
    let count = |key: &str| tokens.count(key).unwrap_or(0);
    Usage {
        input_tokens: count("inputTokens"),
        cached_input_tokens: count("cacheReadTokens"),
        cache_write_tokens: count("cacheWriteTokens"),
        output_tokens: count("outputTokens"),
        reasoning_tokens: count("reasoningTokens"),
        ..Usage::default()
    }
}
