//! Which messages become one item.

use expect_test::expect;

use crate::tests::check;

#[test]
fn order_is_seq_then_id_whatever_the_times_say() {
    check(
        r#"
user b seq=2 time=1 "second"
user c seq=2 time=9 "third"
assistant a seq=1 time=5 "first"
"#,
        &expect![[r#"
            assistant a time=1970-01-01T00:00:05Z "first"
            user b time=1970-01-01T00:00:01Z "second"
            user c time=1970-01-01T00:00:09Z "third"
        "#]],
    );
}

#[test]
fn thinking_goes_into_the_next_assistant_item() {
    check(
        r#"
user u1 "go"
think t1 "one"
think t2 "two"
assistant a1 "text"
think t3 "three"
call c1 Read
result c1 "body"
think t4 "nothing follows"
user u2 "next"
think t5 "the end"
"#,
        &expect![[r#"
            user u1 "go"
            assistant t1+t2+a1 "text" think "one\n\ntwo"
            assistant t3+m:c1+r:c1 think "three" [Read c1 = "body"]
            assistant t4 thinking think "nothing follows"
            user u2 "next"
            assistant t5 thinking think "the end"
        "#]],
    );
}

#[test]
fn a_tool_run_is_one_item_and_text_absorbs_it() {
    check(
        r#"
call c1 Read
result c1 "1"
call c2 Read
call c3 Grep
result c3 "3"
result c2 error "2"
assistant a1 "I go on."
call c4 Write
result c4 "4"
assistant a2 "Done."
assistant a3 "Really."
"#,
        &expect![[r#"
            assistant m:c1+m:c2+m:c3+r:c1+r:c3+r:c2 [Read c1 = "1"] [Read c2 =! "2"] [Grep c3 = "3"]
            assistant a1+m:c4+r:c4 "I go on." [Write c4 = "4"]
            assistant a2 "Done."
            assistant a3 "Really."
            prompts 0 inactive 0 errors 1
        "#]],
    );
}

#[test]
fn text_on_a_message_that_calls_starts_a_new_item() {
    check(
        r#"
call c1 Read
assistant a1 type=mixed "and now"
call c2 in=a1 Grep
call c3 Read
"#,
        &expect![[r#"
            assistant m:c1 [Read c1]
            assistant a1+m:c3 mixed "and now" [Grep c2] [Read c3]
        "#]],
    );
}

#[test]
fn thinking_between_calls_is_a_border() {
    check(
        r#"
call c1 Read
think t1 "hm"
call c2 Read
assistant a1 "text"
think t2 "so"
call c3 Read
"#,
        &expect![[r#"
            assistant m:c1 [Read c1]
            assistant t1+m:c2 think "hm" [Read c2]
            assistant a1 "text"
            assistant t2+m:c3 think "so" [Read c3]
        "#]],
    );
}

#[test]
fn people_products_and_meta_are_borders() {
    check(
        r#"
call c1 Read
user u1 "stop"
call c2 Read
system s1 "notice"
call c3 Read
user u2 meta "reminder"
call c4 Read
assistant a1 meta "injected"
call c5 Read
"#,
        &expect![[r#"
            assistant m:c1 [Read c1]
            user u1 "stop"
            assistant m:c2 [Read c2]
            system s1 "notice"
            assistant m:c3 [Read c3]
            user u2 meta "reminder"
            assistant m:c4 [Read c4]
            assistant a1 meta "injected"
            assistant m:c5 [Read c5]
        "#]],
    );
}

#[test]
fn what_is_no_plain_text_takes_no_calls() {
    check(
        r#"
assistant a1 type=error error "overloaded"
call c1 Read
assistant a2 type=image image
call c2 Read
assistant a3 error "cut off"
call c3 Read
assistant a4 error
call c4 Write error
"#,
        &expect![[r#"
            assistant a1 error error "overloaded"
            assistant m:c1 [Read c1]
            assistant a2 image
            assistant m:c2 [Read c2]
            assistant a3+m:c3 error "cut off" [Read c3]
            assistant a4 error
            assistant m:c4 error [Write c4]
            prompts 0 inactive 0 errors 4
        "#]],
    );
}

#[test]
fn an_empty_message_joins_the_run_and_breaks_nothing() {
    check(
        r#"
call c1 Read
assistant a1 "  "
call c2 Read
assistant a2
assistant a3 "text"
assistant a4
call c3 Read
"#,
        &expect![[r#"
            assistant m:c1+a1+m:c2+a2 [Read c1] [Read c2]
            assistant a3+a4+m:c3 "text" [Read c3]
        "#]],
    );
}

#[test]
fn prompts_and_errors_are_counted() {
    check(
        r#"
user u1 "prompt"
user u2 meta "no prompt"
user u3 type=command "/clear"
call c1 Read
result c1 error "failed"
system s1 error "failed"
"#,
        &expect![[r#"
            user u1 "prompt"
            user u2 meta "no prompt"
            user u3 command "/clear"
            assistant m:c1+r:c1 [Read c1 =! "failed"]
            system s1 error "failed"
            prompts 1 inactive 0 errors 2
        "#]],
    );
}
