//! Events, and the items of `item_completed`: two generations of the same facts. One flat shape
//! reads both, so that a command's end is one thing however it was written.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Tokens;
use super::part::Parts;
use crate::json::{Lax, Nested, Str};

/// An event; `kind` says which fields count.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Event<'a> {
    #[serde(borrow, rename = "type")]
    pub(in crate::codex) kind: Lax<Str<'a>>,
    /// `item_completed`: an event of the same shape. Kept as text, because a type that holds itself
    /// would let a hostile line nest until the stack is full.
    pub(in crate::codex) item: Option<&'a RawValue>,
    pub(in crate::codex) id: Lax<Str<'a>>,
    #[serde(alias = "callId")]
    pub(in crate::codex) call_id: Lax<Str<'a>>,
    pub(in crate::codex) turn_id: Lax<Str<'a>>,

    // What was said.
    pub(in crate::codex) message: Lax<Str<'a>>,
    pub(in crate::codex) text: Lax<Str<'a>>,
    pub(in crate::codex) content: Parts<'a>,
    pub(in crate::codex) summary_text: Parts<'a>,
    pub(in crate::codex) raw_content: Parts<'a>,
    pub(in crate::codex) images: Parts<'a>,
    pub(in crate::codex) local_images: Parts<'a>,
    pub(in crate::codex) fragments: Parts<'a>,
    /// Old `user_message`: `plain`, or what kind of injected text it is. `Extension`: its name.
    #[serde(rename = "kind")]
    pub(in crate::codex) sort: Lax<Str<'a>>,

    // Tools.
    pub(in crate::codex) command: Option<&'a RawValue>,
    pub(in crate::codex) cwd: Lax<Str<'a>>,
    /// Who ran the command: `user_shell` for a person's own.
    pub(in crate::codex) source: Lax<Str<'a>>,
    pub(in crate::codex) aggregated_output: Option<&'a RawValue>,
    pub(in crate::codex) stdout: Option<&'a RawValue>,
    pub(in crate::codex) stderr: Option<&'a RawValue>,
    pub(in crate::codex) exit_code: Lax<f64>,
    pub(in crate::codex) success: Lax<bool>,
    pub(in crate::codex) status: Lax<Str<'a>>,
    pub(in crate::codex) changes: Option<&'a RawValue>,
    pub(in crate::codex) invocation: Nested<Invocation<'a>>,
    pub(in crate::codex) server: Lax<Str<'a>>,
    pub(in crate::codex) tool: Lax<Str<'a>>,
    pub(in crate::codex) arguments: Option<&'a RawValue>,
    /// An MCP call's result, a picture's base64, or a rollout's own word.
    pub(in crate::codex) result: Option<&'a RawValue>,
    /// A text, or an object with a message.
    pub(in crate::codex) error: Option<&'a RawValue>,
    #[serde(alias = "contentItems")]
    pub(in crate::codex) content_items: Option<&'a RawValue>,
    pub(in crate::codex) query: Lax<Str<'a>>,
    pub(in crate::codex) action: Option<&'a RawValue>,
    pub(in crate::codex) results: Option<&'a RawValue>,
    pub(in crate::codex) path: Lax<Str<'a>>,
    pub(in crate::codex) revised_prompt: Lax<Str<'a>>,
    pub(in crate::codex) saved_path: Lax<Str<'a>>,

    // Agents.
    pub(in crate::codex) new_thread_id: Lax<Str<'a>>,
    pub(in crate::codex) new_agent_nickname: Lax<Str<'a>>,
    pub(in crate::codex) new_agent_role: Lax<Str<'a>>,
    #[serde(rename = "receiverThreadIds")]
    pub(in crate::codex) receiver_thread_ids: Parts<'a>,
    pub(in crate::codex) prompt: Lax<Str<'a>>,
    #[serde(alias = "agentThreadId")]
    pub(in crate::codex) agent_thread_id: Lax<Str<'a>>,
    #[serde(alias = "agentPath")]
    pub(in crate::codex) agent_path: Lax<Str<'a>>,
    pub(in crate::codex) event_id: Lax<Str<'a>>,
    #[serde(alias = "agentsStates", alias = "statuses")]
    pub(in crate::codex) agents_states: Option<&'a RawValue>,

    // The turn and the thread.
    pub(in crate::codex) info: Nested<Info>,
    pub(in crate::codex) reason: Lax<Str<'a>>,
    pub(in crate::codex) duration_ms: Lax<u64>,
    pub(in crate::codex) num_turns: Lax<u64>,
    pub(in crate::codex) user_facing_hint: Lax<Str<'a>>,
    pub(in crate::codex) review_output: Nested<Review<'a>>,
    pub(in crate::codex) thread_name: Lax<Str<'a>>,
}

