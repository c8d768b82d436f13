//! Each model call once.

use expect_test::expect;

use crate::tests::check;

#[test]
fn a_model_call_counts_once() {
    check(
        r#"
think t1 input=100 out=1 request=r1 "a"
assistant a1 input=100 out=8 request=r1 "b"
call c1 Read input=100 out=20 request=r1
call c2 Read input=130 out=5 request=r2
assistant a2 input=7 out=1 "no request: a call of its own"
assistant a3 input=7 out=1 "another"
assistant a4 input=0 out=0 request=r3 "no call"
"#,
        &expect![[r#"
            assistant t1+a1+m:c1+m:c2 "b" think "a" [Read c1] [Read c2] usage 230/25x2
            assistant a2 "no request: a call of its own" usage 7/1x1
            assistant a3 "another" usage 7/1x1
            assistant a4 "no call"
            usage total 244/27x4 visible 244/27x4 main 244/27x4 subagents 0/0x0
        "#]],
    );
}

#[test]
fn accounting_ignores_visibility() {
    check(
        r#"
assistant a1 input=1 out=1 request=r1 cost=0.5 "seen"
assistant a2 inactive input=10 out=1 request=r2 cost=0.25 "left"
assistant a3 hidden input=100 out=1 request=r3 "never shown"
assistant a4 agent=A input=1000 out=1 request=r4 "agent"
assistant a5 agent=A inactive input=10000 out=1 request=r5 "agent left"
summary s1 input=100000 out=1 request=r6 "compacted"
summary s2 agent=A hidden input=1000000 out=1 request=r7 "compacted"
"#,
        &expect![[r#"
            assistant a1 "seen" usage 1/1x1 cost=0.5
            summary s1 compaction "compacted"
            prompts 0 inactive 1 errors 0
            agent A
              assistant a4 "agent" usage 1000/1x1
              prompts 0 inactive 1 errors 0
            usage total 1111111/7x7 cost=0.75 visible 101001/3x3 cost=0.5 main 100111/4x4 cost=0.75 subagents 1011000/3x3
        "#]],
    );
}

#[test]
fn totals_of_the_session_count_only_where_messages_carry_none() {
    check(
        r#"
assistant a1 input=0 out=0 "nothing"
summary s1 input=3 out=1 "its own call"
session s input=50 out=5 requests=4
"#,
        &expect![[r#"
            assistant a1 "nothing"
            summary s1 compaction "its own call"
            usage total 53/6x5 visible 3/1x1 main 53/6x5 subagents 0/0x0
        "#]],
    );
    check(
        r#"
assistant a1 input=1 out=1 "something"
session s input=50 out=5 requests=4
"#,
        &expect![[r#"
            assistant a1 "something" usage 1/1x1
            usage total 1/1x1 visible 1/1x1 main 1/1x1 subagents 0/0x0
        "#]],
    );
}
