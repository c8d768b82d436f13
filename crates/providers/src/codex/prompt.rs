//! Who wrote what in a user's message: the person, or the product in the person's place.
//!
//! Codex puts context into the user's role: environment, instructions, skill bodies, notices. Where
//! a log says which part is which, that holds; these rules are for logs that do not.

/// A stretch of a user message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Typed by a person, as far as the text tells.
    Typed(&'t str),
    /// Context that no one would read as conversation.
    Envelope(&'t str),
    /// Steers the conversation: hook feedback, a goal's nudge, what an agent reports.
    Notice(&'t str),
    /// The body of a skill, and its name.
    Skill(&'t str, Option<&'t str>),
    /// A command that the person ran, and what it gave.
    Shell(&'t str, &'t str),
}

/// What a block that begins so is.
#[derive(Debug, Clone, Copy)]
enum Sort {
    Envelope,
    Notice,
    Skill,
    Shell,
}

/// How injected blocks begin, from openai/codex `core/src/context/` and older versions. Most end
/// with the tag they begin with; the others name their end.
const BLOCKS: &[(&str, Option<&str>, Sort)] = &[
    ("<environment_context>", None, Sort::Envelope),
    ("<user_instructions>", None, Sort::Envelope),
    ("# AGENTS.md instructions for", Some("</INSTRUCTIONS>"), Sort::Envelope),
    ("<INSTRUCTIONS>", None, Sort::Envelope),
    ("<permissions instructions>", None, Sort::Envelope),
    ("<collaboration_mode>", None, Sort::Envelope),
    ("<skills_instructions>", None, Sort::Envelope),
    ("<apps_instructions>", None, Sort::Envelope),
    ("<plugins", None, Sort::Envelope),
    ("<recommended_plugins", None, Sort::Envelope),
    // Its event is the marker that is shown.
    ("<turn_aborted>", None, Sort::Envelope),
    // What the review said is shown from its own event.
    ("<user_action>", None, Sort::Envelope),
    ("<skill>", None, Sort::Skill),
    ("<subagent_notification>", None, Sort::Notice),
    ("<codex_internal_context", None, Sort::Notice),
    ("<goal_context>", None, Sort::Notice),
    ("<hook_prompt", None, Sort::Notice),
    ("<user_shell_command>", None, Sort::Shell),
];

/// Most blocks taken off one text: a hostile log may hold any number.
const MAX_BLOCKS: usize = 64;
const IDE_PREFIX: &str = "# Context from my IDE setup:";
const IDE_REQUEST: &str = "## My request for Codex:";

/// Takes the injected blocks off the beginning of a text. What is left, if anything, was typed.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text.trim_start();
    while let Some((sort, block, behind)) = leading_block(rest).filter(|_| pieces.len() < MAX_BLOCKS) {
        pieces.push(sort.piece(block));
        rest = behind.trim_start();
    }
    let (context, typed) = without_ide_prefix(if pieces.is_empty() { text } else { rest });
    pieces.extend(context.map(Piece::Envelope));
    if !typed.trim().is_empty() {
        pieces.push(Piece::Typed(typed));
    }
    pieces
}

/// A text that the log says was injected.
pub(super) fn injected(text: &str) -> Piece<'_> {
    match leading_block(text.trim_start()) {
        Some((sort, block, _)) => sort.piece(block),
        None => Piece::Envelope(text),
    }
}

/// An editor's extension puts what is open there before the request.
pub(super) fn without_ide_prefix(text: &str) -> (Option<&str>, &str) {
    if !text.trim_start().starts_with(IDE_PREFIX) {
        return (None, text);
    }
    match text.split_once(IDE_REQUEST) {
        Some((context, request)) => (Some(context), request.trim_start()),
        None => (Some(text), ""),
    }
}

/// The product puts each image between two texts, `<image name=[Image #1] path="a.png">` and
/// `</image>`, which say nothing that the image does not.
pub(super) fn is_image_wrapper(text: &str) -> bool {
    let text = text.trim();
    let opens = text.strip_prefix("<image").and_then(|rest| rest.strip_suffix('>'));
    text == "</image>"
        || opens.is_some_and(|inside| (inside.is_empty() || inside.starts_with(' ')) && !inside.contains('<'))
}

/// A text's identity for comparing both streams, which join their parts differently: a hash of
/// everything but white space.
pub(super) fn form<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
    const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const FNV_PRIME: u64 = 0x0100_0000_01b3;
    let bytes = texts.into_iter().flat_map(str::bytes).filter(|byte| !byte.is_ascii_whitespace());
    bytes.fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME))
}

/// What stands above a skill's body, in this order.
const HEADS: [(&str, &str); 2] = [("<name>", "</name>"), ("<path>", "</path>")];