impl Event<'_> {
    /// Whether something of it is kept unopened that is opened later, other than a text alone.
    pub(super) fn has_unopened(&self) -> bool {
        let review = self.review_output.0.as_ref();
        let kept = [self.item, self.result, self.error, self.content_items, self.results, self.action];
        kept.iter().any(Option::is_some) || review.is_some_and(|review| review.findings.is_some())
    }

    /// The call that it is about.
    pub(in crate::codex) fn key(&self) -> Option<&str> {
        self.call_id.text().or(self.id.text()).filter(|key| !key.is_empty())
    }
}

/// The log's own words for an event's type: the items of `item_completed` are in camel case.
pub(in crate::codex) fn event_name(kind: &str) -> [&str; 2] {
    if kind.starts_with(char::is_uppercase) { ["event_msg", "item_completed"] } else { ["event_msg", kind] }
}

/// Which MCP tool was called with what.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Invocation<'a> {
    #[serde(borrow)]
    pub(in crate::codex) tool: Lax<Str<'a>>,
    pub(in crate::codex) arguments: Option<&'a RawValue>,
}

/// What an MCP call gave: by itself, or under `Ok` or `Err`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct McpResult<'a> {
    #[serde(borrow, rename = "Ok")]
    pub(in crate::codex) ok: Nested<McpContent<'a>>,
    #[serde(rename = "Err")]
    pub(in crate::codex) err: Lax<Str<'a>>,
    pub(in crate::codex) content: Parts<'a>,
    #[serde(rename = "isError")]
    pub(in crate::codex) is_error: Lax<bool>,
}

/// What an MCP call that was answered gave.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct McpContent<'a> {
    #[serde(borrow)]
    pub(in crate::codex) content: Parts<'a>,
    #[serde(rename = "isError")]
    pub(in crate::codex) is_error: Lax<bool>,
}

/// `token_count`: cumulative, and of the last call.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Info {
    pub(in crate::codex) total_token_usage: Nested<Tokens>,
    pub(in crate::codex) last_token_usage: Nested<Tokens>,
}

/// What a review found.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Review<'a> {
    #[serde(borrow)]
    pub(in crate::codex) overall_correctness: Lax<Str<'a>>,
    pub(in crate::codex) overall_explanation: Lax<Str<'a>>,
    pub(in crate::codex) findings: Option<&'a RawValue>,
}

/// One thing that a review found.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Finding<'a> {
    #[serde(borrow)]
    pub(in crate::codex) title: Lax<Str<'a>>,
    pub(in crate::codex) body: Lax<Str<'a>>,
    pub(in crate::codex) code_location: Nested<CodeLocation<'a>>,
}

/// Where in the code.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct CodeLocation<'a> {
    #[serde(borrow)]
    pub(in crate::codex) absolute_file_path: Lax<Str<'a>>,
    pub(in crate::codex) line_range: Nested<LineRange>,
}

/// Lines, counted from 1.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct LineRange {
    pub(in crate::codex) start: Lax<u64>,
    pub(in crate::codex) end: Lax<u64>,
}
