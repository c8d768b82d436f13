//! Amp: a thread is one document (versions 14 and up, 2025 and 2026).

use palimpsest_record::{Text, Usage};
use serde_json::value::RawValue;

use crate::anthropic::part;
use crate::batch::Document;
use crate::notes::{Notes, first, last};
use crate::object::elements;
use crate::parts::{Part, Voice, tell};
use crate::said::Said;
use crate::writing::Writer;
use crate::{Batch, Claim, FileKey, Line, Object, Outcome, Provider, Reader};

/// Amp.
pub(crate) struct Amp;

/// What Amp's own tools call the file that they work on.
const FILE: &[&str] = &["path"];

impl Provider for Amp {
    fn id(&self) -> &'static str {
        "amp"
    }

    fn label(&self) -> &'static str {
        "Amp"
    }

    fn claims(&self, object: &Object<'_>) -> Claim {
        let is_thread = object.str("id").is_some_and(|id| id.starts_with("T-")) && object.has("messages");
        if is_thread { Claim::Document } else { Claim::No }
    }

    fn file_key(&self, head: &[Object<'_>]) -> FileKey {
        FileKey::main(head.first().and_then(|thread| thread.str("id")).map(String::from))
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(AmpReader { notes: Notes::new(self.id()) })
    }
}

/// Reads a thread.
struct AmpReader {
    notes: Notes,
}

impl Reader for AmpReader {
    /// A message of the thread.
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        let message: Object<'_> = serde_json::from_str(line.text)?;
        let Some(role) = message.words("role") else { return Ok(batch.ledger.unknown(&["malformed"])) };
        let id = message.raw("messageId").map(|id| format!("message-{}", id.trim_matches('"')));
        let at = message.object("meta").and_then(|meta| meta.instant("sentAt"));
        let place = self.notes.place(id.as_deref(), at, line);
        let mut to = Writer::new(batch, *line, 0, place);
        let content = message.value("content");
        let said: Vec<Part<'_>> = content
            .map(elements)
            .unwrap_or_default()
            .into_iter()
            .filter_map(|raw| block(&Object::parse(raw.get())?, to.batch))
            .collect();
        let has_results = said.iter().any(|part| matches!(part, Part::Result { .. }));
        match &*role {
            "user" => {
                tell(said, Voice::user(), &mut self.notes.calls, &mut to);
            }
            "assistant" => {
                let usage = message.object("usage").unwrap_or_default();
                let model = usage.words("model").map(|model| Text::from(&*model));
                last(&mut self.notes.head.model, model.as_deref());
                let used = used(&usage, &to.place.id);
                tell(said, Voice::assistant(model, Some(used), FILE), &mut self.notes.calls, &mut to);
                let state =
                    message.object("state").filter(|state| state.str("type").as_deref() == Some("error"));
                if let Some(error) = state.and_then(|state| state.object("error")) {
                    to.failure(&error.words("message").unwrap_or("error".into()));
                }
            }
            "info" => {
                let words: Vec<String> = said.into_iter().filter_map(words).collect();
                to.notice(&words.join("\n"));
            }
            other => return Ok(to.batch.ledger.unknown(&[other])),
        }
        Ok(match (to.written() > 0, has_results) {
            (true, _) => Outcome::Read,
            (false, true) => Outcome::Merged,
            (false, false) => to.batch.ledger.not_shown(&[&role]),
        })
    }

    fn document(&mut self, document: &Document<'_>, batch: &mut Batch) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let head = document.line(whole, 1, batch);
        let thread = Object::parse(whole.get()).unwrap_or_default();
        self.notes.name(thread.words("id").as_deref());
        last(&mut self.notes.head.title, thread.words("title"));
        self.notes.head.started_at = thread.instant("created");
        let initial = thread.object("env").and_then(|env| env.object("initial"));
        let folder = initial.and_then(|initial| initial.first_of("trees")).and_then(|tree| tree.words("uri"));
        let folder = folder.as_deref().map(|uri| uri.strip_prefix("file://").unwrap_or(uri));
        first(&mut self.notes.head.cwd, folder);
        batch.ledger.settle(head.entry, Outcome::Read);
        document.read_each(thread.list("messages"), 2, batch, |line, batch| self.line(line, batch));
        Ok(())
    }

    fn finish(&mut self, batch: &mut Batch) {
        self.notes.finish(false, batch);
    }
}

/// A block. Results are those of a run of the tool.
fn block<'a>(block: &Object<'a>, batch: &Batch) -> Option<Part<'a>> {
    let Some(run) = block.object("run").filter(|_| block.str("type").as_deref() == Some("tool_result"))
    else {
        return part(block, batch);
    };
    let is_error = run.str("status").as_deref() == Some("error");
    let error = run.object("error").and_then(|error| error.str("message"));
    let text = match error.filter(|_| is_error).or_else(|| run.str("result")) {
        Some(text) => text.into_owned(),
        None => run.value("result").map(output).unwrap_or_default(),
    };
    Some(Part::Result { id: block.words("toolUseID"), name: None, said: Said::of(&text), is_error })
}

/// The words of a result that is an object; one without any is shown as it stands.
fn output(result: &RawValue) -> String {
    let object = Object::parse(result.get()).unwrap_or_default();
    let words = ["output", "content", "diff"].iter().find_map(|key| object.str(key));
    let as_it_stands = || match serde_json::from_str::<serde_json::Value>(result.get()) {
        // Without the layout of the document, of which it is a part.
        Ok(value) => value.to_string(),
        Err(_) => result.get().to_owned(),
    };
    words.map_or_else(as_it_stands, |words| words.into_owned())
}

fn words(part: Part<'_>) -> Option<String> {
    match part {
        Part::Text(text) => Some(text.into_owned()),
        _ => None,
    }
}

/// The whole input is the sum of its three parts.
fn used(usage: &Object<'_>, request: &Text) -> Usage {
    let count = |key: &str| usage.count(key).unwrap_or(0);
    let (cached, written) = (count("cacheReadInputTokens"), count("cacheCreationInputTokens"));
    Usage {
        input_tokens: count("inputTokens").saturating_add(cached).saturating_add(written),
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: count("outputTokens"),
        request: Some(request.clone()),
        ..Usage::default()
    }
}
