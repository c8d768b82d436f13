//! How each kind of field is kept in columns: its stored form, and both ways.

use palimpsest_record::{
    Block, ContentType, CountMode, Json, LogProvenance, MessageType, ModelUsage, Presentation, Span,
    Superseded, SupersededBy, Text, Timestamp, Usage, Visibility,
};
use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};

use crate::assemble::AssemblyError;

/// A field of a record that a row keeps.
pub trait Column: Sized {
    /// What the row holds: one optional column, or a group of them.
    type Stored: std::fmt::Debug + Clone + Default + PartialEq;

    /// The stored form.
    fn store(self) -> Self::Stored;

    /// The field again. `at` says where, for the error.
    fn restore(stored: Self::Stored, at: At) -> Result<Self, AssemblyError>;
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
}

impl At {
    fn missing(self) -> AssemblyError {
        AssemblyError::MissingColumn { table: self.table, column: self.column }
    }

    fn bad_json(self, error: &serde_json::Error) -> AssemblyError {
        AssemblyError::BadJson { table: self.table, column: self.column, reason: error.to_string() }
    }

    fn word<T: for<'a> Deserialize<'a>>(self, word: &str) -> Result<T, AssemblyError> {
        let reader: StrDeserializer<'_, WordError> = word.into_deserializer();
        T::deserialize(reader).map_err(|_| AssemblyError::UnknownWord {
            table: self.table,
            column: self.column,
            word: word.to_owned(),
        })
    }
}

/// A value that no record does without: its column is never null.
macro_rules! required {
    ($($kind:ty),*) => {$(
        impl Column for $kind {
            type Stored = Option<$kind>;
            fn store(self) -> Self::Stored {
                Some(self)
            }
            fn restore(stored: Self::Stored, at: At) -> Result<Self, AssemblyError> {
                stored.ok_or_else(|| at.missing())
            }
        }
    )*};
}
required!(Text, u64);

/// A value that may be absent.
macro_rules! optional {
    ($($kind:ty),*) => {$(
        impl Column for Option<$kind> {
            type Stored = Option<$kind>;
            fn store(self) -> Self::Stored {
                self
            }
            fn restore(stored: Self::Stored, _: At) -> Result<Self, AssemblyError> {
                Ok(stored)
            }
        }
    )*};
}
optional!(Text, u64);

/// An enum, kept as the word that its JSON has.
macro_rules! word {
    ($($kind:ty),*) => {$(
        impl Column for $kind {
            type Stored = Option<String>;
            fn store(self) -> Self::Stored {
                word_of(self)
            }
            fn restore(stored: Self::Stored, at: At) -> Result<Self, AssemblyError> {
                at.word(&stored.ok_or_else(|| at.missing())?)
            }
        }
    )*};
}
word!(MessageType, ContentType, Presentation, CountMode);

/// A list, kept as JSON; an empty one is null.
macro_rules! list {
    ($($kind:ty),*) => {$(
        impl Column for Vec<$kind> {
            type Stored = Option<String>;
            fn store(self) -> Self::Stored {
                if self.is_empty() { None } else { serde_json::to_string(&self).ok() }
            }
            fn restore(stored: Self::Stored, at: At) -> Result<Self, AssemblyError> {
                stored.map_or_else(|| Ok(Vec::new()), |json| read_json(&json, at))
            }
        }
    )*};
}
list!(Text, Block, ModelUsage);

fn word_of(value: impl Serialize) -> Option<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Some(word),
        _ => None,
    }
}

fn read_json<T: DeserializeOwned>(json: &str, at: At) -> Result<T, AssemblyError> {
    serde_json::from_str(json).map_err(|error| at.bad_json(&error))
}

impl Column for bool {
    type Stored = Option<bool>;
    fn store(self) -> Option<bool> {
        Some(self)
    }
    fn restore(stored: Option<bool>, _: At) -> Result<bool, AssemblyError> {
        Ok(stored.unwrap_or_default())
    }
}

impl Column for Visibility {
    type Stored = Option<String>;
    fn store(self) -> Option<String> {
        Some(self.as_str().to_owned())
    }
    /// The one word that is no error when it is unknown: it fails closed.
    fn restore(stored: Option<String>, _: At) -> Result<Visibility, AssemblyError> {
        Ok(Visibility::from_stored(stored.as_deref()))
    }
}

impl Column for Option<Timestamp> {
    /// Milliseconds since the epoch.
    type Stored = Option<i64>;
    fn store(self) -> Option<i64> {
        self.map(Timestamp::millis)
    }
    fn restore(stored: Option<i64>, _: At) -> Result<Self, AssemblyError> {
        Ok(stored.map(Timestamp::from_millis))
    }
}

