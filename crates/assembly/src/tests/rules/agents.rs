//! Subagents' conversations.

use expect_test::expect;

use crate::AssemblyOptions;
use crate::tests::{check, check_with};

const AGENTS: &str = r#"
user u1 "ask"
call c1 Task
user p2 agent=B "deeper"
user p1 agent=A "count"
call c2 agent=A Task
agent A parent=c1 kind=helper
assistant a2 agent=B "deep answer"
result c2 agent=A "deep answer"
assistant a1 agent=A "two"
agent A ms=900 "count files"
result c1 "two"
agent B parent=c2
user seen agent=C "known by its message only"
summary sc agent=A "compacted"
agent idle
"#;

#[test]
fn subagents_have_conversations_of_their_own() {
    check(
        AGENTS,
        &expect![[r#"
        user u1 "ask"
        assistant m:c1+r:c1 [Task c1 = "two" agent=A]
        agent B under=c2
          user p2 "deeper"
          assistant a2 "deep answer"
        agent A under=c1 kind=helper asked=count files ms=900
          user p1 "count"
          assistant m:c2+r:c2 [Task c2 = "deep answer" agent=B]
          assistant a1 "two"
          summary sc compaction "compacted"
        agent C
          user seen "known by its message only"
        agent idle
    "#]],
    );
}

#[test]
fn an_agents_conversation_can_be_the_surface() {
    let options = AssemblyOptions { agent_id: Some("A".into()), ..AssemblyOptions::default() };
    check_with(
        &options,
        AGENTS,
        &expect![[r#"
        user p1 "count"
        assistant m:c2+r:c2 [Task c2 = "deep answer" agent=B]
        assistant a1 "two"
        summary sc compaction "compacted"
        agent B under=c2
          user p2 "deeper"
          assistant a2 "deep answer"
        agent C
          user seen "known by its message only"
        agent idle
    "#]],
    );
}

#[test]
fn only_the_agent_id_says_whose_message_it_is() {
    check(
        r#"
user u1 parent=c1 "main, whatever the tree says"
user u2 agent=A "agent's"
"#,
        &expect![[r#"
            user u1 "main, whatever the tree says"
            agent A
              user u2 "agent's"
        "#]],
    );
}
