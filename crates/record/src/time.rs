//! Instants.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// An instant, in milliseconds since 1970-01-01T00:00:00Z; RFC 3339 in JSON.
///
/// Finer fractions are cut: no provider logs them, and equal instants must compare equal whatever
/// the source wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant `ms` milliseconds after the epoch.
    pub fn from_millis(ms: i64) -> Timestamp {
        Timestamp(ms)
    }

    /// Milliseconds since the epoch.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Reads an RFC 3339 time, e.g. `2026-03-02T10:04:00.120Z`; `None` where it is none.
    pub fn parse(text: &str) -> Option<Timestamp> {
        let nanos = OffsetDateTime::parse(text, &Rfc3339).ok()?.unix_timestamp_nanos();
        i64::try_from(nanos.div_euclid(1_000_000)).ok().map(Timestamp)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .ok()
            .and_then(|instant| instant.format(&Rfc3339).ok());
        // Beyond the year 9999 there is no RFC 3339 form; the number still says what was logged.
        match written {
            Some(text) => f.write_str(&text),
            None => write!(f, "{} ms", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_i64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return i64::deserialize(deserializer).map(Timestamp);
        }
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Timestamp::parse(&text).ok_or_else(|| de::Error::custom("not an RFC 3339 time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        let check = |text: &str, ms: Option<i64>, again: &str| {
            let read = Timestamp::parse(text);
            assert_eq!(read.map(Timestamp::millis), ms, "{text}");
            assert_eq!(read.map(|instant| instant.to_string()).unwrap_or_default(), again);
        };
        check("1970-01-01T00:00:01.500Z", Some(1500), "1970-01-01T00:00:01.5Z");
        check("2026-03-02T10:04:00.123456+02:00", Some(1_772_438_640_123), "2026-03-02T08:04:00.123Z");
        check("yesterday", None, "");
    }
}
