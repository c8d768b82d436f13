//! Cursor's agent transcripts (2025 and 2026): lines `{role, message: {content}}` without ids, times or tokens.

use palimpsest_record::Text;

use crate::anthropic::parts;
use crate::notes::{Notes, last};
use crate::parts::{Part, Voice, tell};
use crate::writing::Writer;
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

/// Cursor.
pub(crate) struct Cursor;

/// What Cursor's own tools call the file that they work on.
const FILE: &[&str] = &["path", "target_file", "file_path"];
/// What a prompt is wrapped into.
const QUERY: (&str, &str) = ("<user_query>", "</user_query>");
/// What the product puts before a prompt that is not wrapped.
const BEFORE: [&str; 7] = [
    "timestamp",
    "attached_files",
    "user_info",
    "git_status",
    "system_reminder",
    "open_and_recently_viewed_files",
    "cursor_rules",
];

impl Provider for Cursor {
    fn id(&self) -> &'static str {
        "cursor"
    }

    fn label(&self) -> &'static str {
        "Cursor"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        if ["uuid", "sessionId", "id", "data", "timestamp"].iter().any(|key| object.has(key)) {
            return Claim::No;
        }
        let is_spoken = matches!(object.str("role").as_deref(), Some("user" | "assistant"));
        let is_message = object.object("message").is_some_and(|message| message.has("content"));
        let is_end = object.str("type").as_deref() == Some("turn_ended") && object.has("status");
        if is_spoken && is_message || is_end { Claim::Strong } else { Claim::No }
    }

    fn is_record(&self, object: &Object<'_>) -> bool {
        object.object("message").is_some_and(|message| message.has("content"))
            || self.claims(object) != Claim::No
    }

    fn file_key(&self, _: &[Object<'_>]) -> FileKey {
        FileKey::default()
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(CursorReader { notes: Notes::new(self.id()) })
    }
}

/// Reads the logs of one session.
struct CursorReader {
    notes: Notes,
}

impl Reader for CursorReader {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let object: Object<'_> = serde_json::from_str(line.text)?;
        let kind = object.str("type").unwrap_or_default();
        let role = object.str("role").unwrap_or_default();
        let place = self.notes.place(None, None, line);
        let mut to = Writer::new(batch, *line, 0, place);
        let content = object.object("message").and_then(|message| message.value("content"));
        match &*role {
            "user" => {
                let mut said: Vec<Part<'_>> = parts(content, to.batch).into_iter().map(typed).collect();
                self.name_results(&mut said);
                tell(said, Voice::user(), &mut self.notes.calls, &mut to);
                // What only answers calls is no message.
                if to.written() == 0 && content.is_some_and(|content| content.get().contains("tool")) {
                    return Ok(Outcome::Merged);
                }
            }
            "assistant" => {
                let model = object.words("model").map(|model| Text::from(&*model));
                last(&mut self.notes.head.model, model.as_deref());
                let said = parts(content, to.batch);
                tell(said, Voice::assistant(model, None, FILE), &mut self.notes.calls, &mut to);
            }
            _ if kind == "turn_ended" => {
                if let Some(status) = object.words("status").filter(|status| *status != "success") {
                    to.notice(&status);
                }
            }
            _ => {
                let name = if kind.is_empty() { &role } else { &kind };
                return Ok(to.batch.ledger.unknown(&[if name.is_empty() { "malformed" } else { name }]));
            }
        }
        let name = if role.is_empty() { &kind } else { &role };
        Ok(if to.written() > 0 { Outcome::Read } else { to.batch.ledger.not_shown(&[name]) })
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.notes.finish(false, batch);
    }
}

impl CursorReader {
    /// Calls have no ids, so a result is that of the first call without one.
    fn name_results(&self, parts: &mut [Part<'_>]) {
        let mut open = self.notes.calls.unanswered();
        for part in parts {
            if let Part::Result { id, .. } = part
                && id.as_ref().is_none_or(|id| self.notes.calls.id(id).is_none())
            {
                *id = open.next().map(|call| call.to_string().into()).or(id.take());
            }
        }
    }
}

/// What was typed of a prompt's text.
fn typed(part: Part<'_>) -> Part<'_> {
    let Part::Text(text) = part else { return part };
    if let Some((query, _)) = text.split_once(QUERY.0).and_then(|(_, rest)| rest.split_once(QUERY.1)) {
        return Part::Text(query.trim().to_owned().into());
    }
    let mut rest = text.trim_start();
    while let Some(behind) = BEFORE.iter().find_map(|tag| {
        let inner = rest.strip_prefix('<')?.strip_prefix(tag)?.strip_prefix('>')?;
        inner.split_once(&format!("</{tag}>")).map(|(_, behind)| behind.trim_start())
    }) {
        rest = behind;
    }
    if rest.len() == text.trim_start().len() { Part::Text(text) } else { Part::Text(rest.to_owned().into()) }
}
