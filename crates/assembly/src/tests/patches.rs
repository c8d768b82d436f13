//! Patches: the law, identity, and what an append costs.

use std::fmt::Write;
use std::sync::Arc;

use proptest::prelude::*;

use super::script;
use crate::{
    AssemblyOptions, Item, RecordSet, SessionDetail, Step, apply, assemble_session_detail, diff, reassemble,
};

fn detail(script: &str) -> SessionDetail {
    let set = RecordSet::from_records(script::records(script)).unwrap();
    assemble_session_detail(&set, &AssemblyOptions::default()).unwrap()
}

/// What a patch between two scripts does to the main thread: `=` keeps, `+` puts.
fn check(old: &str, new: &str, want: &str) {
    let (old, new) = (detail(old), detail(new));
    let patch = diff(&old, &new);
    let patched = apply(&old, &patch);
    assert_eq!(patched, new);
    let mut steps = String::new();
    for step in &patch.messages.steps {
        match step {
            Step::Keep(range) => write!(steps, "={}..{} ", range.start, range.end).unwrap(),
            Step::Put(rows) => rows.iter().for_each(|row| write!(steps, "+{} ", row.id).unwrap()),
        }
    }
    assert_eq!(steps.trim(), want);
    let kept = patched.messages.iter().filter(|row| old.messages.iter().any(|known| Arc::ptr_eq(known, row)));
    let ranges = patch.messages.steps.iter().map(|step| match step {
        Step::Keep(range) => range.len(),
        Step::Put(_) => 0,
    });
    assert_eq!(kept.count(), ranges.sum::<usize>(), "a kept row is the same row");
}

#[test]
fn rows_are_kept_put_and_dropped_by_id() {
    let abc = "user a \"1\"\nuser b \"2\"\nuser c \"3\"";
    check(abc, abc, "=0..3");
    check(abc, "user a \"1\"\nuser b \"2\"\nuser c \"3\"\nuser d \"4\"", "=0..3 +d");
    check(abc, "user a \"1\"\nuser b \"changed\"\nuser c seq=9 \"3\"", "=0..1 +b +c");
    check(abc, "user a \"1\"\n\nuser c \"3\"", "=0..1 =2..3");
    check(abc, "user c seq=2 \"3\"\nuser b seq=5 \"2\"", "=2..3 +b");
    check(abc, "", "");
    check("", abc, "+a +b +c");
}

#[test]
fn a_patch_knows_when_it_only_appends() {
    let old = detail("user a \"1\"\nuser b \"2\"");
    let check = |new: &str, want: bool| {
        assert_eq!(diff(&old, &detail(new)).messages.only_appends(old.messages.len()), want, "{new}");
    };
    check("user a \"1\"\nuser b \"2\"", true);
    check("user a \"1\"\nuser b \"2\"\nuser c \"3\"", true);
    check("user a \"1\"\nuser b \"other\"\nuser c \"3\"", false);
    check("user a \"1\"", false);
    check("user 0 seq=0 \"0\"\nuser a seq=0 \"1\"\nuser b \"2\"", false);
}

/// A long session, and the set it comes from.
fn long_session(turns: usize) -> RecordSet {
    let mut lines = String::new();
    for turn in 0..turns {
        writeln!(
            lines,
            "user u{turn} \"prompt\"\nthink t{turn} \"hm\"\ncall c{turn} Read\nresult c{turn} \"x\""
        )
        .unwrap();
    }
    RecordSet::from_records(script::records(&lines)).unwrap()
}

