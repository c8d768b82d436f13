//! Pi, and the forks that write its format (OMP, OpenClaw).
//!
//! A log is a header and then entries, each a node of a tree. In reading order:
//! - [`shapes`]: the entries as Pi writes them
//! - [`messages`], [`answer`], [`content`]: an entry → records; [`crate::writing`]: where those stand
//! - [`calls`]: which result belongs to which call
//! - [`tree`]: where an entry hangs, and where the session stands
//! - [`fate`]: what is active, left behind or compacted away, once all is read

use palimpsest_record::{Session, Text, Timestamp};
use serde::de::IgnoredAny;

use self::calls::Calls;
use self::fate::fates;
use self::shapes::Entry;
use self::tree::{Grown, Tree};
use crate::batch::Interner;
use crate::writing::{Place, Writer};
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

mod answer;
mod calls;
mod content;
mod fate;
mod messages;
mod shapes;
mod tree;

/// Pi.
pub(crate) struct Pi;

impl Provider for Pi {
    fn id(&self) -> &'static str {
        "pi"
    }

    fn label(&self) -> &'static str {
        "Pi"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        // Claude Code and its kin name the session on every line.
        if object.has("sessionId") || object.has("uuid") {
            return Claim::No;
        }
        let strong = |is_ours: bool| if is_ours { Claim::Strong } else { Claim::No };
        let weak = |is_ours: bool| if is_ours { Claim::Weak } else { Claim::No };
        match object.str("type").as_deref() {
            Some("session") => strong(object.str("id").is_some() && object.str("cwd").is_some()),
            Some("model_change") => strong(object.str("modelId").is_some()),
            Some("thinking_level_change") => strong(object.has("thinkingLevel")),
            Some("compaction") => strong(object.str("summary").is_some() && object.has("tokensBefore")),
            Some("branch_summary") => strong(object.str("summary").is_some() && object.has("fromId")),
            Some("custom_message") => strong(object.has("customType") && object.has("display")),
            Some("custom") => weak(object.str("customType").is_some()),
            Some("session_info") => weak(object.str("name").is_some()),
            Some("label" | "leaf") => weak(object.has("targetId")),
            Some("message") => object.object("message").map_or(Claim::No, |body| claims_message(&body)),
            _ => Claim::No,
        }
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        object.str("type").is_some() && object.str("timestamp").is_some()
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        let header = head.iter().find(|object| object.str("type").as_deref() == Some("session"));
        let session = header.and_then(|header| header.str("id")).map(String::from);
        FileKey::main(session)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(PiReader { source: Text::from(self.id()), ..PiReader::default() })
    }
}

/// A log that lost its header is known by its messages: Pi stamps the time into each, and has
/// roles and fields that no other does.
fn claims_message(body: &Object<'_>) -> Claim {
    let role = body.str("role");
    let is_ours = match role.as_deref() {
        Some("toolResult" | "bashExecution" | "hookMessage") => true,
        Some("assistant") => body.has("stopReason") || body.has("api"),
        Some("user" | "custom") => body.raw("timestamp").is_some_and(|at| at.parse::<u64>().is_ok()),
        _ => false,
    };
    if is_ours { Claim::Weak } else { Claim::No }
}

/// Reads the logs of one Pi session.
#[derive(Default)]
struct PiReader {
    source: Text,
    /// Set by the header, or by the first entry where there is none before it.
    session_id: Option<Text>,
    header: Option<Header>,
    tree: Tree,
    calls: Calls,
    models: Interner,
    model: Option<Text>,
    title: Option<Text>,
}

/// What the log's first line says of the session.
struct Header {
    id: Text,
    cwd: Option<Text>,
    forked_from: Option<Text>,
}

impl Reader for PiReader {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        match serde_json::from_str::<Entry<'_>>(line.text) {
            Ok(entry) => Ok(self.entry(&entry, line, batch)),
            Err(error) if error.is_data() => {
                // JSON, but of a shape that no entry has (a field twice): only then is it read again.
                serde_json::from_str::<IgnoredAny>(line.text)?;
                Ok(batch.ledger.unknown(&["malformed"]))
            }
            Err(error) => Err(error),
        }
    }

    fn finish(&mut self, batch: &mut Batch) {
        let fates = fates(&self.tree, batch);
        self.calls.settle(&fates, batch);
        for (node, fate) in self.tree.nodes.iter().zip(&fates) {
            for record in batch.records.get_mut(node.records.clone()).unwrap_or_default() {
                fate.settle(record);
            }
        }
        let id = self.session_id(None, None);
        let header = self.header.take();
        if let Some(header) = &header.as_ref().filter(|header| header.id != id) {
            batch.rename_session(&header.id);
        }
        batch.push(Session {
            id: header.as_ref().map_or(id, |header| header.id.clone()),
            title: self.title.take(),
            cwd: header.as_ref().and_then(|header| header.cwd.clone()),
            model: self.model.take(),
            forked_from: header.and_then(|header| header.forked_from),
            attests_inactive: true,
            source: self.source.clone(),
            ..Session::default()
        });
    }
}

impl PiReader {
    fn entry(&mut self, entry: &Entry<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        let at = instant(entry);
        match entry.kind.text() {
            Some("session") => return self.header(entry, batch),
            Some("leaf") => {
                self.tree.move_leaf(entry, at);
                return batch.ledger.not_shown(&["leaf"]);
            }
            _ => {}
        }
        let Some(grown) = self.tree.grow(entry, at, line, batch) else { return Outcome::Merged };
        let node = grown.node;
        let outcome = self.records(entry, at, line, grown, batch);
        self.tree.close(node, batch);
        outcome
    }

