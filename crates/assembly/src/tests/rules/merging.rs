//! Several records of one id, and the two transitions.

use expect_test::expect;

use crate::tests::check;

#[test]
fn columns_merge_and_absent_never_overwrites() {
    check(
        r#"
assistant a1 model=m time=5 input=5 out=1 len=90 "short"
assistant a1 input=5 out=2
user u1 "first words"
user u1 "second words"
result c1 bare "early"
call c1 Read
result c1 bare "later wins"
workflow w "named"
workflow w status=done
"#,
        &expect![[r#"
            assistant a1 model=m time=1970-01-01T00:00:05Z "short" len=90 usage 5/2x1
            user u1 "second words"
            assistant m:c1 [Read c1 = "later wins"]
            workflow w name=named status=done
            usage total 5/2x1 visible 5/2x1 main 5/2x1 subagents 0/0x0
        "#]],
    );
}

#[test]
fn turn_durations_find_their_message_early_or_late() {
    check(
        r#"
turn a1 ms=700
user u1 "go"
call c1 Read
assistant a1 ms=1 "done"
turn m:c1 ms=300
turn nobody ms=1
"#,
        &expect![[r#"
            user u1 "go"
            assistant m:c1 ms=300 [Read c1]
            assistant a1 ms=700 "done"
        "#]],
    );
}

#[test]
fn a_deleted_session_takes_what_came_before_with_it() {
    check(
        r#"
session s "old title"
user u1 "old"
call c1 Read
result c1 "old"
agent A parent=c1
summary s1 "old"
turn u1 ms=5
user other session=t "of another session"
delete s
user u1 "new"
session s "new title"
"#,
        &expect![[r#"
            title "new title"
            user other "of another session"
            user u1 "new"
        "#]],
    );
}

#[test]
fn the_last_session_record_wins() {
    check(
        r#"
session s "first"
session s "last"
"#,
        &expect![[r#"
            title "last"
        "#]],
    );
}
