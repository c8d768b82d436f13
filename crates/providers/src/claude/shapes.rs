//! Claude Code's lines as it writes them, versions 1.0 to 2.1 (2025 to 2026), learnt from its logs.
//!
//! Of each line the outermost members are found first, and only what its type is read for is parsed
//! ([`Record`](super::record::Record)); here is what that may be. All fields may drift: one of
//! another JSON type is absent, never an error.

use std::borrow::Cow;

use palimpsest_record::escape::{replace_lone_surrogates, unescape};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess};
use serde_json::value::RawValue;

use super::words::Words;
use crate::Object;
use crate::google::words;
use crate::json::{Any, Lax, Nested, Str, any, inside};

/// `parentUuid`: a line that has none differs from one that says it has none.
#[derive(Debug, Default)]
pub(super) enum Parent<'a> {
    #[default]
    Unsaid,
    None,
    Uuid(Str<'a>),
}

/// `message`: the API's own shape.
#[derive(Debug, Default)]
pub(super) struct Body<'a> {
    pub(super) id: Lax<Str<'a>>,
    pub(super) model: Lax<Str<'a>>,
    pub(super) content: Content<'a>,
    pub(super) usage: Option<ApiUsage>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BodyFields<'a> {
    #[serde(borrow)]
    id: Lax<Str<'a>>,
    #[serde(borrow)]
    model: Lax<Str<'a>>,
    #[serde(borrow)]
    content: Content<'a>,
    usage: Nested<ApiUsage>,
}

/// What one API response cost. `input_tokens` is what no cache held.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ApiUsage {
    pub(super) input_tokens: Lax<u64>,
    pub(super) cache_creation_input_tokens: Lax<u64>,
    pub(super) cache_read_input_tokens: Lax<u64>,
    pub(super) output_tokens: Lax<u64>,
    pub(super) output_tokens_details: Nested<OutputDetails>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OutputDetails {
    pub(super) thinking_tokens: Lax<u64>,
}

/// The content of a message, or of a tool result.
#[derive(Debug, Default)]
pub(super) enum Content<'a> {
    #[default]
    None,
    Text(Words<'a>),
    Blocks(Vec<Block<'a>>),
}

/// One content block, of whatever type. A bare string among blocks is a text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) text: Lax<Words<'a>>,
    #[serde(borrow)]
    pub(super) thinking: Lax<Words<'a>>,
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) name: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_id: Lax<Str<'a>>,
    #[serde(borrow, deserialize_with = "result_content")]
    pub(super) content: Content<'a>,
    pub(super) is_error: Lax<bool>,
    #[serde(borrow)]
    pub(super) source: Nested<Source<'a>>,
    /// Of a document.
    #[serde(borrow)]
    pub(super) title: Lax<Str<'a>>,
    /// Of a web search hit.
    #[serde(borrow)]
    pub(super) url: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) error_code: Lax<Str<'a>>,
    /// Of a `tool_reference`.
    #[serde(borrow)]
    pub(super) tool_name: Lax<Str<'a>>,
}

/// Where an image's or a document's bytes are: here in base64, or at an address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Source<'a> {
    #[serde(borrow)]
    pub(super) media_type: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) data: Lax<Words<'a>>,
    #[serde(borrow)]
    pub(super) url: Lax<Str<'a>>,
}

/// `data` of a progress line. Only that of a subagent holds anything that is not said elsewhere.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Progress<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) agent_id: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) message: Nested<Relayed<'a>>,
}

/// A line of a subagent, relayed in its parent's log.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Relayed<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) timestamp: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) message: Body<'a>,
    pub(super) is_meta: Lax<bool>,
    pub(super) is_api_error_message: Lax<bool>,
    #[serde(borrow)]
    pub(super) tool_use_result: Option<&'a RawValue>,
}

/// Context added for the model, or (`queued_command`) what a person typed while it worked.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Attachment<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) prompt: Content<'a>,
    #[serde(borrow)]
    pub(super) command_mode: Lax<Str<'a>>,
    #[serde(borrow)]
    pub(super) origin: Option<&'a RawValue>,
    pub(super) is_meta: Lax<bool>,
}

/// The text of a value that was passed over while its line was parsed: a string in it may be cut
/// inside a surrogate pair, which only opening it shows.
pub(super) fn opened(json: &str) -> Cow<'_, str> {
    replace_lone_surrogates(json).map_or(Cow::Borrowed(json), Cow::Owned)
}

impl<'de> Any<'de> for Body<'de> {
    fn text(text: Str<'de>) -> Self {
        Body { content: Content::text(text), ..Body::default() }
    }
    fn object<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let fields = BodyFields::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Body { id: fields.id, model: fields.model, content: fields.content, usage: fields.usage.0 })
    }
}

impl<'de> Any<'de> for Content<'de> {
    fn text(text: Str<'de>) -> Self {
        Content::Text(Words::from(text.0))
    }
    fn copied(text: &str) -> Self {
        Content::Text(Words::copied(text))
    }
    fn list<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        // Nearly all have one block, and a block is large.
        let mut blocks = Vec::with_capacity(1);
        while let Some(Element(block)) = seq.next_element()? {
            blocks.push(block);
        }
        Ok(Content::Blocks(blocks))
    }
    fn object<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        let block = Block::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Content::Blocks(vec![block]))
    }
}

/// The content of a tool's result: a text as long as tools write them, or a short list.
fn result_content<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Content<'de>, D::Error> {
    let raw = <&'de RawValue>::deserialize(deserializer)?;
    match inside(raw) {
        Some(text) => Ok(Content::Text(Words::from(unescape(text)))),
        None => match dialect(raw) {
            Some(text) => Ok(Content::Text(Words::from(Cow::Owned(text)))),
            None => serde_json::from_str(raw.get()).map_err(D::Error::custom),
        },
    }
}

/// What a tool of iFlow gave: its words are where Google's service has them.
fn dialect(raw: &RawValue) -> Option<String> {
    let answer = Object::parse(raw.get())?.object("responseParts")?.object("functionResponse")?;
    Some(words(&answer)?.0.text)
}

/// One element of a content list.
#[derive(Default)]
struct Element<'a>(Block<'a>);

impl<'de> Any<'de> for Element<'de> {
    fn text(text: Str<'de>) -> Self {
        let kind = Lax(Some(Str(Cow::Borrowed("text"))));
        Element(Block { kind, text: Lax(Some(Words::from(text.0))), ..Block::default() })
    }
    fn object<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Block::deserialize(MapAccessDeserializer::new(map)).map(Element)
    }
}

/// `Deserialize` for what implements [`Any`].
macro_rules! deserialize_any {
    ($($type:ident),*) => {$(
        impl<'de: 'a, 'a> Deserialize<'de> for $type<'a> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                any(deserializer)
            }
        }
    )*};
}

deserialize_any!(Body, Content, Element);
