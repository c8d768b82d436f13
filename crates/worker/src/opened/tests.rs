//! The worker as the page meets it: packed questions in, packed answers out.

use expect_test::{Expect, expect};
use palimpsest_protocol::{Envelope, LineClass, Part, PartBody, Row, RowKind};
use palimpsest_providers::PROVIDERS;
use palimpsest_record::{
    ContentType, Json, Message, MessageType, Session, Span, Subagent, Summary, Superseded, SupersededBy,
    Timestamp, ToolCall, ToolResult, Visibility, Workflow, WorkflowAgent,
};

use super::*;

fn span(line: u32) -> Option<Span> {
    let start = u64::from(line - 1) * 10;
    Some(Span { file: 0, line_first: line, line_last: line, byte_start: start, byte_end: start + 9 })
}

fn message(line: u32, id: &str, message_type: MessageType, text: &str) -> Message {
    Message {
        id: id.into(),
        session_id: "s".into(),
        message_type,
        seq: u64::from(line),
        timestamp: Some(Timestamp::from_millis(i64::from(line) * 1000)),
        text: (!text.is_empty()).then(|| text.into()),
        span: span(line),
        source: "test".into(),
        ..Message::default()
    }
}

fn call(id: &str, message_id: &str, input: &str) -> TranscriptRecord {
    TranscriptRecord::from(ToolCall {
        id: id.into(),
        message_id: message_id.into(),
        session_id: "s".into(),
        name: "Run".into(),
        input: Json::parse(input).unwrap(),
        ..ToolCall::default()
    })
}

fn result(call_id: &str, content: &str, is_error: bool) -> TranscriptRecord {
    TranscriptRecord::from(ToolResult {
        tool_call_id: call_id.into(),
        session_id: "s".into(),
        content: content.into(),
        is_error,
        ..ToolResult::default()
    })
}

