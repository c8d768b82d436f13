//! Messages as Gemini CLI writes them, versions 0.1 to 0.40 (2025 and 2026), learnt from its logs and its
//! `chatRecordingService.ts`. All fields may drift: one of another JSON type is absent.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{Lax, LongStr, Nested, Str};

/// A line of a log.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entry<'a> {
    // A message.
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    /// Of a saved chat's turn, which has no type.
    #[serde(borrow)]
    pub(super) role: Lax<Str<'a>>,
    // A change of what was written before.
    #[serde(rename = "$set", borrow)]
    pub(super) set: Nested<Head<'a>>,
    #[serde(rename = "$rewindTo", borrow)]
    pub(super) rewind_to: Lax<Str<'a>>,
    // The session.
    #[serde(borrow)]
    pub(super) session_id: Lax<Str<'a>>,
}

/// What is said of the session: by a log's first line, by a change of it, or by a document, which has all of its messages, too.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Head<'a> {
    #[serde(borrow)]
    pub(super) session_id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) summary: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) directories: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) messages: Option<&'a RawValue>,
    /// Turns as the model's service takes them: a saved chat.
    #[serde(borrow)]
    pub(super) history: Option<&'a RawValue>,
}

/// A message; of a saved chat only `role` and `parts` are there.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Message<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) role: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) timestamp: Lax<Str<'a>>,
    /// What was sent to the model.
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    /// What was typed, where that is something else.
    #[serde(borrow)]
    pub(super) display_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) parts: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thoughts: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<&'a RawValue>,
    pub(super) tokens: Nested<Tokens>,
    #[serde(borrow)]
    pub(super) model: Lax<Str<'a>>,
}

/// A thought, as its service sums it up.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Thought<'a> {
    #[serde(borrow)]
    pub(super) subject: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) description: Lax<LongStr<'a>>,
}

/// A call with its result.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Call<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    /// What the terminal showed: a text, or a difference between files.
    #[serde(borrow)]
    pub(super) result_display: Lax<LongStr<'a>>,
    #[serde(borrow)]
    pub(super) status: Lax<Str<'a>>,
    /// The subagent that it started.
    #[serde(borrow)]
    pub(super) agent_id: Lax<Str<'a>>,
}

/// A part of a content.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) text: Lax<LongStr<'a>>,
    pub(super) thought: Lax<bool>,
    #[serde(borrow)]
    pub(super) inline_data: Nested<Data<'a>>,
    #[serde(borrow)]
    pub(super) file_data: Nested<Data<'a>>,
    #[serde(borrow)]
    pub(super) function_call: Nested<Call<'a>>,
    #[serde(borrow)]
    pub(super) function_response: Nested<Answer<'a>>,
}

/// An image or a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Data<'a> {
    #[serde(borrow)]
    pub(super) mime_type: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) data: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) file_uri: Lax<Str<'a>>,
}

/// What a call gave.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) response: Nested<Response<'a>>,
}

/// The words of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Response<'a> {
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// Tokens of a model call. The cached ones are in the input; what tools gave and what was thought are beside.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    pub(super) input: Lax<u64>,
    pub(super) output: Lax<u64>,
    pub(super) cached: Lax<u64>,
    pub(super) thoughts: Lax<u64>,
    pub(super) tool: Lax<u64>,
}
