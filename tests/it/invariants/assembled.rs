//! What holds between a stream of records and the session detail made from it.

use std::collections::BTreeSet;

use palimpsest_assembly::{
    AssemblyOptions, Item, RecordSet, SessionDetail, apply, assemble_session_detail, diff,
};
use palimpsest_record::{ContentType, Message, TranscriptRecord, Visibility};

use crate::fixtures::{assemble, assemble_set, on_every_fixture};

/// The law of the store: what is written as rows and read back assembles to the same.
#[test]
fn a_round_trip_through_rows_changes_nothing() {
    on_every_fixture(|fixture| {
        let set = RecordSet::from_records(fixture.read().records).unwrap();
        let again = RecordSet::from_rows(set.to_rows()).unwrap();
        assert_eq!(assemble_set(&set), assemble_set(&again));
    });
}

/// The order is `seq`'s, not the stream's.
#[test]
fn records_in_reverse_give_the_same_detail() {
    on_every_fixture(|fixture| {
        let records = fixture.read().records;
        let mut reversed = records.clone();
        reversed.reverse();
        assert_eq!(assemble(records), assemble(reversed));
    });
}

/// Ids of rows are unique, and every message of the stream that is not hidden is found by its id.
#[test]
fn every_message_has_one_row() {
    on_every_fixture(|fixture| {
        let records = fixture.read().records;
        let detail = assemble(records.clone());
        let items = items(&detail);
        let ids: BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids.len(), items.len(), "two rows have one id");
        let members: Vec<&str> =
            items.iter().flat_map(|item| item.member_ids.iter().map(|id| &**id)).chain(ids).collect();
        for message in messages(&records).filter(|message| has_something_to_show(message)) {
            assert!(members.contains(&message.id.as_str()), "{} leads nowhere", message.id);
        }
    });
}

/// No text or thought is lost in folding, and none that is hidden appears.
#[test]
fn texts_are_shown_once() {
    on_every_fixture(|fixture| {
        let records = fixture.read().records;
        let detail = assemble(records.clone());
        let shown: Vec<String> = items(&detail)
            .iter()
            .flat_map(|item| [&item.text, &item.thinking, &item.skill_instructions])
            .flatten()
            .map(ToString::to_string)
            .collect();
        for message in messages(&records) {
            let Some(text) = message.text.as_deref().filter(|text| !text.trim().is_empty()) else { continue };
            let found = shown.iter().any(|shown| shown.contains(text));
            assert!(found || !has_something_to_show(message), "{} is not shown: {text:?}", message.id);
        }
        let hidden = messages(&records).filter(|message| message.visibility == Visibility::Hidden);
        let hidden: BTreeSet<&str> = hidden.map(|message| message.id.as_str()).collect();
        for item in items(&detail) {
            assert!(!hidden.contains(item.id.as_str()), "{} is hidden and shown", item.id);
        }
    });
}

/// Without the option nothing inactive appears, and all that is visible does.
#[test]
fn inactive_messages_appear_only_when_asked_for() {
    on_every_fixture(|fixture| {
        let set = RecordSet::from_records(fixture.read().records).unwrap();
        let plain = assemble_session_detail(&set, &AssemblyOptions::default()).unwrap();
        let all = assemble_set(&set);
        let visible = |detail: &SessionDetail| -> Vec<(String, Option<String>)> {
            let items = items(detail).into_iter().filter(|item| item.visibility == Visibility::Visible);
            items.map(|item| (item.id.to_string(), item.text.as_deref().map(str::to_owned))).collect()
        };
        assert_eq!(visible(&plain), visible(&all));
        assert_eq!(visible(&plain).len(), items(&plain).len(), "something inactive appears");
        assert_eq!(plain.usage, all.usage, "accounting ignores visibility");
    });
}

/// Usage of every record is counted, once.
#[test]
fn usage_adds_up() {
    on_every_fixture(|fixture| {
        let records = fixture.read().records;
        let usage = assemble(records.clone()).usage;
        let calls = records.iter().filter_map(|record| match record {
            TranscriptRecord::Message(message) => message.usage.as_ref(),
            TranscriptRecord::Summary(summary) => summary.usage.as_ref(),
            _ => None,
        });
        let outputs: Vec<u64> =
            calls.filter(|call| !call.is_empty()).map(|call| call.output_tokens).collect();
        if !outputs.is_empty() {
            assert_eq!(usage.total.requests, outputs.len() as u64);
            assert_eq!(usage.total.output_tokens, outputs.iter().sum::<u64>());
        }
        let parts = usage.main.output_tokens + usage.subagents.output_tokens;
        assert_eq!(usage.total.output_tokens, parts, "main and subagents are the total");
        assert!(usage.visible.output_tokens <= usage.total.output_tokens);
        let totals = [&usage.total, &usage.visible, &usage.main, &usage.subagents];
        for part in totals {
            assert!(part.cached_input_tokens + part.cache_write_tokens <= part.input_tokens, "{part:?}");
            assert!(part.reasoning_tokens <= part.output_tokens, "{part:?}");
        }
    });
}

/// A result hangs on its call, is shown by its own message, or is counted.
#[test]
fn every_result_is_accounted_for() {
    on_every_fixture(|fixture| {
        let records = fixture.read().records;
        let detail = assemble(records.clone());
        let results = records.iter().filter(|record| matches!(record, TranscriptRecord::ToolResult(_)));
        let attached =
            items(&detail).into_iter().flat_map(|item| &item.tool_calls).filter(|c| c.result.is_some());
        let attached = attached.count() as u64;
        let alone = items(&detail).into_iter().filter(|item| item.content_type == ContentType::ToolResult);
        let found = attached + detail.unattached_results + alone.count() as u64;
        assert!(results.count() as u64 <= found, "{found} results of the stream are accounted for");
    });
}

/// Opening half a log and then the whole of it ends where opening the whole does.
#[test]
fn a_patch_leads_to_the_same_detail() {
    on_every_fixture(|fixture| {
        let records = fixture.read().records;
        let new = assemble(records.clone());
        for cut in 0..records.len() {
            let mut half = records[..cut].to_vec();
            half.extend(records.last().cloned());
            let old = assemble(half);
            assert_eq!(apply(&old, &diff(&old, &new)), new, "from the first {cut} records");
        }
    });
}

/// Rows of the main thread and of all agents.
fn items(detail: &SessionDetail) -> Vec<&Item> {
    let agents = detail.subagents.iter().flat_map(|agent| &agent.messages);
    detail.messages.iter().chain(agents).map(AsRef::as_ref).collect()
}

fn messages(records: &[TranscriptRecord]) -> impl Iterator<Item = &Message> {
    records.iter().filter_map(|record| match record {
        TranscriptRecord::Message(message) => Some(message.as_ref()),
        _ => None,
    })
}

/// Not hidden, and not the mere carrier of results or of calls.
fn has_something_to_show(message: &Message) -> bool {
    message.visibility != Visibility::Hidden
        && message.content_type != ContentType::ToolResult
        && message.text.as_deref().is_some_and(|text| !text.trim().is_empty())
}
