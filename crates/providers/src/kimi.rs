//! Kimi CLI (Python) and Kimi Code (TypeScript).
//!
//! Kimi CLI keeps two logs of a session: `wire.jsonl`, all that its screen showed, and `context.jsonl`, what the model is
//! given, which is put aside (`context_1.jsonl`, …) when something of it is taken back. Kimi Code keeps one `wire.jsonl` for each agent.
//! In reading order:
//! - [`wire`]: Kimi CLI's wire
//! - [`context`]: Kimi CLI's contexts, and what they say of the wire
//! - [`code`]: Kimi Code's wire; [`agents`]: which call started which agent
//! - [`state`]: facts about a session that lie beside its logs
//! - [`content`]: what parts and tokens have in common

use serde_json::value::RawValue;

use self::code::Code;
use self::context::Contexts;
use self::wire::Wire;
use crate::batch::Document;
use crate::notes::Notes;
use crate::{Batch, Claim, FileKey, FileRole, Line, Object, Outcome, Provider, Reader};

mod agents;
mod code;
mod content;
mod context;
mod state;
mod wire;

/// Kimi CLI and Kimi Code.
pub(crate) struct Kimi;

impl Provider for Kimi {
    fn id(&self) -> &'static str {
        "kimi"
    }

    fn label(&self) -> &'static str {
        "Kimi"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        match shape(object) {
            Some(Shape::Context) if context::is_own(object) => Claim::Strong,
            // Other products' models are given messages of this kind, too.
            Some(Shape::Context) => Claim::Weak,
            Some(_) => Claim::Strong,
            None if state::claims(object) => Claim::Document,
            None => Claim::No,
        }
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        let is_event = object.has("time") || object.has("timestamp");
        shape(object).is_some() || object.str("type").is_some() && is_event
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        // None of them names the session. The wire is the main log; what lies beside it belongs to it.
        let mut shapes = head.iter().filter_map(shape);
        let role = if !shapes.any(|shape| matches!(shape, Shape::Wire | Shape::Code)) {
            FileRole::Piece
        } else if head.iter().any(code::is_agents) {
            FileRole::Companion
        } else {
            FileRole::Main
        };
        FileKey { role, ..FileKey::default() }
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(KimiReader {
            notes: Notes::new(self.id()),
            wire: Wire::default(),
            contexts: Contexts::default(),
            code: Code::default(),
        })
    }
}

/// Which log a line is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Wire,
    Context,
    Code,
}

fn shape(object: &Object<'_>) -> Option<Shape> {
    if object.has("uuid") || object.has("sessionId") || object.has("parts") {
        return None;
    }
    if let Some(kind) = object.str("type") {
        if kind == "metadata" && object.has("protocol_version") {
            return Some(if object.has("created_at") { Shape::Code } else { Shape::Wire });
        }
        return (object.number("time").is_some() && code::knows(&kind)).then_some(Shape::Code);
    }
    if object.number("timestamp").is_some() {
        let event = object.object("message")?;
        return (event.str("type").is_some() && event.object("payload").is_some()).then_some(Shape::Wire);
    }
    let role = object.str("role")?;
    let is_message = object.has("content") && !object.has("message") && !object.has("id");
    let is_ours =
        role.starts_with('_') || is_message && matches!(&*role, "user" | "assistant" | "tool" | "system");
    is_ours.then_some(Shape::Context)
}

/// Reads the logs of one session.
struct KimiReader {
    notes: Notes,
    wire: Wire,
    contexts: Contexts,
    code: Code,
}

impl Reader for KimiReader {
    fn begin_file(&mut self, file: u32, role: FileRole) {
        self.contexts.begin_file(file);
        self.code.begin_file(role);
        self.wire.begin_file();
    }

    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let object: Object<'_> = serde_json::from_str(line.text)?;
        Ok(match shape(&object) {
            Some(Shape::Context) => self.contexts.line(&object, line, batch),
            Some(Shape::Wire) => self.wire.line(&object, line, &mut self.notes, batch),
            Some(Shape::Code) => self.code.line(&object, line, &mut self.notes, batch),
            None => {
                let kind = object.str("type");
                batch
                    .ledger
                    .unknown(&[kind.as_deref().filter(|kind| !kind.is_empty()).unwrap_or("malformed")])
            }
        })
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let line = document.line(whole, 1, batch);
        let outcome = match Object::parse(whole.get()) {
            Some(object) => state::read(&object, &mut self.notes, batch),
            None => batch.ledger.unknown(&["malformed"]),
        };
        batch.ledger.settle(line.entry, outcome);
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.code.finish(&mut self.notes, batch);
        let attests = self.contexts.finish(&mut self.notes, batch) || self.code.is_read();
        self.notes.finish(attests, batch);
    }
}
