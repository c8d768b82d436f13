//! The thread's header, and what becomes of the thread at its end: what is inactive, and whose it is.

use palimpsest_record::{
    MessageType, Session, Subagent, Superseded, SupersededBy, Text, Timestamp, TranscriptRecord, Visibility,
};

use super::fork::Fork;
use super::here::Here;
use super::shapes::Meta;
use super::thread::Thread;
use crate::{Batch, EntryId, Outcome};

impl Thread {
    /// `session_meta`. The first is this file's own; another one with another id begins the copy of
    /// a parent's history.
    pub(super) fn meta(&mut self, here: &mut Here<'_, '_>, meta: &Meta<'_>) -> Outcome {
        let id = meta.id.text().filter(|id| !id.is_empty());
        if self.facts.id.is_none() && id.is_some() {
            self.header(here, meta);
            return here.not_shown(["", "session_meta"]);
        }
        let is_other = id.is_some() && id != self.facts.id.as_deref();
        if is_other && self.activity == 0 && !self.fork.is_inherited() {
            self.fork.begin(here.timestamp());
            self.facts.forked_from = self.facts.forked_from.take().or(id.map(Text::from));
        }
        here.not_shown(["", "session_meta"])
    }

    /// The first line of a bare log, or a line of its state, which says nothing.
    pub(super) fn bare_header(&mut self, here: &mut Here<'_, '_>, meta: &Meta<'_>) -> Outcome {
        match meta.record_type.text() {
            Some(state) => here.not_shown(["", state]),
            None if self.facts.id.is_none() && meta.is_header() => {
                self.header(here, meta);
                here.not_shown(["", "header"])
            }
            None => here.unknown(["", "untyped"]),
        }
    }

    /// Reads the thread's own facts.
    pub(super) fn header(&mut self, here: &mut Here<'_, '_>, meta: &Meta<'_>) {
        let text = |field: &crate::json::Lax<crate::json::Str<'_>>| {
            field.text().filter(|text| !text.is_empty()).map(Text::from)
        };
        let facts = &mut self.facts;
        facts.id = text(&meta.id);
        facts.started_at = meta.timestamp.text().and_then(Timestamp::parse).or_else(|| here.timestamp());
        facts.cwd = text(&meta.cwd);
        facts.version = text(&meta.cli_version);
        facts.git_branch = meta.git.0.as_ref().and_then(|git| text(&git.branch));
        facts.forked_from = text(&meta.forked_from_id).or_else(|| meta.parent().map(Text::from));
        facts.agent_role = text(&meta.agent_role);
        facts.agent_nickname = text(&meta.agent_nickname);
        self.fork = Fork::of(facts.id.as_deref().unwrap_or_default());
        if meta.forked_from_id.text().is_some() {
            self.fork.begin(here.timestamp());
        }
        if let Some(id) = self.facts.id.clone() {
            self.name(id);
        }
        if let Some(instructions) = meta.instructions() {
            let id = here.message_id(None, 0);
            self.envelope(here, id, 0, MessageType::System, instructions);
        }
    }

    /// Names what the thread's records belong to.
    pub(super) fn name(&mut self, id: Text) {
        if self.is_agent {
            self.blank.agent_id = Some(id);
        } else {
            self.blank.session_id = id;
        }
    }

    /// The end of the file: settles what only the whole shows. `first` is the thread's first record.
    pub(super) fn finish(&mut self, batch: &mut Batch, first: usize, last_line: Option<EntryId>) {
        self.prompts.gap_behind(last_line);
        self.settle_prompts(batch);
        self.meter.flush(batch);
        self.finish_calls(batch);
        let inherited = Superseded { how: SupersededBy::Inherited, at: self.facts.started_at, by: None };
        for record in batch.records.iter_mut().skip(first) {
            let (seq, visibility, superseded) = match record {
                TranscriptRecord::Message(message) => {
                    (message.seq, &mut message.visibility, Some(&mut message.superseded))
                }
                TranscriptRecord::Summary(summary) => (summary.seq, &mut summary.visibility, None),
                _ => continue,
            };
            let why = if self.fork.inherited(seq) { Some(&inherited) } else { self.turns.superseded(seq) };
            let Some(why) = why.filter(|_| *visibility == Visibility::Visible) else { continue };
            *visibility = Visibility::Inactive;
            if let Some(superseded) = superseded {
                *superseded = Some(why.clone());
            }
        }
    }

    /// The session that this thread is.
    pub(super) fn session(&self) -> Session {
        let facts = &self.facts;
        Session {
            id: self.blank.session_id.clone(),
            title: facts.title.clone(),
            cwd: facts.cwd.clone(),
            started_at: facts.started_at,
            git_branch: facts.git_branch.clone(),
            version: facts.version.clone(),
            model: facts.model.clone(),
            forked_from: facts.forked_from.clone(),
            attests_inactive: self.is_wrapped,
            source: self.blank.source.clone(),
            ..Session::default()
        }
    }

    /// The agent that this thread is in another one's session.
    pub(super) fn as_agent(&self) -> Subagent {
        Subagent {
            agent_type: self.facts.agent_role.clone(),
            description: self.facts.agent_nickname.clone(),
            ..self.subagent(self.blank.agent_id.as_deref().unwrap_or_default())
        }
    }
}

impl Meta<'_> {
    /// Whether an object without a type is a bare log's first line.
    fn is_header(&self) -> bool {
        self.id.0.is_some() && self.timestamp.0.is_some()
    }
}
