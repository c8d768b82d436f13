//! What holds for every set of records: order of arrival, both input forms, what is an error.

use proptest::prelude::*;

use super::script;
use crate::{AssemblyError, AssemblyOptions, RecordSet, Rows, assemble_session_detail, reassemble};
use palimpsest_record::TranscriptRecord;

fn assemble(records: Vec<TranscriptRecord>) -> Result<crate::SessionDetail, AssemblyError> {
    assemble_session_detail(&RecordSet::from_records(records)?, &AssemblyOptions::default())
}

#[test]
fn a_delta_asks_for_a_full_parse() {
    let error = assemble(script::records("session s delta")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the records of session s are only what is new: a full parse of its source is needed"
    );
    let mut set = RecordSet::new();
    script::records("session s delta").into_iter().for_each(|record| set.push(record));
    assert_eq!(assemble_session_detail(&set, &AssemblyOptions::default()), Err(error));
}

#[test]
fn a_stream_without_its_session_is_assembled_only_while_it_is_unfinished() {
    let mut set = RecordSet::new();
    for record in script::records("user u1 \"hello\"\nuser u2 meta \"x\"\nuser u3 agent=A \"y\"") {
        if !matches!(record, TranscriptRecord::Session(_)) {
            set.push(record);
        }
    }
    let finished = AssemblyOptions::default();
    assert_eq!(assemble_session_detail(&set, &finished), Err(AssemblyError::NoSession));
    let unfinished = AssemblyOptions { unfinished: true, ..finished };
    let session = assemble_session_detail(&set, &unfinished).unwrap().session;
    assert_eq!((session.id.as_str(), session.source.as_str(), session.message_count), ("s", "script", 1));
}

#[test]
fn an_unknown_agent_is_an_error() {
    let set = RecordSet::from_records(script::records("user u1 \"hello\"")).unwrap();
    let options = AssemblyOptions { agent_id: Some("A".into()), ..AssemblyOptions::default() };
    let error = assemble_session_detail(&set, &options).unwrap_err();
    assert_eq!(error, AssemblyError::NoSuchAgent { agent_id: "A".into() });
}

#[test]
fn rows_that_say_nonsense_are_errors() {
    let check = |spoil: fn(&mut Rows), want: &str| {
        let set = RecordSet::from_records(script::records("call c1 Read\nresult c1 \"x\"")).unwrap();
        let mut rows = set.to_rows();
        spoil(&mut rows);
        assert_eq!(RecordSet::from_rows(rows).unwrap_err().to_string(), want);
    };
    check(|rows| rows.messages[0].id = None, "messages.id is missing");
    check(|rows| rows.messages[0].seq = None, "messages.seq is missing");
    check(
        |rows| rows.messages[0].message_type = Some("robot".into()),
        "messages.message_type: unknown word \"robot\"",
    );
    check(
        |rows| rows.messages[0].content_type = Some("smell".into()),
        "messages.content_type: unknown word \"smell\"",
    );
    check(
        |rows| rows.tool_calls[0].presentation = Some("aria".into()),
        "tool_calls.presentation: unknown word \"aria\"",
    );
    check(
        |rows| rows.sessions[0].count_mode = Some("half".into()),
        "sessions.count_mode: unknown word \"half\"",
    );
    check(
        |rows| rows.sessions[0].count_mode = Some("delta".into()),
        "the records of session s are only what is new: a full parse of its source is needed",
    );
    check(
        |rows| rows.messages[0].blocks = Some("[{\"kind\":\"smell\"}]".into()),
        "messages.blocks is not the JSON it should be: unknown variant `smell`, expected one of `text`, \
         `image`, `file`, `unknown` at line 1 column 16",
    );
    check(
        |rows| rows.tool_calls[0].input = Some("{".into()),
        "tool_calls.input is not the JSON it should be: EOF while parsing an object at line 1 column 1",
    );
}

#[test]
fn an_unknown_visibility_is_hidden_and_none_is_visible() {
    let check = |word: Option<&str>, want: usize| {
        let set = RecordSet::from_records(script::records("user u1 \"x\"\nsummary s1 \"y\"")).unwrap();
        let mut rows = set.to_rows();
        rows.messages[0].visibility = word.map(str::to_owned);
        rows.summaries[0].visibility = word.map(str::to_owned);
        let set = RecordSet::from_rows(rows).unwrap();
        let detail = assemble_session_detail(&set, &AssemblyOptions::default()).unwrap();
        assert_eq!((detail.messages.len(), detail.summaries.len()), (want, want), "{word:?}");
    };
    check(None, 1);
    check(Some("visible"), 1);
    check(Some("inactive"), 0);
    check(Some("hidden"), 0);
    check(Some("veiled"), 0);
}

