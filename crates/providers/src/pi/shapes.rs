//! Pi's entries as it writes them: versions 1 to 3 of its session files (2025 to 2026), learnt from
//! its own session manager and from its logs.
//!
//! One struct holds the fields of every entry type, so that a line is parsed once: what a type does
//! not have is absent. All fields may drift; a field of another JSON type is absent, never an error.

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess};
use serde_json::value::RawValue;

use crate::json::{Any, Lax, Nested, Str, any};

/// One line.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Entry<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    /// Version 1 has none on its entries.
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) parent_id: Link<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Lax<Str<'a>>,

    // session: the header.
    #[serde(borrow)]
    pub(super) cwd: Lax<Str<'a>>,
    /// Path of the file that it was forked from, or that session's id; `branchedFrom` before version 3.
    #[serde(borrow)]
    pub(super) parent_session: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) branched_from: Lax<Str<'a>>,

    // model_change, and the header of version 1.
    #[serde(borrow)]
    pub(super) model_id: Lax<Str<'a>>,

    // message.
    #[serde(borrow)]
    pub(super) message: Nested<Body<'a>>,

    // compaction and branch_summary.
    #[serde(borrow)]
    pub(super) summary: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) first_kept_entry_id: Lax<Str<'a>>,
    /// Version 1: place in the file, the header being 0.
    pub(super) first_kept_entry_index: Lax<u64>,
    pub(super) tokens_before: Lax<u64>,

    // custom and custom_message.
    #[serde(borrow)]
    pub(super) custom_type: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) content: Content<'a>,
    pub(super) display: Lax<bool>,

    // leaf.
    #[serde(borrow)]
    pub(super) target_id: Link<'a>,

    // session_info, and the title line of a fork.
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) title: Lax<Str<'a>>,
}

/// Names another entry. That it names none differs from its saying nothing.
#[derive(Debug, Default)]
pub(super) enum Link<'a> {
    #[default]
    Unsaid,
    Nothing,
    To(Str<'a>),
}

impl<'de: 'a, 'a> Any<'de> for Link<'a> {
    fn null() -> Self {
        Link::Nothing
    }
    fn text(text: Str<'de>) -> Self {
        Link::To(text)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Link<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// `message`: one of the roles user, assistant, toolResult, bashExecution, custom (hookMessage in
/// version 2), branchSummary and compactionSummary.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Body<'a> {
    #[serde(borrow)]
    pub(super) role: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) content: Content<'a>,
    /// Milliseconds since the epoch.
    pub(super) timestamp: Lax<u64>,

    // assistant.
    #[serde(borrow)]
    pub(super) model: Lax<Str<'a>>,
    pub(super) usage: Nested<Tokens>,
    #[serde(borrow)]
    pub(super) stop_reason: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) error_message: Lax<Str<'a>>,

    // toolResult.
    #[serde(borrow)]
    pub(super) tool_call_id: Lax<Str<'a>>,
    pub(super) is_error: Lax<bool>,

    // bashExecution.
    #[serde(borrow)]
    pub(super) command: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) output: Lax<Str<'a>>,
    pub(super) exit_code: Lax<f64>,
    pub(super) cancelled: Lax<bool>,

    // custom.
    #[serde(borrow)]
    pub(super) custom_type: Lax<Str<'a>>,
    pub(super) display: Lax<bool>,

    // branchSummary and compactionSummary.
    #[serde(borrow)]
    pub(super) summary: Lax<Str<'a>>,
    pub(super) tokens_before: Lax<u64>,
}

/// A text, or a list of parts.
#[derive(Debug, Default)]
pub(super) enum Content<'a> {
    #[default]
    None,
    Text(Str<'a>),
    Parts(Vec<Part<'a>>),
}

impl<'de: 'a, 'a> Any<'de> for Content<'a> {
    fn text(text: Str<'de>) -> Self {
        Content::Text(text)
    }
    fn list<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element::<Nested<Part<'a>>>()? {
            parts.extend(part.0);
        }
        Ok(Content::Parts(parts))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// One of text, thinking, toolCall and image.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Part<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) text: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) thinking: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    /// Kept as logged: it is shown, never looked into.
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    /// Base64 of an image: only its length is of use.
    #[serde(borrow)]
    pub(super) data: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) mime_type: Lax<Str<'a>>,
}

/// `usage` of an assistant message: `input` leaves out what was read from or written to a cache.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Tokens {
    pub(super) input: Lax<u64>,
    pub(super) output: Lax<u64>,
    pub(super) cache_read: Lax<u64>,
    pub(super) cache_write: Lax<u64>,
    pub(super) cost: Nested<Cost>,
}

/// US dollars.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Cost {
    pub(super) total: Lax<f64>,
}
