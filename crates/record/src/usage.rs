//! Tokens and cost of model calls.

use serde::{Deserialize, Serialize};

use crate::Text;

/// What one model call used, or the sum over several.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// The whole input in tokens, cached input folded in.
    pub input_tokens: u64,
    /// The part of `input_tokens` that was read from a cache.
    pub cached_input_tokens: u64,
    /// The part of `input_tokens` that was written to a cache.
    pub cache_write_tokens: u64,
    /// Output in tokens, reasoning included.
    pub output_tokens: u64,
    /// The part of `output_tokens` that was reasoning.
    pub reasoning_tokens: u64,
    /// US dollars, only where the log says so; never computed here.
    pub cost_usd: Option<f64>,
    /// Identity of the model call, so that one written on several records counts once.
    pub request: Option<Text>,
}

impl Usage {
    /// All counts zero and no cost: no model call was made.
    pub fn is_empty(&self) -> bool {
        self.input_tokens == 0
            && self.cached_input_tokens == 0
            && self.cache_write_tokens == 0
            && self.output_tokens == 0
            && self.reasoning_tokens == 0
            && self.cost_usd.is_none_or(|cost| cost == 0.0)
    }

    /// Adds the counts of `other`; the sum has no `request`. Counts saturate: a log may hold any number.
    pub fn add(&mut self, other: &Usage) {
        self.request = None;
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(other.cache_write_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.cost_usd = match (self.cost_usd, other.cost_usd) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }
}