/// Lines of a script in which no two records share an id. Ids and references are drawn from few
/// names, so that they meet, dangle and cross conversations.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let mark = prop::sample::select(vec!["", "", "", "inactive", "hidden", "agent=A", "agent=B", "meta"]);
    let kind = prop::sample::select(vec![
        "user",
        "assistant",
        "think",
        "system",
        "call",
        "call-in",
        "skillcall",
        "skill",
        "skill-linked",
        "result",
        "result-bare",
        "result-by",
        "summary",
        "agent",
        "workflow",
        "worker",
        "turn",
    ]);
    let line = (kind, mark, 0..12_u32, 0..6_u32, any::<bool>());
    prop::collection::vec(line, 0..40).prop_map(|lines| {
        let mut results = std::collections::HashSet::new();
        let write = |(at, (kind, mark, other, seq, usage)): (usize, (&str, &str, u32, u32, bool))| {
            let usage = if usage { format!("input=10 out={other} request=r{seq}") } else { String::new() };
            let tail = format!("{mark} seq={seq} {usage}");
            let fresh = results.insert(other);
            match kind {
                "user" | "assistant" | "think" | "system" => {
                    format!("{kind} x{at} {tail} branches=x{other} \"t{at}\"")
                }
                "call" => format!("call x{at} Tool {tail}"),
                "call-in" => format!("call x{at} in=x{other} Tool"),
                "skillcall" => format!("call x{at} Skill loads {tail}"),
                "skill" => format!("skill x{at} {tail} \"i{at}\""),
                "skill-linked" => format!("skill x{at} loaded=x{other} {tail} \"i{at}\""),
                "result" if fresh => format!("result x{other} {tail} \"r{other}\""),
                "result-bare" if fresh => format!("result x{other} bare \"r{other}\""),
                "result-by" if fresh => format!("result x{other} by=x{seq} \"r{other}\""),
                "agent" => format!("agent x{at} parent=x{other}"),
                "workflow" => format!("workflow x{at} parent=x{other}"),
                "worker" => format!("worker w{at} run=x{other}"),
                "turn" => format!("turn x{at} ms={other}"),
                _ => format!("summary x{at} {tail} \"s{at}\""),
            }
        };
        lines.into_iter().enumerate().map(write).collect()
    })
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter(lines in lines(), seed in any::<u64>()) {
        let records = script::records(&lines.join("\n"));
        let mut shuffled = records.clone();
        // A fixed walk over all positions: enough to bring any two records into either order.
        let mut state = seed;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        prop_assert_eq!(assemble(records), assemble(shuffled));
    }

    #[test]
    fn rows_change_nothing(lines in lines(), include_inactive in any::<bool>()) {
        let options = AssemblyOptions { include_inactive, ..AssemblyOptions::default() };
        let set = RecordSet::from_records(script::records(&lines.join("\n"))).unwrap();
        let again = RecordSet::from_rows(set.to_rows()).unwrap();
        prop_assert_eq!(assemble_session_detail(&set, &options), assemble_session_detail(&again, &options));
    }

    #[test]
    fn every_visible_text_is_in_exactly_one_place(lines in lines()) {
        let records = script::records(&lines.join("\n"));
        let set = RecordSet::from_records(records).unwrap();
        let options = AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() };
        let detail = assemble_session_detail(&set, &options).unwrap();
        let items: Vec<_> = detail.messages.iter().chain(detail.subagents.iter().flat_map(|agent| &agent.messages)).collect();
        let all: Vec<String> = items.iter().flat_map(|item| {
            [&item.text, &item.thinking, &item.skill_instructions].into_iter().flatten().flat_map(|text| text.split("\n\n").map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
        }).collect();
        for message in set.messages.iter().filter(|message| message.visibility != palimpsest_record::Visibility::Hidden) {
            let Some(text) = &message.text else { continue };
            // Text that only repeats a result which stands with its call is said there.
            let carries = message.content_type == palimpsest_record::ContentType::ToolResult;
            let times = all.iter().filter(|said| said.as_str() == text.as_str()).count();
            prop_assert!(times == 1 || (carries && times == 0), "{text:?} is said {times} times");
        }
        let mut ids: Vec<_> = items.iter().flat_map(|item| if item.member_ids.is_empty() { vec![&item.id] } else { item.member_ids.iter().collect() }).collect();
        let count = ids.len();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), count, "an id leads to two items");
    }

    #[test]
    fn assembling_onto_an_earlier_detail_changes_nothing(lines in lines(), cut in any::<prop::sample::Index>()) {
        let records = script::records(&lines.join("\n"));
        let cut = cut.index(records.len());
        let options = AssemblyOptions { unfinished: true, ..AssemblyOptions::default() };
        let mut set = RecordSet::new();
        records[..cut].iter().cloned().for_each(|record| set.push(record));
        let before = assemble_session_detail(&set, &options).unwrap();
        records[cut..].iter().cloned().for_each(|record| set.push(record));
        prop_assert_eq!(reassemble(&set, &options, &before), assemble_session_detail(&set, &options));
    }
}