    fn records(
        &mut self,
        entry: &Entry<'_>,
        at: Option<Timestamp>,
        line: &Line<'_>,
        grown: Grown,
        batch: &mut Batch,
    ) -> Outcome {
        let kind = entry.kind.text().unwrap_or_default();
        let place = Place {
            session_id: self.session_id(entry.id.text(), at),
            source: self.source.clone(),
            parent_id: tree::parent_id(batch, grown.parent_message),
            agent_id: None,
            id: grown.id,
            seq: line.seq(0),
            at,
            span: line.span,
        };
        let mut to = Writer::new(batch, *line, grown.node, place);
        match kind {
            "message" => {
                let Some(body) = &entry.message.0 else { return to.batch.ledger.unknown(&["message"]) };
                self.model = body.model.text().map(|model| self.models.get(model)).or(self.model.take());
                let mut session =
                    messages::Session { tree: &self.tree, calls: &mut self.calls, models: &mut self.models };
                messages::message(body, &mut session, &mut to)
            }
            "custom_message" => {
                messages::custom(&entry.custom_type, &entry.content, *entry.display, &[kind], &mut to)
            }
            "compaction" => {
                self.tree.compacted(to.node, entry);
                messages::summary("compaction", &entry.summary, *entry.tokens_before, &mut to)
            }
            "branch_summary" => messages::summary("branch", &entry.summary, None, &mut to),
            "model_change" => {
                self.model = entry.model_id.text().map(|model| self.models.get(model)).or(self.model.take());
                to.batch.ledger.not_shown(&[kind])
            }
            "session_info" | "title" => {
                // The last name is the name; an empty one takes it back.
                if let Some(name) = entry.name.text().or(entry.title.text()) {
                    self.title = Some(name.trim()).filter(|name| !name.is_empty()).map(Text::from);
                }
                to.batch.ledger.not_shown(&[kind])
            }
            "thinking_level_change" | "custom" | "label" | "child_usage_attributed" => {
                to.batch.ledger.not_shown(&[kind])
            }
            "" => to.batch.ledger.unknown(&["malformed"]),
            other => to.batch.ledger.unknown(&[other]),
        }
    }

    /// The first header names the session; a copy of the log beside it brings another.
    fn header(&mut self, entry: &Entry<'_>, batch: &mut Batch) -> Outcome {
        let Some(id) = entry.id.text().filter(|id| !id.is_empty()) else {
            return batch.ledger.unknown(&["session"]);
        };
        if self.header.is_some() {
            return Outcome::Merged;
        }
        let id = Text::from(id);
        self.session_id.get_or_insert_with(|| id.clone());
        let model = entry.model_id.text().map(|model| self.models.get(model));
        self.model = self.model.take().or(model);
        self.header = Some(Header {
            id,
            cwd: entry.cwd.text().map(Text::from),
            forked_from: entry.parent_session.text().or(entry.branched_from.text()).map(session_in_path),
        });
        Outcome::Read
    }

    /// The session's id. Where no header says it, the first entry's own id or time does.
    fn session_id(&mut self, entry_id: Option<&str>, at: Option<Timestamp>) -> Text {
        let id = self.session_id.get_or_insert_with(|| {
            let first = entry_id.map(str::to_owned).or_else(|| at.map(|at| at.to_string()));
            Text::from(format!("pi-{}", first.as_deref().unwrap_or("session")))
        });
        id.clone()
    }
}

/// When an entry was written: its own word, or that of the message in it.
fn instant(entry: &Entry<'_>) -> Option<Timestamp> {
    entry.timestamp.text().and_then(Timestamp::parse).or_else(|| {
        let stamped = (*entry.message.0.as_ref()?.timestamp)?;
        i64::try_from(stamped).ok().map(Timestamp::from_millis)
    })
}

/// The session's id in the path of its log, `…/<time>_<id>.jsonl`; anything else is an id already.
fn session_in_path(path: &str) -> Text {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let Some(stem) = name.strip_suffix(".jsonl") else { return Text::from(path) };
    Text::from(stem.split_once('_').map_or(stem, |(_, id)| id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_names_its_session() {
        let check = |path: &str, want: &str| assert_eq!(session_in_path(path), want, "{path}");
        check("/home/ada/.pi/agent/sessions/--garden--/2026-03-01T09-00-00-000Z_5e55-a.jsonl", "5e55-a");
        check(r"C:\Users\ada\sessions\2026-03-01T09-00-00-000Z_5e55-b.jsonl", "5e55-b");
        check("garden.jsonl", "garden");
        check("5e55-c_d", "5e55-c_d");
    }

    #[test]
    fn only_what_no_other_writes_is_claimed() {
        let check = |line: &str, want: Claim| {
            assert_eq!(Pi.claims(&Object::parse(line).unwrap()), want, "{line}");
        };
        check(r#"{"type":"session","id":"s","cwd":"/w"}"#, Claim::Strong);
        check(r#"{"type":"session_start","id":"s","cwd":"/w"}"#, Claim::No);
        check(r#"{"type":"message","message":{"role":"user","content":"a","timestamp":1}}"#, Claim::Weak);
        check(r#"{"type":"message","message":{"role":"user","content":"a"}}"#, Claim::No);
        check(r#"{"type":"message","message":{"role":"assistant","api":"x"}}"#, Claim::Weak);
        check(r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user"}}"#, Claim::No);
        check(r#"{"type":"compaction","summary":"s","tokensBefore":1,"sessionId":"s"}"#, Claim::No);
        check(r#"{"type":"text","text":"session"}"#, Claim::No);
    }
}
