//! Claude Code.

use crate::{Batch, Claim, HeadObject, Line, Outcome, Provider, Reader};

/// Claude Code.
pub(crate) struct Claude;

impl Provider for Claude {
    fn id(&self) -> &'static str {
        "claude"
    }

    fn label(&self) -> &'static str {
        "Claude Code"
    }

    fn claims(&self, _object: &HeadObject<'_>) -> Claim {
        Claim::No
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Unwritten)
    }
}

struct Unwritten;

impl Reader for Unwritten {
    fn line(&mut self, line: &Line<'_>, batch: &mut Batch) -> Result<Outcome, serde_json::Error> {
        serde_json::from_str::<serde::de::IgnoredAny>(line.text)?;
        Ok(batch.ledger.unknown(&["unwritten"]))
    }

    fn finish(&mut self, _batch: &mut Batch) {}
}
