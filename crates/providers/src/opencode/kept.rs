//! Sessions, messages and parts, kept until all are there: in a storage folder they come in any order, and in an exported document messages
//! do not stand in the order of time.

use std::collections::HashMap;

use palimpsest_record::{Span, Text};
use serde_json::value::RawValue;

use crate::{EntryId, Line, Object};

/// All that was read.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) sessions: Vec<Facts>,
    pub(super) messages: Vec<Message>,
    /// The message of each id.
    by_id: HashMap<Text, usize>,
}

/// What the log says of a session.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) id: Text,
    pub(super) parent: Option<Text>,
    /// Its JSON.
    pub(super) json: Text,
}

/// A message with its parts.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) id: Text,
    pub(super) session: Text,
    /// Milliseconds, as logged.
    pub(super) created: Option<f64>,
    /// What it is without its parts; nothing where only parts of it were found.
    pub(super) info: Option<Kept>,
    pub(super) parts: Vec<Kept>,
}

/// An object of the log.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) json: Text,
    pub(super) span: Span,
    pub(super) entry: EntryId,
}

impl Kept {
    fn of(json: &str, line: &Line<'_>) -> Kept {
        Kept { json: Text::from(json), span: line.span, entry: line.entry }
    }

    /// It as a line.
    pub(super) fn line(&self) -> Line<'_> {
        Line { text: &self.json, span: self.span, entry: self.entry }
    }
}

impl Store {
    /// Notes a session; whether it is new.
    pub(super) fn session(&mut self, info: &Object<'_>) -> bool {
        let Some(id) = info.words("id") else { return false };
        if self.sessions.iter().any(|known| *known.id == *id) {
            return false;
        }
        let json: Vec<String> =
            info.entries().map(|(key, value)| format!("{}:{value}", serde_json::Value::from(key))).collect();
        self.sessions.push(Facts {
            id: Text::from(&*id),
            parent: info.words("parentID").map(|id| Text::from(&*id)),
            json: Text::from(format!("{{{}}}", json.join(","))),
        });
        true
    }

    /// Keeps the message whose `info` this is; its number.
    pub(super) fn message(&mut self, info: Option<&RawValue>, line: &Line<'_>) -> Option<usize> {
        self.add(info?.get(), line)
    }

    /// Keeps a message that is a file of its own.
    pub(super) fn stored_message(&mut self, line: &Line<'_>) -> Option<usize> {
        self.add(line.text, line)
    }

    fn add(&mut self, json: &str, line: &Line<'_>) -> Option<usize> {
        let info = Object::parse(json)?;
        info.str("role")?;
        let id = info
            .words("id")
            .unwrap_or_else(|| format!("line-{}-{}", line.span.file, line.span.line_first).into());
        let at = self.slot(&id, &info.str("sessionID").unwrap_or_default());
        let message = self.messages.get_mut(at)?;
        message.created = info.object("time").and_then(|time| time.number("created"));
        message.info = Some(Kept::of(json, line));
        Some(at)
    }

    /// Keeps a part of a message: of the one named, or of that which it names itself. Whether it is one.
    pub(super) fn part(&mut self, message: Option<usize>, line: &Line<'_>) -> bool {
        let at = message.or_else(|| {
            let part = Object::parse(line.text)?;
            part.str("type")?;
            Some(self.slot(&part.words("messageID")?, &part.str("sessionID").unwrap_or_default()))
        });
        let message = at.and_then(|at| self.messages.get_mut(at));
        message.map(|message| message.parts.push(Kept::of(line.text, line))).is_some()
    }

    /// The number of the message with this id.
    fn slot(&mut self, id: &str, session: &str) -> usize {
        if let Some(&at) = self.by_id.get(id) {
            return at;
        }
        self.by_id.insert(Text::from(id), self.messages.len());
        self.messages.push(Message {
            id: Text::from(id),
            session: Text::from(session),
            created: None,
            info: None,
            parts: Vec::new(),
        });
        self.messages.len() - 1
    }
}
