//! Events as Copilot CLI writes them, versions 0.0.4xx to 1.0.77 (2025 and 2026), learnt from its logs
//! and from the SDK's `session-events.ts`. All fields may drift: one of another JSON type is absent.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{Lax, LongStr, Nested, Str};

/// A line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Event<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) data: Nested<Data<'a>>,
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) timestamp: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) parent_id: Lax<Str<'a>>,
    pub(super) ephemeral: Lax<bool>,
}

/// What an event says, whatever its type.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Data<'a> {
    // Of the session.
    #[serde(borrow)]
    pub(super) session_id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) copilot_version: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) selected_model: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) new_model: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) context: Nested<Context<'a>>,
    #[serde(borrow)]
    pub(super) model_metrics: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) up_to_event_id: Lax<Str<'a>>,
    pub(super) events_removed: Lax<u64>,
    // Of what is said.
    #[serde(borrow)]
    pub(super) content: Lax<LongStr<'a>>,
    #[serde(borrow)]
    pub(super) message: Lax<LongStr<'a>>,
    #[serde(borrow)]
    pub(super) reason: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) reasoning_text: Lax<LongStr<'a>>,
    #[serde(borrow)]
    pub(super) summary_content: Lax<LongStr<'a>>,
    pub(super) pre_compaction_tokens: Lax<u64>,
    #[serde(borrow)]
    pub(super) attachments: Option<&'a RawValue>,
    /// Of a prompt that no person typed: who did.
    #[serde(borrow)]
    pub(super) source: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) model: Lax<Str<'a>>,
    pub(super) output_tokens: Lax<u64>,
    // Of calls.
    #[serde(borrow)]
    pub(super) tool_requests: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_call_id: Lax<Str<'a>>,
    /// The call that started the subagent whose event this is.
    #[serde(borrow)]
    pub(super) parent_tool_call_id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) tool_name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) success: Lax<bool>,
    #[serde(borrow)]
    pub(super) result: Nested<Output<'a>>,
    #[serde(borrow)]
    pub(super) error: Nested<Failure<'a>>,
    // Of subagents.
    #[serde(borrow)]
    pub(super) agent_name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) agent_description: Lax<Str<'a>>,
    pub(super) total_tokens: Lax<u64>,
    pub(super) duration_ms: Lax<u64>,
}

/// Where the session runs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Context<'a> {
    #[serde(borrow)]
    pub(super) cwd: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) branch: Lax<Str<'a>>,
}

/// A call that an answer asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Request<'a> {
    #[serde(borrow)]
    pub(super) tool_call_id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

/// What a call gave. `detailedContent` is the same at more length, for a person's terminal.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Output<'a> {
    #[serde(borrow)]
    pub(super) content: Lax<LongStr<'a>>,
}

/// Why a call failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Failure<'a> {
    #[serde(borrow)]
    pub(super) message: Lax<LongStr<'a>>,
}

/// A file that came with a prompt.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attachment<'a> {
    #[serde(borrow)]
    pub(super) path: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) display_name: Lax<Str<'a>>,
}

/// What one model used from a start or resumption to the next shutdown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Metrics {
    pub(super) requests: Nested<Requests>,
    pub(super) usage: Nested<Tokens>,
}

/// How many model calls.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Requests {
    pub(super) count: Lax<u64>,
}

/// Tokens; those of the cache are in the input.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Tokens {
    pub(super) input_tokens: Lax<u64>,
    pub(super) output_tokens: Lax<u64>,
    pub(super) cache_read_tokens: Lax<u64>,
    pub(super) cache_write_tokens: Lax<u64>,
    pub(super) reasoning_tokens: Lax<u64>,
}
