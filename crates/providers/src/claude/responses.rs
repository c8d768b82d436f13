//! API responses: one is written as several lines of the same `message.id`.
//!
//! Mostly each line has one block more. Some versions write what has come so far, over and over;
//! gateways write the whole response twice; a subagent's file may begin with its parent's. A block
//! that says what an earlier one of the response said is that block.

use std::collections::HashMap;

use palimpsest_record::{Block, ContentType, Message, Text, TranscriptRecord, Usage, Visibility};

use super::shapes::ApiUsage;
use super::threads::ThreadId;
use super::words::Words;
use crate::Batch;

/// Blocks of one response that a new one is compared with: no response has as many, and a log
/// that gives one id to all of them must not cost their square.
const COMPARED: usize = 64;

/// One API response.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) thread: ThreadId,
    /// Only relayed lines told of it.
    pub(super) relayed: bool,
    /// Records of its messages.
    spoken: Vec<usize>,
    /// Record that carries its usage.
    usage_at: Option<usize>,
}

/// All responses.
#[derive(Debug, Default)]
pub(super) struct Responses {
    all: Vec<Response>,
    by_id: HashMap<Text, u32>,
}

/// What an earlier block of the response has to do with a text.
pub(super) enum Known {
    /// Nothing: the text is new.
    No,
    /// It says this already.
    Same,
    /// It is the beginning of this.
    Grown(usize),
}

impl Responses {
    /// The response of that id. One that was relayed begins anew when its own lines come.
    pub(super) fn of(&mut self, id: &str, thread: ThreadId, relayed: bool) -> u32 {
        if let Some(&known) = self.by_id.get(id)
            && self
                .all
                .get(known as usize)
                .is_some_and(|known| relayed || !known.relayed || known.thread != thread)
        {
            return known;
        }
        let at = self.all.len() as u32;
        self.by_id.insert(Text::from(id), at);
        self.all.push(Response { thread, relayed, spoken: Vec::new(), usage_at: None });
        at
    }

    /// Looks for `text` among the response's blocks of that content type on earlier lines, which
    /// gave the records before `line`.
    pub(super) fn known(
        &self,
        response: u32,
        text: &Words<'_>,
        kind: ContentType,
        line: usize,
        batch: &Batch,
    ) -> Known {
        for (at, message) in self.before(response, line, batch) {
            if message.content_type != kind {
                continue;
            }
            let Some(begun) = message.text.as_deref() else { continue };
            let length = message.full_length.unwrap_or(begun.len() as u64);
            if text.starts_with(begun) && length <= text.length() {
                let grown = text.length() > length;
                return if grown { Known::Grown(at) } else { Known::Same };
            }
            if begun.starts_with(&**text) {
                return Known::Same;
            }
        }
        Known::No
    }

    /// Whether an earlier line of the response has the same parts.
    pub(super) fn has(&self, response: u32, parts: &[Block], line: usize, batch: &Batch) -> bool {
        self.before(response, line, batch).any(|(_, message)| message.blocks == parts)
    }

    /// The response's last messages before a record.
    fn before<'b>(
        &'b self,
        response: u32,
        line: usize,
        batch: &'b Batch,
    ) -> impl Iterator<Item = (usize, &'b Message)> {
        let spoken = self.all.get(response as usize).map_or(&[][..], |response| &response.spoken);
        let earlier = spoken.get(..spoken.partition_point(|&at| at < line)).unwrap_or_default();
        earlier.iter().rev().take(COMPARED).filter_map(|&at| match batch.records.get(at) {
            Some(TranscriptRecord::Message(message)) => Some((at, message.as_ref())),
            _ => None,
        })
    }

    /// Nothing of the response became a record.
    pub(super) fn is_silent(&self, response: u32) -> bool {
        self.all.get(response as usize).is_none_or(|response| response.spoken.is_empty())
    }

    /// Remembers a message of the response.
    pub(super) fn said(&mut self, response: u32, record: usize) {
        if let Some(response) = self.all.get_mut(response as usize) {
            response.spoken.push(record);
        }
    }

    /// Puts the response's usage on one record: the first that is shown, else the first. Of several
    /// lines' usage the one with the most output holds, the later of equals.
    pub(super) fn used(&mut self, response: u32, usage: Usage, batch: &mut Batch) {
        let Some(response) = self.all.get_mut(response as usize) else { return };
        let carrier = response.usage_at.and_then(|at| batch.message_mut(at));
        let kept = carrier.and_then(|carrier| carrier.usage.take());
        let usage = kept.filter(|kept| kept.output_tokens > usage.output_tokens).unwrap_or(usage);
        let shown = |at: usize| {
            matches!(batch.records.get(at), Some(TranscriptRecord::Message(message))
                if message.visibility != Visibility::Hidden)
        };
        if response.usage_at.is_none_or(|at| !shown(at)) {
            let better = response.spoken.iter().copied().take(COMPARED).find(|&at| shown(at));
            response.usage_at = better.or(response.usage_at).or(response.spoken.first().copied());
        }
        if let Some(message) = response.usage_at.and_then(|at| batch.message_mut(at)) {
            message.usage = Some(usage);
        }
    }
}

/// A response's usage; `None` where nothing was counted, because then no model was asked.
pub(super) fn usage(api: &ApiUsage, cost_usd: Option<f64>, request: &Text) -> Option<Usage> {
    let of = |count: &crate::json::Lax<u64>| count.unwrap_or_default();
    let (cached, written) = (of(&api.cache_read_input_tokens), of(&api.cache_creation_input_tokens));
    let thinking = api.output_tokens_details.0.as_ref().map_or(0, |details| of(&details.thinking_tokens));
    let usage = Usage {
        input_tokens: of(&api.input_tokens).saturating_add(cached).saturating_add(written),
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: of(&api.output_tokens),
        reasoning_tokens: thinking,
        cost_usd,
        request: Some(request.clone()),
    };
    (!usage.is_empty()).then_some(usage)
}
