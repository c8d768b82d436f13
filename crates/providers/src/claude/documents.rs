//! Files that are one JSON document: a session exported from the web, and what lies beside an
//! agent's file (`agent-….meta.json`) or a workflow's (`wf_….json`).

use palimpsest_record::Text;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::ClaudeReader;
use super::threads::ThreadId;
use super::workflow::RunState;
use crate::batch::Document;
use crate::json::{Lax, Str};
use crate::{Batch, Outcome, Reader as _};

/// A document of any of the three kinds.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Fields<'a> {
    /// The export's lines, as a log has them.
    #[serde(borrow)]
    loglines: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    agent_type: Lax<Str<'a>>,
    #[serde(borrow)]
    description: Lax<Str<'a>>,
    #[serde(borrow)]
    tool_use_id: Lax<Str<'a>>,
}

/// What a file beside an agent's says of the agent. It does not name it: it is the agent whose file
/// was read before, or the one that the call started.
#[derive(Debug)]
pub(super) struct Sidecar {
    agent: Option<ThreadId>,
    call: Option<Text>,
    agent_type: Option<Text>,
    description: Option<Text>,
}

impl ClaudeReader {
    pub(super) fn read_document(
        &mut self,
        document: &Document<'_>,
        batch: &mut Batch,
    ) -> Result<(), serde_json::Error> {
        let whole: &RawValue = serde_json::from_str(document.text)?;
        let head = document.line(whole, 1, batch);
        let fields: Fields<'_> = serde_json::from_str(document.text).unwrap_or_default();
        self.begin(document.text);
        let Some(loglines) = fields.loglines else {
            let outcome = self.read_companion(&fields, document.text, batch);
            batch.ledger.settle(head.entry, outcome);
            return Ok(());
        };
        batch.ledger.settle(head.entry, Outcome::Read);
        for (number, raw) in (2..).zip(loglines) {
            let line = document.line(raw, number, batch);
            if let Ok(outcome) = self.line(&line, batch) {
                batch.ledger.settle(line.entry, outcome);
            }
        }
        Ok(())
    }

    fn read_companion(&mut self, fields: &Fields<'_>, text: &str, batch: &mut Batch) -> Outcome {
        let text_of = |field: &Lax<Str<'_>>| field.text().map(Text::from);
        if fields.agent_type.is_none() {
            let state: RunState<'_> = serde_json::from_str(text).unwrap_or_default();
            return if self.runs.state(&state) { Outcome::Read } else { batch.ledger.unknown(&["document"]) };
        }
        let sidecar = Sidecar {
            agent: self.file_agent.take(),
            call: fields.tool_use_id.text().and_then(|id| self.calls.get(id)).map(|call| call.id.clone()),
            agent_type: text_of(&fields.agent_type),
            description: text_of(&fields.description),
        };
        let belongs = sidecar.agent.is_some() || sidecar.call.is_some();
        self.sidecars.push(sidecar);
        if belongs { Outcome::Merged } else { batch.ledger.not_shown(&["meta.json"]) }
    }

    /// Gives agents what their sidecars say, as far as their agents are known.
    pub(super) fn describe_agents(&mut self) {
        for sidecar in &mut self.sidecars {
            let by_call = || {
                let call = sidecar.call.as_ref()?;
                self.threads.agents().find(|(_, t)| t.started_by.as_ref() == Some(call)).map(|(id, _)| id)
            };
            let Some(id) = sidecar.agent.or_else(by_call) else { continue };
            let thread = self.threads.of(id);
            thread.started_by = thread.started_by.take().or(sidecar.call.take());
            thread.agent_type = sidecar.agent_type.take().or(thread.agent_type.take());
            thread.description = sidecar.description.take().or(thread.description.take());
        }
    }
}
