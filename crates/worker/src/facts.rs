//! What a log says of its session, for a list.

use palimpsest_protocol::SessionFacts;
use palimpsest_providers::ReadLog;
use palimpsest_record::TranscriptRecord;

/// The facts of a log that was read, wholly or only its beginning.
pub fn facts(log: &ReadLog, is_whole: bool) -> SessionFacts {
    let session = log.records.iter().rev().find_map(|record| match record {
        TranscriptRecord::Session(session) => Some(session),
        _ => None,
    });
    let Some(session) = session else { return SessionFacts::default() };
    let text = |text: &Option<palimpsest_record::Text>| text.as_deref().unwrap_or_default().to_owned();
    SessionFacts {
        title: text(&session.title),
        project: text(&session.project.clone().or_else(|| session.cwd.clone())),
        started: session.started_at.map(|at| at.millis()),
        ended: session.ended_at.filter(|_| is_whole).map(|at| at.millis()),
        messages: is_whole.then_some(session.message_count),
    }
}
