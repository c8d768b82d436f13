//! JSON objects whose values are read only where somebody asks for them.
//!
//! Most adapters look at a few fields of each record, of whatever type those have today. Asked for one by one, a field
//! that is missing or of another type is absent and fails nothing, and no adapter has foreign types of its own.

use std::borrow::Cow;
use std::fmt;

use palimpsest_record::Timestamp;
use palimpsest_record::escape::unescape;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::{Str, inside};

/// A JSON object whose values are not parsed yet.
#[derive(Debug, Clone, Default)]
pub struct Object<'a>(Vec<(Str<'a>, &'a RawValue)>);

impl<'a> Object<'a> {
    /// Reads an object; `None` where `json` is none.
    pub fn parse(json: &'a str) -> Option<Object<'a>> {
        serde_json::from_str(json).ok()
    }

    /// The value as it stands. Of a key that is there twice the last counts.
    pub fn value(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(name, _)| **name == *key).map(|(_, value)| *value)
    }

    /// Whether the key is there, with whatever value.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// The value as JSON text.
    pub fn raw(&self, key: &str) -> Option<&'a str> {
        self.value(key).map(RawValue::get)
    }

    /// The value, where it is a string.
    pub fn str(&self, key: &str) -> Option<Cow<'a, str>> {
        self.value(key).and_then(string)
    }

    /// The value, where it is a string that says something.
    pub(crate) fn words(&self, key: &str) -> Option<Cow<'a, str>> {
        self.str(key).filter(|text| !text.trim().is_empty())
    }

    /// The value, where it is a whole number that is not negative.
    pub(crate) fn count(&self, key: &str) -> Option<u64> {
        let number = self.number(key)?;
        (number >= 0.0 && number.is_finite()).then_some(number as u64)
    }

    /// The value, where it is a number.
    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        serde_json::from_str(self.raw(key)?).ok()
    }

    /// The value is `true`.
    pub(crate) fn is(&self, key: &str) -> bool {
        self.raw(key) == Some("true")
    }

    /// The value as an instant: RFC 3339 text, or milliseconds.
    pub(crate) fn instant(&self, key: &str) -> Option<Timestamp> {
        match self.str(key) {
            Some(text) => Timestamp::parse(&text),
            None => self.number(key).and_then(after_epoch),
        }
    }

    /// The value as an instant, where it is a number of seconds.
    pub(crate) fn seconds(&self, key: &str) -> Option<Timestamp> {
        self.number(key).map(|seconds| seconds * 1000.0).and_then(after_epoch)
    }

    /// The value, where it is an object.
    pub fn object(&self, key: &str) -> Option<Object<'a>> {
        Object::parse(self.raw(key)?)
    }

    /// The elements of the value; none where it is no list.
    pub(crate) fn list(&self, key: &str) -> Vec<&'a RawValue> {
        self.value(key).map(elements).unwrap_or_default()
    }

    /// The objects among the elements of the value.
    pub(crate) fn objects(&self, key: &str) -> Vec<Object<'a>> {
        self.list(key).into_iter().filter_map(|element| Object::parse(element.get())).collect()
    }

    /// The first object of the value, where it is a list of objects.
    pub fn first_of(&self, key: &str) -> Option<Object<'a>> {
        first_element(self.raw(key)?)
    }

    /// The keys as they stand.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| &**key)
    }

    /// The keys and values as they stand.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, value)| (&**key, *value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

/// The text of a value, where it is a string.
pub(crate) fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    inside(value).map(unescape)
}

/// The elements of a value; none where it is no list.
pub(crate) fn elements(value: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// The first element of a JSON list, where it is an object.
pub(crate) fn first_element(json: &str) -> Option<Object<'_>> {
    let elements: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Object::parse(elements.first()?.get())
}

/// Milliseconds since the epoch, as far as RFC 3339 can say them.
fn after_epoch(ms: f64) -> Option<Timestamp> {
    const END_OF_9999: f64 = 253_402_300_800_000.0;
    (0.0..END_OF_9999).contains(&ms).then_some(Timestamp::from_millis(ms as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_another_type_is_absent() {
        let json =
            r#"{"text":"a\n","number":2.5,"yes":true,"list":[{"x":1},2],"text":"b","at":1772445600000}"#;
        let object = Object::parse(json).unwrap();
        assert_eq!(object.str("text").as_deref(), Some("b"));
        assert_eq!((object.str("number"), object.number("text")), (None, None));
        assert_eq!((object.count("number"), object.is("yes"), object.is("number")), (Some(2), true, false));
        assert_eq!(
            (object.list("list").len(), object.objects("list").len(), object.list("text").len()),
            (2, 1, 0)
        );
        assert_eq!(object.instant("at").unwrap().to_string(), "2026-03-02T10:00:00Z");
        assert!(Object::parse("[]").is_none());
    }
}
