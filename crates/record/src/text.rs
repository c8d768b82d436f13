//! Shared text and raw JSON.
//!
//! A session of 100 MB is mostly text that is read once, kept, and shown in several places (the
//! record, the assembled item, a subagent's page). Both types are one reference-counted block, so
//! a second holder costs a pointer and never a copy.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::escape::replace_lone_surrogates;

/// Longest text, in bytes, that a record carries whole. A longer one keeps a preview of at most
/// this size and its full length; the rest is read again from the log when it is asked for.
pub const PREVIEW_LIMIT: usize = 16 * 1024;

/// Immutable text with cheap clones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Arc<str>);

impl Text {
    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Text {
    fn default() -> Self {
        // Records are made from defaults all the time; an empty text of its own each would be an allocation.
        static EMPTY: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(""));
        Text(Arc::clone(&EMPTY))
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(Arc::from(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(Arc::from(text))
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl Visitor<'_> for TextVisitor {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text::from(text))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// A text cut to [`PREVIEW_LIMIT`], with the length it had.
///
/// One rule on every path: the cut falls on the last character border at or before the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The text, or its beginning.
    pub text: Text,
    /// Length of the whole text in bytes, present only where the text was cut.
    pub full_length: Option<u64>,
}

impl Preview {
    /// Cuts `text` where it is longer than `limit` bytes ([`PREVIEW_LIMIT`] except for a raw lookup).
    pub fn cut(text: &str, limit: usize) -> Preview {
        if text.len() <= limit {
            return Preview { text: Text::from(text), full_length: None };
        }
        let kept = text.get(..text.floor_char_boundary(limit)).unwrap_or_default();
        Preview { text: Text::from(kept), full_length: Some(text.len() as u64) }
    }
}

/// A JSON value kept as the text it was logged as: nothing is unescaped, reordered or rounded
/// until somebody opens it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Json(Text);

impl Json {
    /// Keeps `raw` where it is valid JSON.
    ///
    /// Lone surrogate escapes (`\ud83d` without its other half, as JavaScript writes for a string
    /// cut inside an emoji) become `\ufffd`, because no reader of ours could decode them.
    pub fn parse(raw: &str) -> Result<Json, serde_json::Error> {
        serde_json::from_str::<&RawValue>(raw).map(Json::from_raw)
    }

    /// Keeps a value that a parser has already found to be valid JSON.
    pub fn from_raw(raw: &RawValue) -> Json {
        Json(match replace_lone_surrogates(raw.get()) {
            Some(mended) => Text::from(mended),
            None => Text::from(raw.get()),
        })
    }

    /// A JSON string holding `text`: how a free-text tool input is kept.
    pub fn string(text: &str) -> Json {
        Json(Text::from(serde_json::Value::from(text).to_string()))
    }

    /// The value of `value`.
    pub fn from_value(value: &serde_json::Value) -> Json {
        Json(Text::from(value.to_string()))
    }

    /// The JSON text.
    pub fn get(&self) -> &str {
        &self.0
    }

    /// The parsed value, or `None` where it nests deeper than the parser's limit of 128.
    pub fn to_value(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&self.0).ok()
    }
}

impl Default for Json {
    fn default() -> Self {
        Json(Text::from("null"))
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Text::deserialize(deserializer).map(Json);
        }
        Box::<RawValue>::deserialize(deserializer).map(|raw| Json::from_raw(&raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_cut_on_a_character_border() {
        let whole = Preview::cut("äö", 4);
        assert_eq!((whole.text.as_str(), whole.full_length), ("äö", None));
        let cut = Preview::cut("äö", 3);
        assert_eq!((cut.text.as_str(), cut.full_length), ("ä", Some(4)));
    }

    #[test]
    fn raw_json_is_embedded_as_json_and_kept_as_logged() {
        let json = Json::parse(r#"{"b": 1.10, "a": "\u0041"}"#).unwrap();
        assert_eq!(serde_json::to_string(&[json]).unwrap(), r#"[{"b": 1.10, "a": "\u0041"}]"#);
        assert!(Json::parse("{").is_err());
    }
}