impl Sort {
    fn piece(self, block: &str) -> Piece<'_> {
        match self {
            Sort::Envelope => Piece::Envelope(block),
            Sort::Notice => Piece::Notice(inside(block)),
            Sort::Skill => {
                let body = inside(block);
                let name = between(body, "<name>", "</name>");
                let body = HEADS.iter().fold(body, |body, (open, close)| match body.strip_prefix(open) {
                    Some(rest) => rest.split_once(close).map_or(body, |(_, behind)| behind.trim_start()),
                    None => body,
                });
                Piece::Skill(body, name)
            }
            Sort::Shell => Piece::Shell(
                between(block, "<command>", "</command>").unwrap_or(block).trim(),
                between(block, "<result>", "</result>").unwrap_or_default().trim(),
            ),
        }
    }
}

/// The block that `text` begins with, and what is behind it. One that is not closed takes all.
fn leading_block(text: &str) -> Option<(Sort, &str, &str)> {
    let (opening, end, sort) = BLOCKS.iter().find(|(opening, _, _)| text.starts_with(opening))?;
    let closing = match end {
        Some(end) => (*end).to_owned(),
        None => format!("</{}>", tag_name(text, opening)),
    };
    let end = text.find(&closing).map_or(text.len(), |at| at + closing.len());
    let (block, behind) = text.split_at_checked(end)?;
    Some((*sort, block, behind))
}

/// The name of the tag that `text` begins with: up to its `>` where the opening is whole, up to the
/// first attribute where it has some.
fn tag_name<'t>(text: &'t str, opening: &str) -> &'t str {
    let inside = text.get(1..).unwrap_or_default();
    let end = match opening.ends_with('>') {
        true => inside.find('>'),
        false => inside.find(|c: char| c == '>' || c.is_whitespace()),
    };
    inside.get(..end.unwrap_or(inside.len())).unwrap_or_default()
}

/// What a block's own tags hold.
fn inside(block: &str) -> &str {
    let inner = block.split_once('>').map_or(block, |(_, inner)| inner);
    let is_closed = inner.ends_with('>');
    inner.rsplit_once("</").filter(|_| is_closed).map_or(inner, |(inner, _)| inner).trim()
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (_, inside) = text.split_once(open)?;
    Some(inside.split_once(close).map_or(inside, |(inside, _)| inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn injected_blocks_come_off_the_beginning() {
        let check = |text: &str, want: &[Piece<'_>]| assert_eq!(pieces(text), want, "{text}");
        check("fix the door", &[Piece::Typed("fix the door")]);
        check("  \n", &[]);
        check(
            "<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
            &[Piece::Envelope("<environment_context>\n<cwd>/w</cwd>\n</environment_context>")],
        );
        check(
            "<user_instructions>a</user_instructions>\n\n<environment_context>b</environment_context>\nnow fix it",
            &[
                Piece::Envelope("<user_instructions>a</user_instructions>"),
                Piece::Envelope("<environment_context>b</environment_context>"),
                Piece::Typed("now fix it"),
            ],
        );
        check(
            "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS> go",
            &[
                Piece::Envelope("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"),
                Piece::Typed("go"),
            ],
        );
        check(
            "<permissions instructions>p</permissions instructions>",
            &[Piece::Envelope("<permissions instructions>p</permissions instructions>")],
        );
        check("<hook_prompt hook_run_id=\"h1\">lint failed</hook_prompt>", &[Piece::Notice("lint failed")]);
        check(
            "<skill>\n<name>baking</name>\n<path>/s</path>\nKnead the <b>dough</b>.\n</skill>",
            &[Piece::Skill("Knead the <b>dough</b>.", Some("baking"))],
        );
        check(
            "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\nOutput:\na\n</result>\n</user_shell_command>",
            &[Piece::Shell("ls", "Exit code: 0\nOutput:\na")],
        );
        check("<environment_context> never closed", &[Piece::Envelope("<environment_context> never closed")]);
        check("the <environment_context> tag", &[Piece::Typed("the <environment_context> tag")]);
    }

    #[test]
    fn what_an_editor_adds_comes_off() {
        let check = |text: &str, want: &[Piece<'_>]| assert_eq!(pieces(text), want, "{text}");
        check(
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nrename it\n",
            &[
                Piece::Envelope("# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n"),
                Piece::Typed("rename it\n"),
            ],
        );
        check("# Context from my IDE setup:\n- a", &[Piece::Envelope("# Context from my IDE setup:\n- a")]);
    }

    #[test]
    fn image_wrappers_are_no_text() {
        let check = |text: &str, want: bool| assert_eq!(is_image_wrapper(text), want, "{text}");
        check("<image>", true);
        check("</image>", true);
        check("<image name=[Image #1]>", true);
        check("<image name=[Image #1] path=\"a.png\">", true);
        check("<images>", false);
        check("<image> of a cat </image>", false);
        check("look at <image>", false);
    }

    #[test]
    fn both_streams_have_one_form_whatever_joins_their_parts() {
        assert_eq!(form(["one ", "two"]), form(["one\ntwo\n"]));
        assert_ne!(form(["one"]), form(["two"]));
        assert_eq!(form([]), form([" \n"]));
    }
}
