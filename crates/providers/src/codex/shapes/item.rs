//! Response items: the conversation as the model has it. One flat shape for all types, so that an
//! item is parsed once, in whatever order its fields come.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::part::{Output, Parts};
use crate::json::{Lax, Nested, Str};

/// An item; `kind` says which fields count.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub(in crate::codex) kind: Lax<Str<'a>>,
    pub(in crate::codex) id: Lax<Str<'a>>,
    /// `message`: user, assistant, developer or system.
    pub(in crate::codex) role: Lax<Str<'a>>,
    /// `message`, `agent_message`; of `reasoning` the raw thought, where a model gives it.
    pub(in crate::codex) content: Parts<'a>,
    #[serde(rename = "internal_chat_message_metadata_passthrough")]
    pub(in crate::codex) passthrough: Nested<Passthrough<'a>>,
    /// `reasoning`: what may be shown of it. The rest is encrypted.
    pub(in crate::codex) summary: Parts<'a>,
    /// Joins a call, its output and the events about it.
    pub(in crate::codex) call_id: Lax<Str<'a>>,
    pub(in crate::codex) name: Lax<Str<'a>>,
    pub(in crate::codex) namespace: Lax<Str<'a>>,
    /// `function_call`: JSON in a string; `tool_search_call`: JSON.
    pub(in crate::codex) arguments: Option<&'a RawValue>,
    /// `custom_tool_call`: free text.
    pub(in crate::codex) input: Option<&'a RawValue>,
    pub(in crate::codex) output: Output<'a>,
    /// `local_shell_call`, `web_search_call`.
    pub(in crate::codex) action: Option<&'a RawValue>,
    /// `tool_search_output`.
    pub(in crate::codex) tools: Option<&'a RawValue>,
    /// `image_generation_call`: base64.
    pub(in crate::codex) result: Option<&'a RawValue>,
    pub(in crate::codex) revised_prompt: Lax<Str<'a>>,
    /// `agent_message`: between which agents.
    pub(in crate::codex) author: Lax<Str<'a>>,
    pub(in crate::codex) recipient: Lax<Str<'a>>,
}

impl Item<'_> {
    /// Whether something of it is kept unopened that is opened later.
    pub(super) fn has_unopened(&self) -> bool {
        self.tools.is_some() || self.action.is_some()
    }

    /// What joins the item with outputs and events: its call id, or its own where it has none.
    pub(in crate::codex) fn key(&self) -> Option<&str> {
        self.call_id.text().or(self.id.text()).filter(|key| !key.is_empty())
    }
}

/// What the product notes about a message's parts.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Passthrough<'a> {
    /// For each part where it is from: `user.text`, `environments.environment_context`, …
    #[serde(borrow)]
    pub(in crate::codex) content_item_kinds: Kinds<'a>,
}

/// A list of words; empty where it is something else.
#[derive(Default)]
pub(in crate::codex) struct Kinds<'a>(pub(in crate::codex) Vec<Lax<Str<'a>>>);

impl<'de: 'a, 'a> Deserialize<'de> for Kinds<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        Ok(Kinds(super::open(Some(raw)).unwrap_or_default()))
    }
}
