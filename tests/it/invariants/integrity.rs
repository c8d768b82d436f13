//! No record points nowhere.

use std::collections::BTreeSet;

use palimpsest_providers::Object;
use palimpsest_providers::{Container, ReadLog};
use palimpsest_record::{
    Message, MessageType, Span, Summary, Text, ToolCall, ToolResult, TranscriptRecord, Visibility,
};

use crate::fixtures::{Fixture, on_every_fixture};

/// Ids are unique, and one session record comes last.
#[test]
fn ids_are_unique() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let facts = Facts::of(&read);
        let assert_unique = |what: &str, ids: Vec<&Text>| {
            let distinct: BTreeSet<&Text> = ids.iter().copied().collect();
            assert_eq!(distinct.len(), ids.len(), "{what} ids repeat: {ids:?}");
            assert!(ids.iter().all(|id| !id.is_empty()), "a {what} has no id");
        };
        assert_unique("message", facts.messages.iter().map(|message| &message.id).collect());
        assert_unique("call", facts.calls.iter().map(|call| &call.id).collect());
        assert_unique("result", facts.results.iter().map(|result| &result.tool_call_id).collect());
        assert_unique("summary", facts.summaries.iter().map(|summary| &summary.id).collect());
        assert_unique("request", facts.requests());
    });
}

/// One session, said last, and everything is of it.
#[test]
fn everything_belongs_to_the_session() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let sessions: Vec<_> = read.records.iter().filter_map(session_of).collect();
        let Some(TranscriptRecord::Session(session)) = read.records.last() else {
            panic!("the session does not come last")
        };
        assert_eq!(sessions.len(), read.records.len(), "a record names no session");
        assert!(sessions.iter().all(|id| *id == session.id.as_str()), "{sessions:?}");
        assert!(!session.id.is_empty());
        assert_eq!(session.source, fixture.provider.id());
        for message in Facts::of(&read).messages {
            assert_eq!(message.source, fixture.provider.id());
        }
    });
}

/// Calls have their message, results their call (or the assembler counts them), agents their call.
#[test]
fn relations_lead_somewhere() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let facts = Facts::of(&read);
        for call in &facts.calls {
            let owner = facts.messages.iter().find(|message| message.id == call.message_id);
            let owner = owner.unwrap_or_else(|| panic!("the call {} has no message", call.id));
            assert_eq!(owner.message_type, MessageType::Assistant, "{}", call.id);
        }
        let messages: BTreeSet<&str> = facts.messages.iter().map(|message| message.id.as_str()).collect();
        let calls: BTreeSet<&str> = facts.calls.iter().map(|call| call.id.as_str()).collect();
        let carriers = facts.results.iter().filter_map(|result| result.message_id.as_deref());
        assert_known("carrier of a result", carriers, &messages);
        let branches = facts.messages.iter().flat_map(|message| message.branches.iter().map(|id| &**id));
        assert_known("branch", branches, &messages);
        let skills = facts.messages.iter().filter_map(|message| message.skill_call_id.as_deref());
        assert_known("call of a skill", skills, &calls);
        let parents = read.records.iter().filter_map(|record| match record {
            TranscriptRecord::Subagent(agent) => agent.parent_tool_call_id.as_deref(),
            TranscriptRecord::Workflow(run) => run.parent_tool_call_id.as_deref(),
            _ => None,
        });
        assert_known("call that started an agent", parents, &calls);
    });
}

/// A parent is a message of the session, or the source itself names nothing by that id.
#[test]
fn parents_exist_or_dangle_in_the_source() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let facts = Facts::of(&read);
        let messages: BTreeSet<&str> = facts.messages.iter().map(|message| message.id.as_str()).collect();
        let named = ids_of_lines(fixture);
        for message in &facts.messages {
            let Some(parent) = message.parent_id.as_deref() else { continue };
            let dangles = !named.contains(parent);
            assert!(
                messages.contains(parent) || dangles,
                "{}: its parent {parent} is a line of the log, but no message: bridge it",
                message.id
            );
        }
    });
}

/// What is inactive says why; what stands in its place exists; nothing else says so.
#[test]
fn what_is_inactive_says_why() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let facts = Facts::of(&read);
        let ids: BTreeSet<&str> = facts
            .messages
            .iter()
            .map(|message| message.id.as_str())
            .chain(facts.summaries.iter().map(|summary| summary.id.as_str()))
            .collect();
        for message in &facts.messages {
            let inactive = message.visibility == Visibility::Inactive;
            assert!(!inactive || message.superseded.is_some(), "{} does not say why", message.id);
            assert!(
                message.visibility != Visibility::Visible || message.superseded.is_none(),
                "{} is visible and superseded",
                message.id
            );
        }
        let by = facts.messages.iter().filter_map(|message| message.superseded.as_ref()?.by.as_deref());
        assert_known("what stands in its place", by, &ids);
        let Some(TranscriptRecord::Session(session)) = read.records.last() else { return };
        let any = facts.messages.iter().any(|message| message.visibility == Visibility::Inactive);
        assert!(session.attests_inactive || !any, "inactive, in a log that cannot say so");
    });
}