/// A prompt, an answer with a thought and two calls, an inactive prompt, a summary, a subagent.
fn records() -> Vec<TranscriptRecord> {
    use MessageType::{Assistant, User};
    let mut records: Vec<TranscriptRecord> = [
        message(1, "m1", User, "fix the *gate*\nplease"),
        Message { content_type: ContentType::Thinking, ..message(2, "m2", Assistant, "look first") },
        message(3, "m3", Assistant, "Looking."),
        Message { content_type: ContentType::ToolUse, ..message(4, "m4", Assistant, "") },
        Message {
            visibility: Visibility::Inactive,
            superseded: Some(Superseded { how: SupersededBy::RolledBack, at: None, by: Some("m7".into()) }),
            ..message(5, "m5", User, "paint it red")
        },
        message(7, "m7", User, "paint it blue"),
        Message {
            is_meta: true,
            content_type: ContentType::Command,
            ..message(8, "m8", User, "\u{1b}[1m/clear\u{1b}[0m")
        },
        Message { agent_id: Some("a1".into()), ..message(9, "m9", User, "find paint") },
    ]
    .into_iter()
    .map(TranscriptRecord::from)
    .collect();
    records.push(call("c1", "m4", r#"{"command":"ls -l","timeout":5}"#));
    records.push(result("c1", "a\nb\n", false));
    records.push(call("c2", "m4", r#""free text""#));
    records.push(TranscriptRecord::from(Summary {
        id: "x1".into(),
        session_id: "s".into(),
        seq: 6,
        summary_kind: "compaction".into(),
        content: "The gate was fixed.".into(),
        tokens_before: Some(182_000),
        span: span(6),
        ..Summary::default()
    }));
    records.push(TranscriptRecord::from(Subagent {
        agent_id: "a1".into(),
        session_id: "s".into(),
        parent_tool_call_id: Some("c2".into()),
        ..Subagent::default()
    }));
    records.push(TranscriptRecord::from(Session {
        id: "s".into(),
        source: "test".into(),
        attests_inactive: true,
        ..Session::default()
    }));
    records
}

fn opened(records: Vec<TranscriptRecord>) -> Opened {
    let provider = *PROVIDERS.first().unwrap();
    let mut opened =
        Opened::new(Source { provider, files: vec![("log.jsonl".to_owned(), Container::Lines)] });
    let mut ledger = Ledger::default();
    for line in 1..=9 {
        ledger.enter(&span(line).unwrap());
    }
    assert!(matches!(opened.take_complete(records, ledger, None), Response::Outline(_)));
    opened
}

/// Asks as the page does: both ways through the packed form.
fn ask(opened: &mut Opened, request: Request) -> Response {
    let packed = Envelope { id: 7, body: request }.pack().unwrap();
    let question = Envelope::<Request>::unpack(&packed).unwrap();
    let mut answer = opened.answer(question.body);
    loop {
        let response = match answer {
            Answer::Now(response) | Answer::AfterOutline(_, response) => response,
            Answer::Read(wanted) => {
                let bytes: Vec<u8> =
                    wanted.bytes.clone().map(|at| b"012345678\n"[at as usize % 10]).collect();
                answer = opened.with_bytes(wanted, &bytes);
                continue;
            }
        };
        let packed = Envelope { id: question.id, body: response }.pack().unwrap();
        return Envelope::unpack(&packed).unwrap().body;
    }
}

fn outline_of(response: Response) -> Outline {
    match response {
        Response::Outline(outline) => *outline,
        other => panic!("no outline but {other:?}"),
    }
}

fn rows(opened: &mut Opened, request: Request) -> Vec<Row> {
    match ask(opened, request) {
        Response::Rows { rows, .. } => rows,
        other => panic!("no rows but {other:?}"),
    }
}

fn draw(rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        out.push_str(&format!("{} {}", row.kind.as_str(), row.id));
        if let Some(inactive) = &row.inactive {
            out.push_str(&format!(
                " inactive {:?} by {:?}",
                inactive.how,
                inactive.by.as_ref().map(|by| by.1.as_str())
            ));
        }
        out.push('\n');
        for part in &row.parts {
            out.push_str(&match part {
                Part::Prose { blocks, .. } => format!("  prose {blocks:?}\n"),
                Part::Plain { text, .. } => format!("  plain {text:?}\n"),
                Part::Thinking { first_line, length } => format!("  thinking {first_line:?} {length}\n"),
                Part::Note { label, first_line, .. } => format!("  note {label}: {first_line}\n"),
                Part::Call { name, argument, state, tail, agents, .. } => {
                    let agents: Vec<_> = agents.iter().map(|agent| (&agent.agent_id, agent.rows)).collect();
                    format!("  call {name} {argument:?} {state:?} {tail:?} {agents:?}\n")
                }
                Part::Agents(agents) => {
                    let agents: Vec<_> = agents.iter().map(|agent| (&agent.agent_id, agent.rows)).collect();
                    format!("  agents {agents:?}\n")
                }
                Part::Attachment { label } => format!("  attachment {label}\n"),
            });
        }
    }
    out
}

fn check_rows(opened: &mut Opened, request: Request, expect: Expect) {
    let rows = rows(opened, request);
    expect.assert_eq(&draw(&rows));
}

#[test]
fn rows_say_what_a_person_reads() {
    let mut opened = opened(records());
    let view = opened.view;
    check_rows(
        &mut opened,
        Request::Rows { view, start: 0, end: 100 },
        expect![[r#"
            prompt m1
              prose [Paragraph([Text("fix the "), Emphasis([Text("gate")]), Break, Text("please")])]
            answer m2
              thinking "look first" 10
              prose [Paragraph([Text("Looking.")])]
              call Run "ls -l" Done "2 lines" []
              call Run "free text" NoResult "no result" [("a1", 1)]
            summary x1
              note Summarised here · 182,000 tokens before: The gate was fixed.
            prompt m7
              prose [Paragraph([Text("paint it blue")])]
            system m8
              note Command: /clear
        "#]],
    );
    check_rows(
        &mut opened,
        Request::AgentRows { agent_id: "a1".to_owned(), start: 0, end: 20 },
        expect![[r#"
            prompt m9
              prose [Paragraph([Text("find paint")])]
        "#]],
    );
}

#[test]
fn the_toggle_brings_inactive_rows_with_their_reason() {
    let mut opened = opened(records());
    let hidden = opened.outline();
    assert_eq!((hidden.inactive, hidden.shows_inactive), (1, false));
    let shown = outline_of(ask(&mut opened, Request::ShowInactive(true)));
    assert_eq!((shown.inactive, shown.rows.len()), (1, hidden.rows.len() + 1));
    assert!(matches!(
        ask(&mut opened, Request::Rows { view: hidden.view, start: 0, end: 1 }),
        Response::Stale
    ));
    check_rows(
        &mut opened,
        Request::Rows { view: shown.view, start: 2, end: 3 },
        expect![[r#"
            prompt m5 inactive Some(RolledBack) by Some("paint it blue")
              prose [Paragraph([Text("paint it red")])]
        "#]],
    );
    let again = outline_of(ask(&mut opened, Request::ShowInactive(false)));
    assert_eq!(again.rows, hidden.rows, "keys are the same in every view");
}

#[test]
fn a_link_finds_its_message() {
    let mut opened = opened(records());
    let mut check = |id: &str, want: Option<u32>, shows_inactive: bool| {
        let Response::Found { row, .. } = ask(&mut opened, Request::Find { id: id.to_owned() }) else {
            panic!("not found or not: an answer")
        };
        assert_eq!((row, opened.shows_inactive), (want, shows_inactive), "{id}");
    };
    check("m4", Some(1), false);
    // A call, and a message of the subagent that another call started.
    check("c1", Some(1), false);
    check("m9", Some(1), false);
    check("nowhere", None, false);
    check("m5", Some(2), true);
    check("m7", Some(4), true);
}

#[test]
fn folds_open() {
    let mut opened = opened(records());
    let place = |part| BodyPlace { agent_id: None, id: "m2".to_owned(), part };
    let Response::Part(PartBody::Call { input, output, .. }) = ask(&mut opened, Request::Part(place(2)))
    else {
        panic!("a call's body")
    };
    assert_eq!(input.first().unwrap().text.as_str(), "command: ls -l\ntimeout: 5");
    assert_eq!(output.unwrap().first().unwrap().text.as_str(), "a\nb\n");
    assert!(matches!(ask(&mut opened, Request::Part(place(0))), Response::Part(PartBody::Prose { .. })));
    assert!(matches!(ask(&mut opened, Request::Part(place(9))), Response::Failed(_)));
    let text = Request::Text { place: place(2), output: true, start: 2, limit: 1 };
    let Response::Text(window) = ask(&mut opened, text) else { panic!("a window") };
    assert_eq!(
        (window.text.first().unwrap().text.as_str(), window.start, window.end, window.total),
        ("b", 2, 3, 4)
    );
}

#[test]
fn the_log_is_seen_as_it_stands() {
    let mut opened = opened(records());
    let place = BodyPlace { agent_id: None, id: "m2".to_owned(), part: 0 };
    let Response::Raw(raw) = ask(&mut opened, Request::Raw { place, start: 0 }) else { panic!("raw") };
    assert_eq!((raw.line_first, raw.line_last, raw.lines.len(), raw.total), (2, 4, 3, 29));
    let Response::Raw(raw) = ask(&mut opened, Request::Line { file: 0, line: 9 }) else { panic!("raw") };
    assert_eq!((raw.line_first, raw.lines.len()), (9, 1));
    assert!(matches!(ask(&mut opened, Request::Line { file: 0, line: 99 }), Response::Failed(_)));
    let Response::Lines(list) = ask(&mut opened, Request::Lines { class: LineClass::Damaged, skip: 5 })
    else {
        panic!("a list")
    };
    assert_eq!((list.total, list.lines.len()), (9, 4));
}

#[test]
fn a_long_run_of_calls_becomes_several_rows() {
    let mut records = records();
    for number in 0..100 {
        records.push(call(&format!("n{number:03}"), "m4", "{}"));
    }
    let mut opened = opened(records);
    let view = opened.view;
    let rows = rows(&mut opened, Request::Rows { view, start: 0, end: 100 });
    let answers: Vec<(&str, usize)> = rows
        .iter()
        .filter(|row| row.kind == RowKind::Answer)
        .map(|row| (row.id.as_str(), row.parts.len()))
        .collect();
    assert_eq!(answers, [("m2", 24), ("n020", 24), ("n044", 24), ("n068", 24), ("n092", 8)]);
    let place = BodyPlace { agent_id: None, id: "n044".to_owned(), part: 0 };
    assert!(matches!(ask(&mut opened, Request::Part(place)), Response::Part(PartBody::Call { .. })));
}

fn subagent(id: &str, call: Option<&str>) -> TranscriptRecord {
    TranscriptRecord::from(Subagent {
        agent_id: id.into(),
        session_id: "s".into(),
        parent_tool_call_id: call.map(Into::into),
        ..Subagent::default()
    })
}

#[test]
fn every_subagent_has_its_place() {
    let mut records = records();
    records.push(subagent("lost", None));
    records.push(subagent("orphan", Some("no-such-call")));
    records.push(TranscriptRecord::from(Workflow {
        run_id: "w1".into(),
        session_id: "s".into(),
        parent_tool_call_id: Some("c1".into()),
        ..Workflow::default()
    }));
    for id in ["a1", "worker"] {
        records.push(TranscriptRecord::from(WorkflowAgent {
            agent_id: id.into(),
            run_id: "w1".into(),
            session_id: "s".into(),
            phase: Some("Sweep".into()),
            ..WorkflowAgent::default()
        }));
    }
    let mut opened = opened(records);
    let view = opened.view;
    check_rows(
        &mut opened,
        Request::Rows { view, start: 1, end: 2 },
        expect![[r#"
        answer m2
          thinking "look first" 10
          prose [Paragraph([Text("Looking.")])]
          call Run "ls -l" Done "2 lines" [("worker", 0)]
          call Run "free text" NoResult "no result" [("a1", 1)]
    "#]],
    );
    check_rows(
        &mut opened,
        Request::Rows { view, start: 5, end: 9 },
        expect![[r#"
        system #agents
          agents [("lost", 0), ("orphan", 0)]
    "#]],
    );
}

#[test]
fn a_row_keeps_to_its_room_whatever_is_in_it() {
    let links = "[a](http://x.example/) ".repeat(3000);
    let table = format!("|{}\n|{}\n|x|\n", "a|".repeat(3000), "-|".repeat(3000));
    for text in [links, table] {
        let mut records = records();
        records.push(TranscriptRecord::from(message(9, "m90", MessageType::Assistant, &text)));
        for number in 0..100 {
            records.push(call(&format!("n{number:03}"), "m90", "{}"));
            for agent in 0..50 {
                let call = format!("n{number:03}");
                records.push(subagent(&format!("of-{number}-{agent}"), Some(&call)));
            }
        }
        let mut opened = opened(records);
        let view = opened.view;
        for row in rows(&mut opened, Request::Rows { view, start: 0, end: 100 }) {
            let weight = weight::of_row(&row);
            assert!(weight <= 32 * 1024, "{}: {weight} bytes in {} parts", row.id.as_str(), row.parts.len());
        }
    }
}

#[test]
fn the_report_is_one_json_object() {
    let mut opened = opened(records());
    let Response::Detail(json) = ask(&mut opened, Request::Detail) else { panic!("a report") };
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["messages"].as_array().unwrap().len(), 4);
    assert_eq!(report["receipt"]["lines"], 9);
}
