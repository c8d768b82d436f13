//! What an adapter notes of a session while it reads.

use palimpsest_record::{Session, Subagent, Text, Timestamp};
use std::collections::BTreeMap;

use crate::batch::hash_of_opening;
use crate::calls::{Calls, Ids};
use crate::undone::TakenBack;
use crate::writing::Place;
use crate::{Batch, Line};

/// The session so far.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    source: Text,
    session_id: Option<Text>,
    /// The log itself says it.
    is_named: bool,
    /// What the log says of the session.
    pub(crate) head: Session,
    /// Its calls.
    pub(crate) calls: Calls,
    /// Ids of its messages.
    pub(crate) ids: Ids,
    /// Its subagents.
    pub(crate) agents: BTreeMap<Text, Subagent>,
    /// What of it was taken back.
    pub(crate) taken_back: TakenBack,
}

impl Notes {
    pub(crate) fn new(source: &str) -> Notes {
        Notes { source: Text::from(source), ..Notes::default() }
    }

    /// The log says the session's id. The first one counts.
    pub(crate) fn name(&mut self, id: Option<&str>) {
        let Some(id) = id.filter(|id| !id.is_empty() && !self.is_named) else { return };
        self.session_id = Some(Text::from(id));
        self.is_named = true;
    }

    /// The session's id. Where nothing says it yet, the log goes by how it begins, which is `opening`.
    pub(crate) fn session_id(&mut self, opening: &str) -> Text {
        let name = || Text::from(format!("log-{:016x}", hash_of_opening(opening)));
        self.session_id.get_or_insert_with(name).clone()
    }

    /// The place of an entry's records. Without an id of its own it goes by its line.
    pub(crate) fn place(&mut self, id: Option<&str>, at: Option<Timestamp>, line: &Line<'_>) -> Place {
        let id = match id.filter(|id| !id.is_empty()) {
            Some(id) => self.ids.unique(id),
            None => self.ids.unique(&format!("line-{}-{}", line.span.file + 1, line.span.line_first)),
        };
        Place {
            id,
            session_id: self.session_id(line.text),
            source: self.source.clone(),
            parent_id: None,
            agent_id: None,
            seq: line.seq(0),
            at,
            span: line.span,
        }
    }

    /// The subagent of an id.
    pub(crate) fn agent(&mut self, id: &str) -> &mut Subagent {
        let id = Text::from(id);
        self.agents.entry(id.clone()).or_insert_with(|| Subagent { agent_id: id, ..Subagent::default() })
    }

    /// All is read: settles what was taken back and pushes the agents and the session.
    pub(crate) fn finish(&mut self, attests_inactive: bool, batch: &mut Batch) {
        std::mem::take(&mut self.taken_back).settle(batch);
        let id = self.session_id("");
        // What names the session may come late.
        batch.rename_session(&id);
        for (_, agent) in std::mem::take(&mut self.agents) {
            batch.push(Subagent { session_id: id.clone(), ..agent });
        }
        let head = std::mem::take(&mut self.head);
        batch.push(Session { id, attests_inactive, source: self.source.clone(), ..head });
    }
}

/// Notes a fact that the first word on it settles.
pub(crate) fn first(fact: &mut Option<Text>, text: Option<impl AsRef<str>>) {
    let text = text.filter(|text| !text.as_ref().is_empty());
    if let Some(text) = text.filter(|_| fact.is_none()) {
        *fact = Some(Text::from(text.as_ref()));
    }
}

/// Notes a fact that the last word on it settles.
pub(crate) fn last(fact: &mut Option<Text>, text: Option<impl AsRef<str>>) {
    if let Some(text) = text.filter(|text| !text.as_ref().is_empty()) {
        *fact = Some(Text::from(text.as_ref()));
    }
}
