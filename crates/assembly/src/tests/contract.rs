//! The JSON of a session detail, as `palimpsest read --json` promises it.

use expect_test::expect_file;

use super::script;
use crate::{AssemblyOptions, RecordSet, assemble_session_detail};

fn json(script: &str) -> String {
    let set = RecordSet::from_records(script::records(script)).unwrap();
    let options = AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() };
    let detail = assemble_session_detail(&set, &options).unwrap();
    serde_json::to_string_pretty(&detail).unwrap() + "\n"
}

#[test]
fn every_part_has_its_place() {
    let script = r#"
user u1 time=1 line=1 branches=a,b image "look"
think t1 inactive line=2 "hm"
call c1 Task inactive model=m line=3 input=5 out=2 cost=0.5 path=/w/a len=70000
result c1 inactive error line=4 parts "no|such file"
call c2 Read line=5
agent A parent=c1 kind=helper ms=5 "count"
user p1 agent=A line=6 "count"
workflow w parent=c1 status=done "night"
worker x run=w "left"
summary s1 "gone"
session s attests "Title"
"#;
    expect_file!["contract/detail.json"].assert_eq(&json(script));
}

#[test]
fn a_span_names_its_file_only_where_there_are_several() {
    let files = |script: &str| {
        let detail: serde_json::Value = serde_json::from_str(&json(script)).unwrap();
        let messages = detail["messages"].as_array().unwrap().clone();
        messages.iter().map(|message| message["span"]["file"].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!(files("user u1 line=1 \"a\"\nuser u2 line=2 \"b\""), [None, None]);
    assert_eq!(files("user u1 line=1 \"a\"\nuser u2 line=1 file=1 \"b\""), [Some(0), Some(1)]);
}