/// A raw lookup reads the lines that a span names, and finds whole lines there.
#[test]
fn spans_are_places_in_the_log() {
    on_every_fixture(|fixture| {
        let read = fixture.read();
        let facts = Facts::of(&read);
        assert!(facts.messages.iter().all(|message| message.span.is_some()), "a message has no place");
        for span in facts.spans() {
            let log = &fixture.logs[span.file as usize];
            let (start, end) = (span.byte_start as usize, span.byte_end as usize);
            let bytes = log.bytes.get(start..end).unwrap_or_else(|| panic!("{span:?} is outside"));
            if log.container == Container::Document {
                continue;
            }
            let feeds = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u32;
            assert_eq!(feeds(&log.bytes[..start]) + 1, span.line_first, "{span:?}");
            assert_eq!(span.line_first + feeds(bytes), span.line_last, "{span:?}");
            assert!(start == 0 || log.bytes[start - 1] == b'\n', "{span:?} begins inside a line");
            assert!(matches!(log.bytes.get(end), None | Some(b'\n')), "{span:?} ends inside a line");
        }
    });
}

/// The records of a reading, by kind.
struct Facts<'a> {
    messages: Vec<&'a Message>,
    calls: Vec<&'a ToolCall>,
    results: Vec<&'a ToolResult>,
    summaries: Vec<&'a Summary>,
}

impl<'a> Facts<'a> {
    fn of(read: &'a ReadLog) -> Facts<'a> {
        let mut facts = Facts { messages: vec![], calls: vec![], results: vec![], summaries: vec![] };
        for record in &read.records {
            match record {
                TranscriptRecord::Message(message) => facts.messages.push(message),
                TranscriptRecord::ToolCall(call) => facts.calls.push(call),
                TranscriptRecord::ToolResult(result) => facts.results.push(result),
                TranscriptRecord::Summary(summary) => facts.summaries.push(summary),
                _ => {}
            }
        }
        facts
    }

    /// The model call of every record that carries usage.
    fn requests(&self) -> Vec<&'a Text> {
        let messages = self.messages.iter().filter_map(|message| message.usage.as_ref());
        let summaries = self.summaries.iter().filter_map(|summary| summary.usage.as_ref());
        messages.chain(summaries).filter_map(|usage| usage.request.as_ref()).collect()
    }

    fn spans(&self) -> impl Iterator<Item = Span> {
        let messages = self.messages.iter().filter_map(|message| message.span);
        let calls = self.calls.iter().filter_map(|call| call.span);
        let results = self.results.iter().filter_map(|result| result.span);
        let summaries = self.summaries.iter().filter_map(|summary| summary.span);
        messages.chain(calls).chain(results).chain(summaries)
    }
}

fn session_of(record: &TranscriptRecord) -> Option<&str> {
    Some(match record {
        TranscriptRecord::Session(session) => &session.id,
        TranscriptRecord::Message(message) => &message.session_id,
        TranscriptRecord::ToolCall(call) => &call.session_id,
        TranscriptRecord::ToolResult(result) => &result.session_id,
        TranscriptRecord::Summary(summary) => &summary.session_id,
        TranscriptRecord::Subagent(agent) => &agent.session_id,
        TranscriptRecord::Workflow(run) => &run.session_id,
        TranscriptRecord::WorkflowAgent(agent) => &agent.session_id,
        TranscriptRecord::DeleteSession(delete) => &delete.session_id,
        TranscriptRecord::TurnDuration(_) => return None,
    })
}

fn assert_known<'a>(what: &str, ids: impl Iterator<Item = &'a str>, known: &BTreeSet<&str>) {
    let lost: Vec<&str> = ids.filter(|id| !known.contains(id)).collect();
    assert!(lost.is_empty(), "{what} that is nowhere: {lost:?}");
}

/// What the log's lines call themselves.
fn ids_of_lines(fixture: &Fixture) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for log in &fixture.logs {
        for line in String::from_utf8_lossy(&log.bytes).lines() {
            let Some(object) = Object::parse(line) else { continue };
            ids.extend(["id", "uuid"].iter().filter_map(|key| object.str(key)).map(String::from));
        }
    }
    ids
}
