//! A session detail as text that a person can review: a line for each item.

use std::fmt::Write;
use std::sync::Arc;

use palimpsest_record::{ContentType, Visibility};
use serde_json::Value;

use crate::{Counts, Item, ItemCall, SessionDetail, SummaryItem, UsageTotals};

pub(super) fn outline(detail: &SessionDetail) -> String {
    let mut out = String::new();
    if let Some(title) = &detail.session.title {
        writeln!(out, "title {:?}", title.as_str()).unwrap();
    }
    conversation(&mut out, "", &detail.messages, &detail.summaries, detail.counts);
    for agent in &detail.subagents {
        write!(out, "agent {}", agent.agent_id).unwrap();
        write_some(&mut out, "under", agent.parent_tool_use_id.as_deref());
        write_some(&mut out, "kind", agent.agent_type.as_deref());
        write_some(&mut out, "asked", agent.description.as_deref());
        write_some(&mut out, "ms", agent.duration_ms.map(|ms| ms.to_string()).as_deref());
        out.push('\n');
        conversation(&mut out, "  ", &agent.messages, &agent.summaries, agent.counts);
    }
    for run in &detail.workflows {
        write!(out, "workflow {}", run.run_id).unwrap();
        write_some(&mut out, "under", run.parent_tool_use_id.as_deref());
        write_some(&mut out, "name", run.name.as_deref());
        write_some(&mut out, "status", run.status.as_deref());
        for agent in &run.agents {
            write!(out, " {}", agent.agent_id).unwrap();
            write_some(&mut out, "label", agent.label.as_deref());
            write_some(&mut out, "state", agent.state.as_deref());
        }
        out.push('\n');
    }
    let usage = &detail.usage;
    let parts = [("total", &usage.total), ("visible", &usage.visible), ("main", &usage.main)];
    if usage.total != UsageTotals::default() {
        out.push_str("usage");
        for (name, totals) in parts.into_iter().chain([("subagents", &usage.subagents)]) {
            write!(out, " {name} {}", sum(totals)).unwrap();
        }
        out.push('\n');
    }
    if detail.unattached_results > 0 {
        writeln!(out, "unattached {}", detail.unattached_results).unwrap();
    }
    out
}

fn write_some(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        write!(out, " {name}={value}").unwrap();
    }
}

fn conversation(
    out: &mut String,
    indent: &str,
    items: &[Arc<Item>],
    summaries: &[Arc<SummaryItem>],
    counts: Counts,
) {
    for item in items {
        writeln!(out, "{indent}{}", line(item)).unwrap();
    }
    for summary in summaries {
        let mark = if summary.visibility == Visibility::Inactive { " inactive" } else { "" };
        writeln!(out, "{indent}summary {} {}{mark} {:?}", summary.id, summary.kind, summary.content).unwrap();
    }
    if counts.inactive > 0 || counts.errors > 0 {
        let Counts { inactive, prompts, errors } = counts;
        writeln!(out, "{indent}prompts {prompts} inactive {inactive} errors {errors}").unwrap();
    }
}

/// `TYPE ID+MEMBERS marks "text" think "…" [Name id = "result"]…`
fn line(item: &Item) -> String {
    let mut line = word(item.item_type);
    let ids = if item.member_ids.is_empty() { item.id.to_string() } else { item.member_ids.join("+") };
    write!(line, " {ids}").unwrap();
    if item.content_type != ContentType::Text && item.content_type != ContentType::ToolUse {
        write!(line, " {}", word(item.content_type)).unwrap();
    }
    for (mark, is_set) in [
        ("inactive", item.visibility == Visibility::Inactive),
        ("superseded", item.superseded.is_some()),
        ("meta", item.is_meta),
        ("error", item.is_error),
    ] {
        if is_set {
            write!(line, " {mark}").unwrap();
        }
    }
    write_some(&mut line, "model", item.model.as_deref());
    write_some(&mut line, "time", item.timestamp.map(|time| time.to_string()).as_deref());
    write_some(&mut line, "ms", item.turn_duration_ms.map(|ms| ms.to_string()).as_deref());
    if let Some(point) = &item.branch_point {
        write!(line, " branches={}", point.children.join(",")).unwrap();
    }
    if let Some(place) = item.span {
        write!(line, " lines={}-{}", place.line_first, place.line_last).unwrap();
    }
    if let Some(text) = &item.text {
        write!(line, " {:?}", text.as_str()).unwrap();
    }
    write_some(&mut line, "len", item.full_length.map(|length| length.to_string()).as_deref());
    if let Some(thinking) = &item.thinking {
        write!(line, " think {:?}", thinking.as_str()).unwrap();
    }
    if let Some(instructions) = &item.skill_instructions {
        write!(line, " instructions {:?}", instructions.as_str()).unwrap();
    }
    for call in &item.tool_calls {
        write!(line, " {}", call_text(call)).unwrap();
    }
    if let Some(usage) = &item.usage {
        write!(line, " usage {}", sum(usage)).unwrap();
    }
    line
}

fn call_text(call: &ItemCall) -> String {
    let mut text = format!("[{} {}", call.name, call.id);
    if let Some(result) = &call.result {
        let mark = if result.is_error { "!" } else { "" };
        write!(text, " ={mark} {:?}", result.content.as_str()).unwrap();
    }
    write_some(&mut text, "agent", call.subagent.as_ref().map(|link| link.agent_id.as_str()));
    write_some(&mut text, "run", call.workflow.as_ref().map(|link| link.run_id.as_str()));
    text + "]"
}

/// `input/output x requests`
fn sum(totals: &UsageTotals) -> String {
    let mut text = format!("{}/{}x{}", totals.input_tokens, totals.output_tokens, totals.requests);
    write_some(&mut text, "cost", totals.cost_usd.map(|cost| cost.to_string()).as_deref());
    text
}

fn word(value: impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        other => panic!("no word: {other:?}"),
    }
}
