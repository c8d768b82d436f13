//! What a provider sees of a log when it is asked whether the log is its own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A JSON object whose values are not parsed yet.
#[derive(Debug, Clone)]
pub struct HeadObject<'a>(BTreeMap<Cow<'a, str>, &'a RawValue>);

impl<'a> HeadObject<'a> {
    /// Reads an object; `None` where `json` is none.
    pub fn parse(json: &'a str) -> Option<HeadObject<'a>> {
        serde_json::from_str(json).ok().map(HeadObject)
    }

    /// Whether the key is there, with whatever value.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The value as JSON text.
    pub fn raw(&self, key: &str) -> Option<&'a str> {
        self.0.get(key).map(|value| value.get())
    }

    /// The value, where it is a string.
    pub fn str(&self, key: &str) -> Option<Cow<'a, str>> {
        #[derive(Deserialize)]
        struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);
        serde_json::from_str::<Borrowed<'a>>(self.raw(key)?).ok().map(|text| text.0)
    }

    /// The value, where it is an object.
    pub fn object(&self, key: &str) -> Option<HeadObject<'a>> {
        HeadObject::parse(self.raw(key)?)
    }

    /// The first object of the value, where it is an array of objects.
    pub fn first_of(&self, key: &str) -> Option<HeadObject<'a>> {
        first_element(self.raw(key)?)
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(AsRef::as_ref)
    }
}

/// The first element of a JSON array, where it is an object.
pub(crate) fn first_element(json: &str) -> Option<HeadObject<'_>> {
    let elements: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    HeadObject::parse(elements.first()?.get())
}

/// How sure a provider is that an object is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// It is not.
    No,
    /// It could be: the shape is one that others write too.
    Weak,
    /// No one else writes this.
    Strong,
    /// It is a whole log in one JSON document.
    Document,
}

/// How a log holds its records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Container {
    /// One JSON object on each line.
    #[default]
    Lines,
    /// One JSON value, over any number of lines.
    Document,
}

/// Which session a log belongs to, and as what.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    /// The session's id as the log gives it; `None` where it does not say, and then the log joins
    /// the only session beside it, or stands alone.
    pub session: Option<String>,
    /// Main log or companion.
    pub role: FileRole,
}

/// What part of a session a log is. Main logs are read first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// The conversation itself.
    #[default]
    Main,
    /// A subagent's conversation, a workflow's journal, or facts about one of them.
    Companion,
}
