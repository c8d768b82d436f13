//! What belongs to what, by id alone.

use expect_test::expect;

use crate::tests::check;

#[test]
fn relations_are_by_id_alone() {
    check(
        r#"
user u1 "typed along"
call c1 Task
call c2 Run
result c2 by=u1 "by a prompt"
result c1 by=far "by another agent's message"
carrier far agent=A
agent A parent=c1 kind=helper "count"
user p agent=A "count them"
workflow w parent=c2 status=done "night run"
worker wa run=w state=ok "left"
worker stray run=unknown
"#,
        &expect![[r#"
            user u1 "typed along"
            assistant m:c1+m:c2 [Task c1 = "by another agent's message" agent=A] [Run c2 = "by a prompt" run=w]
            agent A under=c1 kind=helper asked=count
              user p "count them"
            workflow w under=c2 name=night run status=done wa label=left state=ok
            workflow unknown stray
        "#]],
    );
}

#[test]
fn a_result_without_a_call_is_shown_or_counted() {
    check(
        r#"
call c0 Read
result gone1 "its carrier has text"
call c1 Read
result gone2 bare "no carrier"
carrier quiet
result gone3 by=quiet "carrier without text"
user u1 "own words"
result gone4 by=u1 "not in them"
carrier h hidden "x"
result gone5 by=h "hidden"
call c2 Read
"#,
        &expect![[r#"
            assistant m:c0 [Read c0]
            user r:gone1 tool_result "its carrier has text"
            assistant m:c1 [Read c1]
            user u1 "own words"
            assistant m:c2 [Read c2]
            unattached 4
        "#]],
    );
}

#[test]
fn a_carrier_of_several_results_is_no_item_while_all_stand_with_calls() {
    check(
        r#"
call c1 Read
call c2 Read
carrier both "1 and 2"
result c1 by=both "1"
result c2 by=both "2"
call c3 Read
carrier half "3 and lost"
result c3 by=half "3"
result lost by=half "lost"
"#,
        &expect![[r#"
            assistant m:c1+m:c2+m:c3+both [Read c1 = "1"] [Read c2 = "2"] [Read c3 = "3"]
            user half tool_result "3 and lost"
        "#]],
    );
}

#[test]
fn branch_points_stay_with_the_item_that_shows_the_message() {
    check(
        r#"
user u1 branches=a1,a2 "fork here"
call c1 Read
carrier k branches=u2,u3
result c1 by=k "body"
user u2 "one way"
user u3 "the other"
"#,
        &expect![[r#"
            user u1 branches=a1,a2 "fork here"
            assistant m:c1+k branches=u2,u3 [Read c1 = "body"]
            user u2 "one way"
            user u3 "the other"
        "#]],
    );
}

#[test]
fn text_parts_are_joined_by_a_line_feed() {
    check(
        r#"
user u1 parts "one|two"
call c1 Read
result c1 parts "three|four"
"#,
        &expect![[r#"
            user u1 "one\ntwo"
            assistant m:c1+r:c1 [Read c1 = "three\nfour"]
        "#]],
    );
}

#[test]
fn calls_of_one_message_stand_in_the_logs_order() {
    check(
        r#"
assistant a1 type=tool_use
call c2 in=a1 line=8 Second
call c9 in=a1 line=7 First
call c3 in=a1 line=8 Third
"#,
        &expect![[r#"
            assistant a1 [First c9] [Second c2] [Third c3]
        "#]],
    );
}

#[test]
fn spans_reach_over_all_members() {
    check(
        r#"
think t1 line=4 "a"
assistant a1 line=5 "b"
call c1 Read line=6
result c1 line=9 "body"
"#,
        &expect![[r#"
            assistant t1+a1+m:c1+r:c1 lines=4-6 "b" think "a" [Read c1 = "body"]
        "#]],
    );
}
