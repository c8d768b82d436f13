//! What became of every line of a log. Nothing is lost silently: the numbers add up.

use std::collections::BTreeMap;

use palimpsest_record::Span;
use serde::Serialize;

/// What became of one line (of a document: one object).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It became a record of its own.
    Read,
    /// It joined another record: a repeated snapshot, a duplicate stream, a result into its call.
    Merged,
    /// A known type with nothing to show, hidden records included.
    NotShown(TypeName),
    /// A type or shape this version does not know.
    Unknown(TypeName),
    /// Not readable as its container, whatever was recovered from it.
    Damaged(DamageReason),
}

/// A log's own name for a type, kept once. Made by [`Ledger::type_name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeName(u16);

/// Why a line could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamageReason {
    /// It ends inside a record.
    Torn,
    /// It is not a JSON object.
    NotAnObject,
    /// It holds the rest of one record and another whole one, or several; the whole ones were read.
    Glued,
}

impl DamageReason {
    /// One sentence for people.
    pub fn as_str(self) -> &'static str {
        match self {
            DamageReason::Torn => "the line ends inside a record",
            DamageReason::NotAnObject => "the line is not a JSON object",
            DamageReason::Glued => "several records share the line; the whole ones were read",
        }
    }
}

/// Number of a line in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryId(u32);

impl EntryId {
    /// Whether this is the line right behind another one, blank lines aside.
    pub(crate) fn follows(self, other: EntryId) -> bool {
        self.0 == other.0.saturating_add(1)
    }
}

/// One line and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The file, counted from 0.
    pub file: u32,
    /// The line, counted from 1.
    pub line: u32,
    /// Offset of its first byte.
    pub start: u64,
    /// Length in bytes.
    pub length: u32,
    /// What became of it.
    pub outcome: Outcome,
}

/// Most type names the ledger tells apart; a log that makes up more gets `other` for the rest.
const MAX_TYPE_NAMES: usize = 512;
/// Longest type name kept, in bytes.
const MAX_TYPE_NAME: usize = 80;

/// Every line of the session's logs, blank ones left out, and what became of it.
#[derive(Debug, Default)]
pub struct Ledger {
    entries: Vec<Entry>,
    names: Vec<Box<str>>,
}

impl Ledger {
    /// Enters a line, as [`Outcome::Damaged`] until [`settle`](Ledger::settle) says otherwise.
    pub fn enter(&mut self, span: &Span) -> EntryId {
        let id = EntryId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(Entry {
            file: span.file,
            line: span.line_first,
            start: span.byte_start,
            length: u32::try_from(span.byte_end - span.byte_start).unwrap_or(u32::MAX),
            outcome: Outcome::Damaged(DamageReason::NotAnObject),
        });
        id
    }

    /// Says, or says anew, what became of a line. One that was found to be several records in one
    /// stays damaged, whatever becomes of them.
    pub fn settle(&mut self, id: EntryId, outcome: Outcome) {
        if let Some(entry) = self.entries.get_mut(id.0 as usize)
            && entry.outcome != Outcome::Damaged(DamageReason::Glued)
        {
            entry.outcome = outcome;
        }
    }

    /// What became of a line, as far as it is known.
    pub fn outcome(&self, id: EntryId) -> Option<Outcome> {
        self.entries.get(id.0 as usize).map(|entry| entry.outcome)
    }

    /// The name of a type, e.g. `progress/hook_progress`: the log's own words, `type` or `type/subtype`.
    pub fn type_name(&mut self, parts: &[&str]) -> TypeName {
        let mut name = parts.join("/").replace(char::is_control, "\u{fffd}");
        if name.len() > MAX_TYPE_NAME {
            name.truncate(name.floor_char_boundary(MAX_TYPE_NAME));
        }
        if let Some(at) = self.names.iter().position(|known| **known == *name) {
            return TypeName(at as u16);
        }
        if self.names.len() >= MAX_TYPE_NAMES {
            return self.type_name_of_the_rest();
        }
        self.names.push(name.into());
        TypeName(self.names.len() as u16 - 1)
    }

    fn type_name_of_the_rest(&mut self) -> TypeName {
        let at = self.names.iter().position(|known| &**known == "other").unwrap_or_else(|| {
            self.names.push("other".into());
            self.names.len() - 1
        });
        TypeName(at as u16)
    }

    /// Shorthand for [`Outcome::NotShown`].
    pub fn not_shown(&mut self, parts: &[&str]) -> Outcome {
        Outcome::NotShown(self.type_name(parts))
    }

    /// Shorthand for [`Outcome::Unknown`].
    pub fn unknown(&mut self, parts: &[&str]) -> Outcome {
        Outcome::Unknown(self.type_name(parts))
    }

    /// The lines, in the order they were read.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The log's own word for a type.
    pub fn name(&self, name: TypeName) -> &str {
        self.names.get(usize::from(name.0)).map_or("other", |text| text)
    }

    /// The sums, with what the assembler counted.
    pub fn receipt(&self, unattached_results: u64) -> Receipt {
        let lines = self.entries.len() as u64;
        let mut receipt = Receipt { lines, unattached_results, ..Receipt::default() };
        for entry in &self.entries {
            match entry.outcome {
                Outcome::Read => receipt.read += 1,
                Outcome::Merged => receipt.merged += 1,
                Outcome::NotShown(name) => {
                    *receipt.not_shown.entry(self.name(name).to_owned()).or_default() += 1;
                }
                Outcome::Unknown(name) => {
                    *receipt.unknown.entry(self.name(name).to_owned()).or_default() += 1;
                }
                Outcome::Damaged(reason) => receipt.damaged.push(Damaged {
                    file: (entry.file > 0).then_some(entry.file),
                    line: entry.line,
                    reason: reason.as_str(),
                }),
            }
        }
        receipt
    }
}

/// The sums over a ledger: `lines = read + merged + Σ not_shown + Σ unknown + |damaged|`, always.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// Lines that are not blank; of a JSON document: its head and each message and part object.
    pub lines: u64,
    /// Became a record of their own.
    pub read: u64,
    /// Joined another record.
    pub merged: u64,
    /// Known types with nothing to show.
    pub not_shown: BTreeMap<String, u64>,
    /// Types and shapes this version does not know.
    pub unknown: BTreeMap<String, u64>,
    /// Not readable as their container.
    pub damaged: Vec<Damaged>,
    /// Results whose call is nowhere. No line's outcome (the line is `read`): the assembler counts them.
    pub unattached_results: u64,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damaged {
    /// The file, where it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// The line, counted from 1.
    pub line: u32,
    /// Why, in one sentence.
    pub reason: &'static str,
}
