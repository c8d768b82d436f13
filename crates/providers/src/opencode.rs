//! opencode.
//!
//! A session is one exported document, `{info, messages: [{info, parts}]}`, or a folder of storage in which the session, each message and
//! each part is a file of its own. In reading order:
//! - [`kept`]: sessions, messages and parts as they come, in any order
//! - [`telling`]: a message with its parts → records
//! - [`parts`]: a part → what it says

use serde_json::value::RawValue;

use self::kept::Store;
use crate::batch::Document;
use crate::notes::Notes;
use crate::{Batch, Claim, FileKey, FileRole, Line, Object, Outcome, Parent, Provider, Reader};

mod kept;
mod parts;
mod telling;

/// opencode.
pub(crate) struct Opencode;

impl Provider for Opencode {
    fn id(&self) -> &'static str {
        "opencode"
    }

    fn label(&self) -> &'static str {
        "opencode"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        let is_export = object.object("info").is_some_and(|info| is_session(&info)) && object.has("messages");
        let is_stored = is_session(object) || is_message(object) || is_part(object);
        if is_export || is_stored { Claim::Document } else { Claim::No }
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        let Some(object) = head.first() else { return FileKey::default() };
        let info = object.object("info").filter(|_| object.has("messages"));
        let session = info.as_ref().unwrap_or(object);
        if is_session(session) {
            let parent = session.words("parentID").map(|id| Parent::Session(id.into_owned()));
            return FileKey { parent, ..FileKey::main(session.str("id").map(String::from)) };
        }
        FileKey { session: object.words("sessionID").map(String::from), role: FileRole::Piece, parent: None }
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(OpencodeReader { notes: Notes::new(self.id()), store: Store::default() })
    }
}

fn has_id(object: &Object<'_>, prefix: &str) -> bool {
    object.str("id").is_some_and(|id| id.starts_with(prefix))
}

fn is_session(object: &Object<'_>) -> bool {
    has_id(object, "ses_") && object.object("time").is_some()
}

fn is_message(object: &Object<'_>) -> bool {
    has_id(object, "msg_") && object.has("sessionID") && object.has("role")
}

fn is_part(object: &Object<'_>) -> bool {
    has_id(object, "prt_") && object.has("messageID") && object.has("type")
}

/// Reads the logs of one session.
struct OpencodeReader {
    notes: Notes,
    store: Store,
}

impl Reader for OpencodeReader {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let object: Object<'_> = serde_json::from_str(line.text)?;
        Ok(self.object(&object, line, batch))
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let head = document.line(whole, 1, batch);
        let object = Object::parse(whole.get()).unwrap_or_default();
        let info = object.object("info").filter(|_| object.has("messages"));
        let Some(info) = info else {
            let outcome = self.object(&object, &head, batch);
            batch.ledger.settle(head.entry, outcome);
            return Ok(());
        };
        self.store.session(&info);
        batch.ledger.settle(head.entry, Outcome::Read);
        let mut numbers = 2..;
        for raw in object.list("messages") {
            let line = document.line(raw, numbers.next().unwrap_or(u32::MAX), batch);
            let message = Object::parse(raw.get()).unwrap_or_default();
            let outcome = match self.store.message(message.value("info"), &line) {
                Some(at) => {
                    for part in message.list("parts") {
                        let line = document.line(part, numbers.next().unwrap_or(u32::MAX), batch);
                        batch.ledger.settle(line.entry, Outcome::Merged);
                        self.store.part(Some(at), &line);
                    }
                    Outcome::Merged
                }
                None => batch.ledger.unknown(&["malformed"]),
            };
            batch.ledger.settle(line.entry, outcome);
        }
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        telling::tell(std::mem::take(&mut self.store), &mut self.notes, batch);
        self.notes.finish(true, batch);
    }
}

impl OpencodeReader {
    /// A session, a message or a part by itself.
    fn object(&mut self, object: &Object<'_>, line: &Line<'_>, batch: &mut Batch) -> Outcome {
        if is_session(object) {
            let is_first = self.store.session(object);
            return if is_first { Outcome::Read } else { Outcome::Merged };
        }
        if let Some(at) = self.store.message(object.value("info"), line) {
            for part in object.list("parts") {
                self.store.part(Some(at), &Line { text: part.get(), ..*line });
            }
            return Outcome::Merged;
        }
        if is_message(object) && self.store.stored_message(line).is_some() || self.store.part(None, line) {
            return Outcome::Merged;
        }
        batch.ledger.unknown(&["malformed"])
    }
}
