//! What a log says of the session as a whole.

use std::collections::HashMap;

use palimpsest_record::{Session, Text, Timestamp};

use super::record::{Record, member_text};
use super::threads::ThreadId;
use super::tree::{NodeId, Tree};

/// A message that its provider took back.
#[derive(Debug)]
pub(super) struct Retraction {
    pub(super) uuid: Text,
    pub(super) at: Option<Timestamp>,
}

/// Facts of the session, the later ones last.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Ids that main lines name, how often and since which: the most frequent names the session.
    main_ids: Ids,
    /// The same of subagents' lines, which name their parent.
    agent_ids: Ids,
    pub(super) cwd: Option<Text>,
    git_branch: Option<Text>,
    version: Option<Text>,
    model: Option<Text>,
    forked_from: Option<Text>,
    custom_title: Option<Text>,
    ai_title: Option<Text>,
    /// Titles of conversations that end at a line, mostly of other sessions.
    summaries: Vec<(Text, Text)>,
    /// First slash command: a title where nothing else was typed.
    command: Option<Text>,
    leaves: Leaves,
    pub(super) retractions: Vec<Retraction>,
}

impl Facts {
    /// Takes what a line says of the session it belongs to.
    pub(super) fn note(&mut self, record: &Record<'_>, thread: ThreadId) {
        fn some(text: Option<&str>) -> Option<&str> {
            text.filter(|text| !text.is_empty())
        }
        let is_main = thread == ThreadId::MAIN;
        if let Some(id) = some(record.session_id.text()) {
            let ids = if is_main { &mut self.main_ids } else { &mut self.agent_ids };
            ids.count(id);
        }
        let keep = |kept: &mut Option<Text>, said: Option<&str>| match said {
            Some(said) if kept.as_deref() != Some(said) && (is_main || kept.is_none()) => {
                *kept = Some(said.into())
            }
            _ => {}
        };
        keep(&mut self.git_branch, some(record.git_branch.text()));
        keep(&mut self.version, some(record.version.text()));
        if self.cwd.is_none() {
            self.cwd = some(record.cwd.text()).map(Text::from);
        }
        if let Some(from) = record.forked_from.filter(|_| self.forked_from.is_none()) {
            self.forked_from = member_text(from, "sessionId").map(|id| Text::from(&*id));
        }
    }

    /// A model was asked.
    pub(super) fn asked(&mut self, model: &Text, thread: ThreadId) {
        if thread == ThreadId::MAIN || self.model.is_none() {
            self.model = Some(model.clone());
        }
    }

    /// A slash command was given.
    pub(super) fn commanded(&mut self, command: &str, thread: ThreadId) {
        if thread == ThreadId::MAIN && self.command.is_none() {
            self.command = Some(command.into());
        }
    }

    /// Takes a title. The last of a kind holds.
    pub(super) fn titled(&mut self, record: &Record<'_>) {
        let title = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(Text::from);
        self.custom_title = title(record.custom_title.text()).or(self.custom_title.take());
        self.ai_title = title(record.ai_title.text()).or(self.ai_title.take());
        let leaf = record.leaf_uuid.text().map(Text::from);
        self.summaries.extend(leaf.zip(title(record.summary.text())));
    }

    /// The log names its current leaf.
    pub(super) fn leaf_named(&mut self, uuid: &str, tree: &Tree) {
        self.leaves.name(uuid, tree);
    }

    /// The last leaf that the log names and has.
    pub(super) fn leaf(&self, tree: &Tree, main: ThreadId) -> Option<NodeId> {
        self.leaves.last(tree, main)
    }

    /// The id of the session as its lines name it, as far as is known.
    pub(super) fn id(&self) -> Option<&Text> {
        self.main_ids.most_frequent.as_ref().or(self.agent_ids.most_frequent.as_ref())
    }

    /// The session record, but for what the records give.
    pub(super) fn session(&self, id: &Text, tree: &Tree, prompts: u32, source: &Text) -> Session {
        let resolved = self.summaries.iter().rev().find(|(leaf, _)| tree.find(leaf).is_some());
        let title = self.custom_title.clone().or(self.ai_title.clone());
        let title = title.or(resolved.map(|(_, title)| title.clone()));
        Session {
            id: id.clone(),
            title: title.or(self.command.clone().filter(|_| prompts == 0)),
            cwd: self.cwd.clone(),
            git_branch: self.git_branch.clone(),
            version: self.version.clone(),
            model: self.model.clone(),
            forked_from: self.forked_from.clone().filter(|from| from != id),
            source: source.clone(),
            ..Session::default()
        }
    }
}

/// Distinct ids and how often each came.
#[derive(Debug, Default)]
struct Ids {
    counts: HashMap<Text, u64>,
    /// The first of equals.
    most_frequent: Option<Text>,
    highest: u64,
}

impl Ids {
    fn count(&mut self, id: &str) {
        let count = match self.counts.get_mut(id) {
            Some(count) => count,
            None => self.counts.entry(Text::from(id)).or_default(),
        };
        *count += 1;
        if *count > self.highest {
            self.highest = *count;
            if self.most_frequent.as_deref() != Some(id) {
                self.most_frequent = Some(Text::from(id));
            }
        }
    }
}

/// Leaves that the log names.
#[derive(Debug, Default)]
struct Leaves {
    known: Option<NodeId>,
    /// Named after `known`, and in no line so far.
    unknown: Vec<Text>,
}

impl Leaves {
    fn name(&mut self, uuid: &str, tree: &Tree) {
        match line_of(uuid, tree, ThreadId::MAIN) {
            Some(node) => {
                self.known = Some(node);
                self.unknown.clear();
            }
            None => self.unknown.push(uuid.into()),
        }
    }

    fn last(&self, tree: &Tree, main: ThreadId) -> Option<NodeId> {
        self.unknown.iter().rev().find_map(|uuid| line_of(uuid, tree, main)).or(self.known)
    }
}

fn line_of(uuid: &str, tree: &Tree, thread: ThreadId) -> Option<NodeId> {
    tree.find(uuid).filter(|&node| tree.thread(node) == thread)
}
