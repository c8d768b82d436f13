//! Content parts: of messages, thoughts, tool outputs and events.

use std::borrow::Cow;
use std::fmt;

use palimpsest_record::escape::unescape;
use palimpsest_record::{Block, Text};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::{Lax, LongStr, Str, inside};

/// One part: a text, an image, or something that is not shown.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(in crate::codex) struct Part<'a> {
    /// `input_text`, `output_text`, `summary_text`, `reasoning_text`, `text`, `Text`, `input_image`, …
    #[serde(borrow, rename = "type")]
    pub(in crate::codex) kind: Lax<Str<'a>>,
    pub(in crate::codex) text: Lax<LongStr<'a>>,
    /// A data URL, or an address.
    #[serde(alias = "url")]
    pub(in crate::codex) image_url: Lax<Str<'a>>,
    /// Of a local image: its file.
    pub(in crate::codex) path: Lax<Str<'a>>,
    /// MCP images: base64.
    pub(in crate::codex) data: Lax<Str<'a>>,
    #[serde(rename = "mimeType")]
    pub(in crate::codex) media_type: Lax<Str<'a>>,
}

impl Part<'_> {
    /// The part as something other than text; `None` where there is nothing to show in it.
    pub(in crate::codex) fn block(&self) -> Option<Block> {
        if let Some(url) = self.image_url.text() {
            return Some(image_of_url(url));
        }
        if let Some(data) = self.data.text() {
            return Some(Block::Image {
                media_type: self.media_type.text().map(Text::from),
                encoded_length: Some(data.len() as u64),
                url: None,
            });
        }
        let name = self.path.text()?;
        Some(Block::File { name: Some(Text::from(name)), media_type: None })
    }
}

/// An image that is in the log (only its size is kept) or at an address.
pub(in crate::codex) fn image_of_url(url: &str) -> Block {
    let Some(data) = url.strip_prefix("data:") else {
        return Block::Image { media_type: None, encoded_length: None, url: Some(Text::from(url)) };
    };
    let (head, body) = data.split_once(',').unwrap_or((data, ""));
    let media_type = head.split(';').next().filter(|media_type| !media_type.is_empty());
    Block::Image {
        media_type: media_type.map(Text::from),
        encoded_length: Some(body.len() as u64),
        url: None,
    }
}

/// A list of parts, whatever it was written as: a list, one part, or a text alone.
#[derive(Default)]
pub(in crate::codex) struct Parts<'a>(pub(in crate::codex) Vec<Part<'a>>);

impl Parts<'_> {
    /// The texts that say something.
    pub(in crate::codex) fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| part.text.text()).filter(|text| !text.trim().is_empty())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Parts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor).map(Parts)
    }
}

/// An element of the list, which may be a text alone.
struct Element<'a>(Vec<Part<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Element<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor).map(Element)
    }
}

pub(super) struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Vec<Part<'de>>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(Element(element)) = seq.next_element()? {
            parts.extend(element);
        }
        Ok(parts)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Part::deserialize(MapAccessDeserializer::new(map)).map(|part| vec![part])
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(vec![plain(Cow::Borrowed(text))])
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![plain(Cow::Owned(text.to_owned()))])
    }
    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }
}

fn plain(text: Cow<'_, str>) -> Part<'_> {
    Part { text: Lax(Some(LongStr(text))), ..Part::default() }
}

/// What a tool gave back, as its item holds it.
#[derive(Default)]
pub(in crate::codex) struct Output<'a> {
    pub(in crate::codex) parts: Vec<Part<'a>>,
    /// Old versions say it beside the text.
    pub(in crate::codex) success: Option<bool>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Output<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OutputVisitor;
        impl<'de> Visitor<'de> for OutputVisitor {
            type Value = Output<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                PartsVisitor.visit_seq(seq).map(|parts| Output { parts, success: None })
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut output = Output::default();
                let mut alone = Part::default();
                while let Some(key) = map.next_key::<Str<'de>>()? {
                    match &*key {
                        "content" => output.parts = map.next_value::<Parts<'de>>()?.0,
                        "success" => output.success = map.next_value::<Lax<bool>>()?.0,
                        "type" => alone.kind = map.next_value()?,
                        "text" => alone.text = map.next_value()?,
                        "image_url" => alone.image_url = map.next_value()?,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                if output.parts.is_empty() {
                    output.parts.push(alone);
                }
                Ok(output)
            }
            fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Output::default())
            }
            fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Output::default())
            }
            fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Output::default())
            }
            fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Output::default())
            }
            fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                Ok(Output::default())
            }
        }
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        match inside(raw) {
            Some(text) => Ok(Output { parts: vec![plain(unescape(text))], success: None }),
            None => serde_json::Deserializer::from_str(raw.get())
                .deserialize_any(OutputVisitor)
                .map_err(D::Error::custom),
        }
    }
}
