//! What Codex writes, as far as it is read.
//!
//! Learnt from openai/codex `protocol/src/{protocol,models,items}.rs` and `rollout/src/policy.rs` of
//! several versions, from real logs of 0.104 to 0.171, and from the older npm tool's documents.
//! A line of today is `{timestamp, ordinal?, type, payload}`; up to 0.3x it was the item alone.
//! Fields that are not listed are skipped without being unescaped: half of a long log is
//! replacement histories, world states and copies of outputs.

pub(super) mod event;
pub(super) mod item;
pub(super) mod part;

use std::borrow::Cow;
use std::fmt;

use palimpsest_record::escape::{replace_lone_surrogates, unescape};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::sniff::is_wrapped;
use crate::json::{Lax, Nested, Str};
use event::Event;
use item::Item;

/// One line.
pub(super) struct LogLine<'a> {
    /// When, as written.
    pub(super) timestamp: Lax<Str<'a>>,
    /// Its place in a paginated history.
    pub(super) ordinal: Option<u64>,
    /// Its type; absent on the header and the state lines of bare logs.
    pub(super) kind: Lax<Str<'a>>,
    /// What it carries.
    pub(super) body: Body<'a>,
    has_payload: bool,
}

/// What a line carries.
pub(super) enum Body<'a> {
    /// `session_meta`: the session, or the one that this file was copied from.
    Meta(Box<Meta<'a>>),
    /// `response_item`: the conversation as the model has it.
    Item(Box<Item<'a>>),
    /// `event_msg`: what a person was shown.
    Event(Box<Event<'a>>),
    /// `turn_context`: settings of the turn that follows.
    Context(TurnContext<'a>),
    /// `compacted`: a summary took the place of the history.
    Compacted(Compacted<'a>),
    /// `token_usage_record`: what one model call used.
    Spent(Spent<'a>),
    /// A payload of a type with nothing to show, or of one that this version does not know.
    Sealed,
    /// No payload, but a type: the item itself, as bare logs have it.
    Bare(Box<Item<'a>>),
    /// Neither: the header of a bare log, or a line of its state.
    Header(Box<Meta<'a>>),
}

impl<'a> LogLine<'a> {
    /// Reads a line; `None` where it is JSON, but of another shape.
    pub(super) fn parse(text: &'a str) -> Result<Option<LogLine<'a>>, serde_json::Error> {
        let line = serde_json::from_str::<LogLine<'a>>(text).and_then(|mut line| {
            if !line.has_payload {
                line.body = bare(text, line.kind.text())?;
            }
            Ok(line)
        });
        match line {
            // What is kept unopened was not looked into: a lone surrogate in it would be found too late.
            Ok(line) if line.body.has_unopened() && is_cut(text) => Err(Error::custom("a lone surrogate")),
            Ok(line) => Ok(Some(line)),
            Err(error) if error.is_data() && !is_cut(text) => {
                // The rest of the line has not been looked at.
                serde_json::from_str::<IgnoredAny>(text).map(|_| None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether a string in it was cut inside a surrogate pair.
fn is_cut(json: &str) -> bool {
    replace_lone_surrogates(json).is_some()
}

impl Body<'_> {
    fn has_unopened(&self) -> bool {
        match self {
            Body::Item(item) | Body::Bare(item) => item.has_unopened(),
            Body::Event(event) => event.has_unopened(),
            _ => false,
        }
    }
}

fn bare<'a>(text: &'a str, kind: Option<&str>) -> Result<Body<'a>, serde_json::Error> {
    Ok(match kind {
        Some(kind) if is_wrapped(kind) => Body::Sealed,
        Some(_) => Body::Bare(serde_json::from_str(text)?),
        None => Body::Header(serde_json::from_str(text)?),
    })
}

impl<'de> Deserialize<'de> for LogLine<'de> {
    /// By hand, because what the payload is depends on the type before it, and a line is parsed once.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LineVisitor;
        impl<'de> Visitor<'de> for LineVisitor {
            type Value = LogLine<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut line = LogLine {
                    timestamp: Lax(None),
                    ordinal: None,
                    kind: Lax(None),
                    body: Body::Sealed,
                    has_payload: false,
                };
                let mut before_its_type: Option<&RawValue> = None;
                while let Some(key) = map.next_key::<Str<'de>>()? {
                    match &*key {
                        "timestamp" => line.timestamp = map.next_value()?,
                        "ordinal" => line.ordinal = map.next_value::<Lax<u64>>()?.0,
                        "type" => line.kind = map.next_value()?,
                        "payload" => {
                            line.has_payload = true;
                            match line.kind.text() {
                                Some(kind) => line.body = payload(kind, &mut map)?,
                                None => before_its_type = Some(map.next_value()?),
                            }
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                if let (Some(raw), Some(kind)) = (before_its_type, line.kind.text()) {
                    line.body = late_payload(kind, raw).map_err(A::Error::custom)?;
                }
                Ok(line)
            }
        }
        deserializer.deserialize_map(LineVisitor)
    }
}

fn payload<'de, A: MapAccess<'de>>(kind: &str, map: &mut A) -> Result<Body<'de>, A::Error> {
    Ok(match kind {
        "session_meta" => Body::Meta(map.next_value()?),
        "response_item" => Body::Item(map.next_value()?),
        "event_msg" => Body::Event(map.next_value()?),
        "turn_context" => Body::Context(map.next_value()?),
        "compacted" => Body::Compacted(map.next_value()?),
        "token_usage_record" => Body::Spent(map.next_value()?),
        _ => {
            map.next_value::<IgnoredAny>()?;
            Body::Sealed
        }
    })
}

fn late_payload<'a>(kind: &str, raw: &'a RawValue) -> Result<Body<'a>, serde_json::Error> {
    let json = raw.get();
    Ok(match kind {
        "session_meta" => Body::Meta(serde_json::from_str(json)?),
        "response_item" => Body::Item(serde_json::from_str(json)?),
        "event_msg" => Body::Event(serde_json::from_str(json)?),
        "turn_context" => Body::Context(serde_json::from_str(json)?),
        "compacted" => Body::Compacted(serde_json::from_str(json)?),
        "token_usage_record" => Body::Spent(serde_json::from_str(json)?),
        _ => Body::Sealed,
    })
}

/// A session's facts: the payload of `session_meta`, or the first line of a bare log.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Meta<'a> {
    #[serde(borrow)]
    pub(super) id: Lax<Str<'a>>,
    /// The session at the root of a tree of agents; equal to `id` elsewhere.
    pub(super) session_id: Lax<Str<'a>>,
    pub(super) timestamp: Lax<Str<'a>>,
    pub(super) cwd: Lax<Str<'a>>,
    pub(super) cli_version: Lax<Str<'a>>,
    pub(super) forked_from_id: Lax<Str<'a>>,
    pub(super) parent_thread_id: Lax<Str<'a>>,
    pub(super) agent_nickname: Lax<Str<'a>>,
    pub(super) agent_role: Lax<Str<'a>>,
    /// Old versions: the person's own instructions.
    pub(super) instructions: Lax<Str<'a>>,
    pub(super) base_instructions: Nested<Instructions<'a>>,
    pub(super) git: Nested<Git<'a>>,
    /// A word, or `{subagent: …}`.
    pub(super) source: Nested<Source<'a>>,
    /// `state` on the lines of bare logs that have nothing to show.
    pub(super) record_type: Lax<Str<'a>>,
}

impl Meta<'_> {
    /// The thread that started this one as its agent.
    pub(super) fn parent(&self) -> Option<String> {
        let of_source = || {
            let agent: SubagentSource<'_> = open(self.source.0.as_ref()?.subagent)?;
            agent.thread_spawn.0?.parent_thread_id.text().map(str::to_owned)
        };
        self.parent_thread_id.text().map(str::to_owned).or_else(of_source)
    }

    /// It is an agent's thread, started by another one.
    pub(super) fn is_agent(&self) -> bool {
        self.source.0.as_ref().is_some_and(|source| source.subagent.is_some())
    }

    /// The whole instructions that the session began with.
    pub(super) fn instructions(&self) -> Option<&str> {
        let base = self.base_instructions.0.as_ref().and_then(|base| base.text.text());
        base.or(self.instructions.text()).filter(|text| !text.trim().is_empty())
    }
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Instructions<'a> {
    #[serde(borrow)]
    pub(super) text: Lax<Str<'a>>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Git<'a> {
    #[serde(borrow)]
    pub(super) branch: Lax<Str<'a>>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Source<'a> {
    /// A word (`review`, `compact`), or an object.
    #[serde(borrow)]
    pub(super) subagent: Option<&'a RawValue>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct SubagentSource<'a> {
    #[serde(borrow)]
    pub(super) thread_spawn: Nested<Spawn<'a>>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Spawn<'a> {
    #[serde(borrow)]
    pub(super) parent_thread_id: Lax<Str<'a>>,
}

/// Settings of a turn.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct TurnContext<'a> {
    #[serde(borrow)]
    pub(super) turn_id: Lax<Str<'a>>,
    pub(super) cwd: Lax<Str<'a>>,
    pub(super) model: Lax<Str<'a>>,
}

/// A compaction. Its `replacement_history` repeats older lines and is skipped.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Compacted<'a> {
    #[serde(borrow)]
    pub(super) message: Lax<Str<'a>>,
}

/// What one model call used.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Spent<'a> {
    #[serde(borrow)]
    pub(super) response_id: Lax<Str<'a>>,
    pub(super) usage: Nested<Tokens>,
}

/// Token counts, of one call or cumulative. The input is whole: cached tokens are a part of it.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    pub(super) input_tokens: Lax<u64>,
    pub(super) cached_input_tokens: Lax<u64>,
    pub(super) cache_write_input_tokens: Lax<u64>,
    pub(super) output_tokens: Lax<u64>,
    pub(super) reasoning_output_tokens: Lax<u64>,
}

/// Reads a value that was kept as text because it is seldom opened; `None` where it is of another
/// shape.
pub(super) fn open<'a, T: serde::Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

/// A kept string as text, unpaired surrogates replaced.
pub(super) fn open_text(raw: &str) -> Option<Cow<'_, str>> {
    raw.trim().strip_prefix('"')?.strip_suffix('"').map(unescape)
}