#[test]
fn appending_costs_what_was_appended() {
    let fingerprinted =
        |items: &[Arc<Item>]| items.iter().filter(|item| item.identity.is_fingerprinted()).count();
    let options = AssemblyOptions::default();
    for turns in [100, 2000] {
        let mut set = long_session(turns);
        let old = assemble_session_detail(&set, &options).unwrap();
        // One more call joins the last item, and a prompt comes after it.
        let next = turns * 4 + 1;
        let more = format!("call late Read seq={next}\nuser last seq={} \"more\"", next + 1);
        script::records(&more).into_iter().for_each(|record| set.push(record));
        let new = reassemble(&set, &options, &old).unwrap();

        let shared = old.messages.iter().zip(&new.messages).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!((shared, new.messages.len()), (turns * 2 - 1, turns * 2 + 1));
        let patch = diff(&old, &new);
        assert_eq!(fingerprinted(&old.messages) + fingerprinted(&new.messages), 2, "the item that changed");
        assert!(matches!(&patch.messages.steps[..], [Step::Keep(kept), Step::Put(put)]
            if *kept == (0..turns * 2 - 1) && put.len() == 2));
        let patched = apply(&old, &patch);
        assert_eq!(patched, new);
        assert!(patched.messages.iter().zip(&new.messages).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
}

#[test]
fn a_late_result_touches_only_its_item() {
    let options = AssemblyOptions::default();
    let mut set = long_session(50);
    let old = assemble_session_detail(&set, &options).unwrap();
    script::records("result c7 bare \"another\"").into_iter().for_each(|record| set.push(record));
    let new = reassemble(&set, &options, &old).unwrap();
    let changed: Vec<&str> = old
        .messages
        .iter()
        .zip(&new.messages)
        .filter(|(a, b)| !Arc::ptr_eq(a, b))
        .map(|(_, b)| b.id.as_str())
        .collect();
    assert_eq!(changed, ["t7"]);
}

#[test]
fn the_toggle_keeps_the_items_that_it_does_not_concern() {
    let set = RecordSet::from_records(script::records("user a \"1\"\nuser b inactive \"2\"\nuser c \"3\""))
        .unwrap();
    let without = assemble_session_detail(&set, &AssemblyOptions::default()).unwrap();
    let options = AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() };
    let with = reassemble(&set, &options, &without).unwrap();
    assert!(Arc::ptr_eq(&without.messages[0], &with.messages[0]));
    assert!(Arc::ptr_eq(&without.messages[1], &with.messages[2]));
    let patch = diff(&without, &with);
    assert_eq!(apply(&without, &patch), with);
    assert_eq!(patch.messages.steps.len(), 3);
}

#[test]
fn items_of_another_set_are_never_taken_over() {
    let other = detail("user a \"theirs\"");
    let set = RecordSet::from_records(script::records("user a \"ours\"")).unwrap();
    let detail = reassemble(&set, &AssemblyOptions::default(), &other).unwrap();
    assert_eq!(detail.messages[0].text.as_deref(), Some("ours"));
}

#[test]
fn a_fingerprint_is_of_the_content_alone() {
    let (one, same) = (detail("user a \"1\""), detail("user a \"1\""));
    let changed = Item { text: Some("2".into()), ..(*one.messages[0]).clone() };
    assert_eq!(one.messages[0].fingerprint(), same.messages[0].fingerprint());
    assert_ne!(one.messages[0].fingerprint(), changed.fingerprint());
}

/// Sessions over few ids, so that two of them share, change, move and drop rows.
fn session() -> impl Strategy<Value = String> {
    let kind =
        prop::sample::select(vec!["user", "assistant", "call", "think", "summary", "workflow", "agent"]);
    let line = (kind, 0..8_u32, 0..4_u32, 0..3_u32, any::<bool>());
    prop::collection::vec(line, 0..24).prop_map(|lines| {
        let write = |(kind, id, seq, text, agent): (&str, u32, u32, u32, bool)| {
            let agent = if agent { "agent=A" } else { "" };
            format!("{kind} {kind}{id} {agent} seq={seq} \"{text}\"\n")
        };
        lines.into_iter().map(write).collect()
    })
}

proptest! {
    #[test]
    fn a_patch_makes_the_new_from_the_old(old in session(), new in session()) {
        let (old, new) = (detail(&old), detail(&new));
        prop_assert_eq!(apply(&old, &diff(&old, &new)), new);
    }
}
