//! What is shown, and where it is a border.

use expect_test::expect;

use crate::tests::{check, check_inactive};

const BRANCHES: &str = r#"
user u1 "start"
call c1 Read
result c1 inactive "left"
think t1 inactive "wrong"
assistant a1 inactive "went wrong"
call c2 inactive Read
result c2 inactive "wrong file"
call c3 hidden Read
result c3 hidden "never"
call c4 Read
user h1 hidden "envelope"
result orphan inactive "only with the toggle"
summary s1 kind=branch "Tried the wrong way."
summary s2 inactive "old"
summary s3 hidden "never"
"#;

#[test]
fn inactive_is_dropped_before_folding() {
    check(
        BRANCHES,
        &expect![[r#"
            user u1 "start"
            assistant m:c1+m:c4 [Read c1 = "left"] [Read c4]
            summary s1 branch "Tried the wrong way."
            prompts 1 inactive 2 errors 0
        "#]],
    );
}

#[test]
fn inactive_stands_in_place_when_asked_for() {
    check_inactive(
        BRANCHES,
        &expect![[r#"
            user u1 "start"
            assistant m:c1+r:c1 [Read c1 = "left"]
            assistant t1+a1+m:c2+r:c2 inactive superseded "went wrong" think "wrong" [inactive c2 = "wrong file"]
            assistant m:c4 [Read c4]
            user r:orphan tool_result inactive superseded "only with the toggle"
            summary s1 branch "Tried the wrong way."
            summary s2 compaction inactive "old"
            prompts 1 inactive 2 errors 0
        "#]],
    );
}

#[test]
fn a_change_of_visibility_is_a_border() {
    check_inactive(
        r#"
call c1 Read
call c2 inactive Read
call c3 Read
think t1 "visible"
assistant a1 inactive "left"
think t2 inactive "left"
think t3 "current"
call c4 Skill loads
skill i1 inactive loaded=c4 "of another branch"
"#,
        &expect![[r#"
            assistant m:c1 [Read c1]
            assistant m:c2 inactive superseded [inactive c2]
            assistant m:c3 [Read c3]
            assistant t1 thinking think "visible"
            assistant a1 inactive superseded "left"
            assistant t2 thinking inactive superseded think "left"
            assistant t3+m:c4 think "current" [Skill c4]
            user i1 skill_instructions inactive superseded meta "of another branch"
            prompts 0 inactive 4 errors 0
        "#]],
    );
}

#[test]
fn superseded_is_said_only_of_what_is_inactive() {
    // The same message, first read as superseded, then attested current again.
    check_inactive(
        r#"
user u1 inactive "taken back"
user u1 "current"
"#,
        &expect![[r#"
            user u1 "current"
        "#]],
    );
}
