//! Forgiving field types for foreign shapes.
//!
//! A product may change the type of a field we hardly need; the record must survive that. A `Lax`
//! field that holds another type is absent instead of failing the line. Strings borrow from the
//! line where they have no escape (`Option<Cow<str>>` never does in serde).

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use palimpsest_record::escape::unescape;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A string that borrows from the line where it can.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Str<'a>(pub Cow<'a, str>);

impl Deref for Str<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(LaxVisitor::<Str<'a>>(PhantomData))?
            .ok_or_else(|| D::Error::custom("not a string"))
    }
}

/// A string that is often long: it unescapes itself (see [`unescape`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LongStr<'a>(pub Cow<'a, str>);

impl Deref for LongStr<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Scalar<'de> for LongStr<'a> {
    const IS_LONG: bool = true;
    fn escaped(inside: &'de str) -> Option<Self> {
        Some(LongStr(unescape(inside)))
    }
}

/// What stands between the quotes of a string; `None` where the value is something else.
pub fn inside(value: &RawValue) -> Option<&str> {
    value.get().strip_prefix('"')?.strip_suffix('"')
}

/// A field that is absent where it is missing, null or of another type. Use with `#[serde(default)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lax<T>(pub Option<T>);

impl<T> Default for Lax<T> {
    fn default() -> Self {
        Lax(None)
    }
}

impl<T> Deref for Lax<T> {
    type Target = Option<T>;
    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T: Deref<Target = str>> Lax<T> {
    /// The string, where there is one.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl<'de, T: Scalar<'de>> Deserialize<'de> for Lax<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if T::IS_LONG {
            let raw = <&'de RawValue>::deserialize(deserializer)?;
            return Ok(Lax(inside(raw).and_then(T::escaped)));
        }
        deserializer.deserialize_any(LaxVisitor(PhantomData)).map(Lax)
    }
}

/// What a [`Lax`] field can hold.
pub trait Scalar<'de>: Sized {
    /// It is a text that is often long, and unescapes itself.
    const IS_LONG: bool = false;
    /// From what stands between the quotes of a sound string; for those that unescape themselves.
    fn escaped(inside: &'de str) -> Option<Self> {
        let _ = inside;
        None
    }
    /// From a string that borrows from the input.
    fn borrowed(text: &'de str) -> Option<Self> {
        Self::copied(text)
    }
    /// From a string that had escapes.
    fn copied(text: &str) -> Option<Self> {
        let _ = text;
        None
    }
    /// From a number.
    fn number(value: f64) -> Option<Self> {
        let _ = value;
        None
    }
    /// From a whole number.
    fn integer(value: u64) -> Option<Self> {
        Self::number(value as f64)
    }
    /// From true or false.
    fn boolean(value: bool) -> Option<Self> {
        let _ = value;
        None
    }
}

impl<'de: 'a, 'a> Scalar<'de> for Str<'a> {
    fn borrowed(text: &'de str) -> Option<Self> {
        Some(Str(Cow::Borrowed(text)))
    }
    fn copied(text: &str) -> Option<Self> {
        Some(Str(Cow::Owned(text.to_owned())))
    }
}

impl Scalar<'_> for bool {
    fn boolean(value: bool) -> Option<Self> {
        Some(value)
    }
}

impl Scalar<'_> for u64 {
    fn integer(value: u64) -> Option<Self> {
        Some(value)
    }
    fn number(value: f64) -> Option<Self> {
        (value >= 0.0 && value.is_finite()).then_some(value as u64)
    }
}

impl Scalar<'_> for f64 {
    fn number(value: f64) -> Option<Self> {
        Some(value)
    }
}

struct LaxVisitor<T>(PhantomData<T>);

impl<'de, T: Scalar<'de>> Visitor<'de> for LaxVisitor<T> {
    type Value = Option<T>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(T::borrowed(text))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(T::copied(text))
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(T::boolean(value))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(T::integer(value))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(T::number(value as f64))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(T::number(value))
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// An object that is absent where it is missing or something else. Use with `#[serde(default)]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested<T>(pub Option<T>);

impl<T> Default for Nested<T> {
    fn default() -> Self {
        Nested(None)
    }
}

impl<'de, T: Deserialize<'de>> Any<'de> for Nested<T> {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some).map(Nested)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nested<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// What takes several JSON types, each in its own way, and is its default for the others.
/// `Deserialize` for it is one call of [`any`].
pub trait Any<'de>: Default {
    /// From null.
    fn null() -> Self {
        Self::default()
    }
    /// From a string.
    fn text(text: Str<'de>) -> Self {
        let _ = text;
        Self::default()
    }
    /// From a string that had escapes, before anybody owns it.
    fn copied(text: &str) -> Self {
        Self::text(Str(Cow::Owned(text.to_owned())))
    }
    /// From a list.
    fn list<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
    /// From an object.
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

/// Reads a value of whatever JSON type.
pub fn any<'de, T: Any<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(AnyVisitor(PhantomData))
}

struct AnyVisitor<T>(PhantomData<T>);

impl<'de, T: Any<'de>> Visitor<'de> for AnyVisitor<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<T, E> {
        Ok(T::text(Str(Cow::Borrowed(text))))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(T::copied(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        T::list(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::object(map)
    }
    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Ok(T::null())
    }
    fn visit_bool<E: Error>(self, _: bool) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_u64<E: Error>(self, _: u64) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_i64<E: Error>(self, _: i64) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_f64<E: Error>(self, _: f64) -> Result<T, E> {
        Ok(T::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Sample<'a> {
        #[serde(default, borrow)]
        name: Lax<Str<'a>>,
        #[serde(default)]
        count: Lax<u64>,
        #[serde(default)]
        on: Lax<bool>,
    }

    #[test]
    fn another_type_is_absent_and_fails_nothing() {
        let check = |json: &str, want: (Option<&str>, Option<u64>, Option<bool>)| {
            let sample: Sample<'_> = serde_json::from_str(json).unwrap();
            assert_eq!((sample.name.text(), *sample.count, *sample.on), want, "{json}");
        };
        check(r#"{"name":"n","count":3,"on":true}"#, (Some("n"), Some(3), Some(true)));
        check(r#"{"name":["n",{"a":1}],"count":"3","on":null}"#, (None, None, None));
        check(r#"{"name":{"x":[]},"count":2.9,"on":0}"#, (None, Some(2), None));
        check(r#"{"name":"\u0041","count":-1}"#, (Some("A"), None, None));
    }

    #[test]
    fn what_is_no_object_is_absent_and_fails_nothing() {
        #[derive(Debug, serde::Deserialize)]
        struct Outer<'a> {
            #[serde(default, borrow)]
            inner: Nested<Sample<'a>>,
        }
        let check = |json: &str, want: Option<&str>| {
            let outer: Outer<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(outer.inner.0.as_ref().and_then(|inner| inner.name.text()), want, "{json}");
        };
        check(r#"{"inner":{"name":"n"}}"#, Some("n"));
        for other in ["null", "true", "1", "-1", "1.5", "\"text\"", "[{\"name\":\"n\"}]"] {
            check(&format!("{{\"inner\":{other}}}"), None);
        }
        assert!(serde_json::from_str::<Outer<'_>>(r#"{"inner":{"name":"n"}"#).unwrap_err().is_eof());
    }
}
