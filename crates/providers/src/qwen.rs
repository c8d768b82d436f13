//! Qwen Code, versions 0.0.x to 0.21 (2025 and 2026).
//!
//! A log is lines, each with the envelope of Claude Code and the parts of Google's service in it. In reading order:
//! - [`speech`]: what a line says → records
//! - [`tree`]: where a line hangs, and what a rewind left

use palimpsest_record::Text;

use self::tree::Tree;
use crate::notes::{Notes, first, last};
use crate::writing::Writer;
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

mod speech;
mod tree;

/// Qwen Code.
pub(crate) struct Qwen;

impl Provider for Qwen {
    fn id(&self) -> &'static str {
        "qwen"
    }

    fn label(&self) -> &'static str {
        "Qwen Code"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        if !self.is_record(object) || !object.has("sessionId") {
            return Claim::No;
        }
        let has_parts = object.object("message").is_some_and(|message| message.has("parts"));
        let is_system =
            object.has("systemPayload") || object.str("subtype").is_some_and(|it| it == "ui_telemetry");
        let is_result = object.str("type").is_some_and(|kind| kind == "tool_result");
        if has_parts || is_system || is_result { Claim::Strong } else { Claim::No }
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        object.has("uuid") && object.str("type").is_some() && object.has("parentUuid")
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        FileKey::main(head.iter().find_map(|object| object.words("sessionId")).map(String::from))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(QwenReader { notes: Notes::new(self.id()), tree: Tree::default() })
    }
}

/// Reads the logs of one session.
struct QwenReader {
    notes: Notes,
    tree: Tree,
}

impl Reader for QwenReader {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let object: Object<'_> = serde_json::from_str(line.text)?;
        let Some(kind) = object.words("type") else { return Ok(batch.ledger.unknown(&["malformed"])) };
        self.notes.name(object.words("sessionId").as_deref());
        first(&mut self.notes.head.cwd, object.words("cwd"));
        first(&mut self.notes.head.git_branch, object.words("gitBranch"));
        last(&mut self.notes.head.version, object.words("version"));
        last(&mut self.notes.head.model, object.words("model"));
        let uuid = object.words("uuid").map(|uuid| Text::from(&*uuid));
        let parent = object.words("parentUuid");
        let node = self.tree.node(uuid.as_ref(), parent.as_deref(), object.has("parentUuid"));
        let first_record = batch.records.len();
        let mut place = self.notes.place(uuid.as_deref(), object.instant("timestamp"), line);
        place.parent_id = self.tree.message_above(node, batch);
        let mut to = Writer::new(batch, *line, node, place);
        let subtype = object.str("subtype").unwrap_or_default();
        let outcome = match &*kind {
            "user" => speech::prompt(&object, &subtype, &mut self.notes, &mut to),
            "assistant" => speech::answer(&object, &mut self.tree, &mut self.notes, &mut to),
            "tool_result" => speech::result(&object, &mut self.notes, &mut to),
            "system" => match &*subtype {
                "rewind" => {
                    let here = to.batch.records.len();
                    self.tree.rewind(node, here, &mut self.notes.taken_back);
                    to.batch.ledger.not_shown(&["system", "rewind"])
                }
                "custom_title" => {
                    let payload = object.object("systemPayload").unwrap_or_default();
                    last(&mut self.notes.head.title, payload.words("customTitle"));
                    to.batch.ledger.not_shown(&["system", "custom_title"])
                }
                _ => speech::system(&object, &subtype, &mut to),
            },
            other => to.batch.ledger.unknown(&[other]),
        };
        self.tree.wrote(node, first_record..batch.records.len());
        Ok(outcome)
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.notes.finish(true, batch);
    }
}