impl Column for Json {
    type Stored = Option<Text>;
    fn store(self) -> Option<Text> {
        Some(Text::from(self.get()))
    }
    fn restore(stored: Option<Text>, at: At) -> Result<Json, AssemblyError> {
        let json = stored.ok_or_else(|| at.missing())?;
        Json::parse(&json).map_err(|error| at.bad_json(&error))
    }
}

/// Columns of a usage; all null where there is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UsageColumns {
    /// The whole input in tokens.
    pub input_tokens: Option<u64>,
    /// Its part from a cache.
    pub cached_input_tokens: Option<u64>,
    /// Its part written to a cache.
    pub cache_write_tokens: Option<u64>,
    /// Output in tokens.
    pub output_tokens: Option<u64>,
    /// Its reasoning part.
    pub reasoning_tokens: Option<u64>,
    /// US dollars.
    pub cost_usd: Option<f64>,
    /// Identity of the model call.
    pub request: Option<Text>,
}

impl Column for Option<Usage> {
    type Stored = UsageColumns;
    fn store(self) -> UsageColumns {
        self.map_or_else(UsageColumns::default, |usage| UsageColumns {
            input_tokens: Some(usage.input_tokens),
            cached_input_tokens: Some(usage.cached_input_tokens),
            cache_write_tokens: Some(usage.cache_write_tokens),
            output_tokens: Some(usage.output_tokens),
            reasoning_tokens: Some(usage.reasoning_tokens),
            cost_usd: usage.cost_usd,
            request: usage.request,
        })
    }
    fn restore(stored: UsageColumns, _: At) -> Result<Self, AssemblyError> {
        Ok((stored != UsageColumns::default()).then(|| Usage {
            input_tokens: stored.input_tokens.unwrap_or_default(),
            cached_input_tokens: stored.cached_input_tokens.unwrap_or_default(),
            cache_write_tokens: stored.cache_write_tokens.unwrap_or_default(),
            output_tokens: stored.output_tokens.unwrap_or_default(),
            reasoning_tokens: stored.reasoning_tokens.unwrap_or_default(),
            cost_usd: stored.cost_usd,
            request: stored.request,
        }))
    }
}

/// Columns of a span; all null where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpanColumns {
    /// Which file.
    pub file: Option<u32>,
    /// First line.
    pub line_first: Option<u32>,
    /// Last line.
    pub line_last: Option<u32>,
    /// Offset of the first byte.
    pub byte_start: Option<u64>,
    /// Offset behind the last byte.
    pub byte_end: Option<u64>,
}

impl Column for Option<Span> {
    type Stored = SpanColumns;
    fn store(self) -> SpanColumns {
        self.map_or_else(SpanColumns::default, |span| SpanColumns {
            file: Some(span.file),
            line_first: Some(span.line_first),
            line_last: Some(span.line_last),
            byte_start: Some(span.byte_start),
            byte_end: Some(span.byte_end),
        })
    }
    fn restore(stored: SpanColumns, _: At) -> Result<Self, AssemblyError> {
        Ok((stored != SpanColumns::default()).then(|| Span {
            file: stored.file.unwrap_or_default(),
            line_first: stored.line_first.unwrap_or_default(),
            line_last: stored.line_last.unwrap_or_default(),
            byte_start: stored.byte_start.unwrap_or_default(),
            byte_end: stored.byte_end.unwrap_or_default(),
        }))
    }
}

/// Columns of what superseded a record; all null where nothing did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SupersededColumns {
    /// The word for how.
    pub how: Option<String>,
    /// When, in milliseconds since the epoch.
    pub at: Option<i64>,
    /// By which record.
    pub by: Option<Text>,
}

impl Column for Option<Superseded> {
    type Stored = SupersededColumns;
    fn store(self) -> SupersededColumns {
        self.map_or_else(SupersededColumns::default, |superseded| SupersededColumns {
            how: word_of(superseded.how),
            at: superseded.at.store(),
            by: superseded.by,
        })
    }
    fn restore(stored: SupersededColumns, at: At) -> Result<Self, AssemblyError> {
        let Some(how) = stored.how else { return Ok(None) };
        let how: SupersededBy = at.word(&how)?;
        Ok(Some(Superseded { how, at: stored.at.map(Timestamp::from_millis), by: stored.by }))
    }
}

/// Columns of where a session was read from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogColumns {
    /// Files.
    pub files: Option<u32>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Lines.
    pub lines: Option<u64>,
}

impl Column for LogProvenance {
    type Stored = LogColumns;
    fn store(self) -> LogColumns {
        LogColumns { files: Some(self.files), bytes: Some(self.bytes), lines: Some(self.lines) }
    }
    fn restore(stored: LogColumns, _: At) -> Result<LogProvenance, AssemblyError> {
        Ok(LogProvenance {
            files: stored.files.unwrap_or_default(),
            bytes: stored.bytes.unwrap_or_default(),
            lines: stored.lines.unwrap_or_default(),
        })
    }
}
