//! Cards of loaded skills.

use expect_test::expect;

use crate::tests::check;

#[test]
fn a_lone_skill_call_is_its_own_card() {
    check(
        r#"
think t1 "which skill"
call c1 Skill loads
result c1 "Launching"
skill i1 loaded=c1 "Sweep twice."
call c2 Bash
result c2 "clean"
"#,
        &expect![[r#"
            assistant t1+m:c1+i1+r:c1 think "which skill" instructions "Sweep twice." [Skill c1 = "Launching"]
            assistant m:c2+r:c2 [Bash c2 = "clean"]
        "#]],
    );
}

#[test]
fn instructions_right_behind_the_card_need_no_link() {
    check(
        r#"
call c1 Skill loads
result c1 "Launching"
skill i1 "Right behind."
skill i2 "One too many."
call c2 Skill loads
assistant a1 "between"
skill i3 "Not right behind."
"#,
        &expect![[r#"
            assistant m:c1+i1+r:c1 instructions "Right behind." [Skill c1 = "Launching"]
            user i2 skill_instructions meta "One too many."
            assistant m:c2 [Skill c2]
            assistant a1 "between"
            user i3 skill_instructions meta "Not right behind."
        "#]],
    );
}

#[test]
fn linked_instructions_are_found_from_afar() {
    check(
        r#"
call c1 Skill loads
call c2 Skill loads
call c3 Bash
skill i2 loaded=c2 "Second."
call c4 Bash
skill i1 loaded=c1 "First."
skill i1b loaded=c1 "First, more."
"#,
        &expect![[r#"
            assistant m:c1+i1+i1b instructions "First.\n\nFirst, more." [Skill c1]
            assistant m:c2+i2 instructions "Second." [Skill c2]
            assistant m:c3+m:c4 [Bash c3] [Bash c4]
        "#]],
    );
}

#[test]
fn a_skill_call_inside_an_item_is_a_call_like_any() {
    check(
        r#"
call c1 Bash
call c2 Skill loads
skill i1 loaded=c2 "Not inside."
assistant a1 "I load it."
call c3 Skill loads
call c4 Bash
"#,
        &expect![[r#"
            assistant m:c1+m:c2 [Bash c1] [Skill c2]
            user i1 skill_instructions meta "Not inside."
            assistant a1+m:c3+m:c4 "I load it." [Skill c3] [Bash c4]
        "#]],
    );
}
