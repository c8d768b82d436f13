//! What a tool gave back, in all the ways it is written, as text, blocks and success.

use std::borrow::Cow;

use palimpsest_record::{Block, Preview, Text};
use serde_json::value::RawValue;

use super::shapes::event::{McpContent, McpResult};
use super::shapes::part::{Output, Part, Parts};
use super::shapes::{open, open_text};
use crate::Batch;
use crate::json::{Lax, Nested, Str};

/// How what an event says of an output is read: from its JSON.
pub(super) type Reading = fn(&str, &Batch) -> Answer;

/// A tool's answer.
pub(super) struct Answer {
    pub(super) text: Preview,
    pub(super) blocks: Vec<Block>,
    pub(super) failed: bool,
}

impl Answer {
    /// A text alone.
    pub(super) fn text(text: &str, failed: bool, batch: &Batch) -> Answer {
        Answer { text: batch.cut(text), blocks: Vec::new(), failed }
    }

    /// What an output item holds.
    pub(super) fn of_item(output: &Output<'_>, batch: &Batch) -> Answer {
        let failed = output.success == Some(false);
        if let [Part { text: Lax(Some(text)), .. }] = output.parts.as_slice() {
            if let Some(old) = OldOutput::read(text) {
                return Answer::text(old.output.text().unwrap_or_default(), failed || old.failed(), batch);
            }
            let failed = failed || exit_code(text).is_some_and(|code| code != 0);
            return Answer::text(text, failed, batch);
        }
        Answer::of_parts(&output.parts, failed, batch)
    }

    /// Several parts: their texts, and all of them as blocks.
    pub(super) fn of_parts(parts: &[Part<'_>], failed: bool, batch: &Batch) -> Answer {
        let mut texts: Vec<&str> = Vec::new();
        let mut blocks = Vec::new();
        for part in parts {
            if let Some(text) = part.text.text() {
                let preview = batch.cut(text);
                blocks.push(Block::Text { text: preview.text, full_length: preview.full_length });
                texts.push(text);
            }
            blocks.extend(part.block().or_else(|| unknown(part)));
        }
        let failed = failed || texts.first().and_then(|text| exit_code(text)).is_some_and(|code| code != 0);
        if blocks.len() < 2 && !texts.is_empty() {
            blocks.clear();
        }
        Answer { text: batch.cut(&texts.join("\n")), blocks, failed }
    }

    /// A text in JSON.
    pub(super) fn of_string(json: &str, batch: &Batch) -> Answer {
        Answer::text(&open_text(json).unwrap_or_default(), false, batch)
    }

    /// JSON as it is.
    pub(super) fn of_json(json: &str, batch: &Batch) -> Answer {
        Answer::text(json, false, batch)
    }

    /// What an MCP tool gave.
    pub(super) fn of_mcp(json: &str, batch: &Batch) -> Answer {
        let result: McpResult<'_> = serde_json::from_str(json).unwrap_or_default();
        if let Some(message) = result.err.text() {
            return Answer::text(message, true, batch);
        }
        let own = McpContent { content: result.content, is_error: result.is_error };
        let content = result.ok.0.unwrap_or(own);
        Answer::of_parts(&content.content.0, content.is_error.unwrap_or_default(), batch)
    }

    /// What went wrong: a text, or an object with a message.
    pub(super) fn of_error(json: &str, batch: &Batch) -> Answer {
        Answer::text(&error_message(json).unwrap_or_default(), true, batch)
    }

    /// A list of parts.
    pub(super) fn of_list(json: &str, batch: &Batch) -> Answer {
        let parts: Parts<'_> = serde_json::from_str(json).unwrap_or_default();
        Answer::of_parts(&parts.0, false, batch)
    }

    /// A picture in base64: only its size is kept.
    pub(super) fn of_picture(json: &str, batch: &Batch) -> Answer {
        let encoded = json.trim_matches('"');
        let block = (!matches!(encoded, "" | "null")).then_some(Block::Image {
            media_type: None,
            encoded_length: Some(encoded.len() as u64),
            url: None,
        });
        Answer { text: batch.cut(""), blocks: block.into_iter().collect(), failed: false }
    }

    /// Pages that a web search found: title, address and what it says, a paragraph each.
    pub(super) fn of_search(json: &str, batch: &Batch) -> Answer {
        #[derive(Default, serde::Deserialize)]
        #[serde(default)]
        struct Page<'a> {
            #[serde(borrow)]
            title: Lax<Str<'a>>,
            url: Lax<Str<'a>>,
            snippet: Lax<Str<'a>>,
        }
        let pages: Vec<Nested<Page<'_>>> = serde_json::from_str(json).unwrap_or_default();
        let paragraphs: Vec<String> = pages
            .iter()
            .filter_map(|page| {
                let page = page.0.as_ref()?;
                let lines = [page.title.text(), page.url.text(), page.snippet.text()];
                let lines: Vec<&str> = lines.into_iter().flatten().filter(|line| !line.is_empty()).collect();
                (!lines.is_empty()).then(|| lines.join("\n"))
            })
            .collect();
        Answer::text(&paragraphs.join("\n\n"), false, batch)
    }

    /// Tools that a search for tools found: their names, those of a group behind its own.
    pub(super) fn of_tool_search(tools: Option<&RawValue>, batch: &Batch) -> Answer {
        #[derive(Default, serde::Deserialize)]
        #[serde(default)]
        struct Tool<'a> {
            #[serde(borrow)]
            name: Lax<Str<'a>>,
            tools: Option<&'a RawValue>,
        }
        let groups: Vec<Nested<Tool<'_>>> = open(tools).unwrap_or_default();
        let lines: Vec<String> = groups
            .iter()
            .filter_map(|group| {
                let group = group.0.as_ref()?;
                let members: Vec<Nested<Tool<'_>>> = open(group.tools).unwrap_or_default();
                let names: Vec<&str> =
                    members.iter().filter_map(|tool| tool.0.as_ref()?.name.text()).collect();
                let name = group.name.text().unwrap_or_default();
                Some(if names.is_empty() { name.to_owned() } else { format!("{name}: {}", names.join(", ")) })
            })
            .collect();
        Answer::text(&lines.join("\n"), false, batch)
    }
}

/// A part of a kind that this version does not know; what is encrypted is none.
fn unknown(part: &Part<'_>) -> Option<Block> {
    let name = part.kind.text().filter(|_| part.text.0.is_none())?;
    let is_known = name.contains("encrypted") || matches!(name, "input_image" | "image");
    (!is_known).then(|| Block::Unknown { name: Text::from(name) })
}

/// An error's words: a text, or an object with a message.
pub(super) fn error_message(json: &str) -> Option<String> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Message<'a> {
        #[serde(borrow)]
        message: Lax<Str<'a>>,
    }
    let object = || serde_json::from_str::<Message<'_>>(json).ok()?.message.text().map(str::to_owned);
    open_text(json).map(Cow::into_owned).or_else(object)
}

/// Until late 2025 a shell's output was JSON in a string.
#[derive(serde::Deserialize)]
struct OldOutput<'a> {
    #[serde(borrow)]
    output: Lax<Str<'a>>,
    metadata: Nested<OldMetadata>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct OldMetadata {
    exit_code: Lax<f64>,
}

impl<'a> OldOutput<'a> {
    fn read(text: &'a str) -> Option<OldOutput<'a>> {
        if !text.starts_with("{\"") || !text.contains("\"metadata\"") {
            return None;
        }
        let old: OldOutput<'a> = serde_json::from_str(text).ok()?;
        (old.output.text().is_some() && old.metadata.0.is_some()).then_some(old)
    }

    fn failed(&self) -> bool {
        self.metadata.0.as_ref().is_some_and(|meta| meta.exit_code.is_some_and(|code| code != 0.0))
    }
}

/// The exit code that a command's output says above itself: `Exit code: 1`, or with unified exec
/// `Process exited with code 1`, then `Output:`.
pub(super) fn exit_code(text: &str) -> Option<i64> {
    const HEADS: [&str; 4] = ["Chunk ID:", "Wall time:", "Exit code:", "Process exited with code"];
    const HEAD_LINES: usize = 8;
    if !HEADS.iter().any(|head| text.starts_with(head)) {
        return None;
    }
    let head = text.lines().take(HEAD_LINES).take_while(|line| *line != "Output:");
    head.filter_map(|line| line.strip_prefix("Process exited with code").or(line.strip_prefix("Exit code:")))
        .find_map(|code| code.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_read_in_all_their_shapes() {
        let check = |json: &str, want: (&str, usize, bool)| {
            let output: Output<'_> = serde_json::from_str(json).unwrap();
            let answer = Answer::of_item(&output, &Batch::default());
            assert_eq!((answer.text.text.as_str(), answer.blocks.len(), answer.failed), want, "{json}");
        };
        check(r#""jam""#, ("jam", 0, false));
        check(r#""{\"output\":\"jam\\n\",\"metadata\":{\"exit_code\":0}}""#, ("jam\n", 0, false));
        check(r#""{\"output\":\"\",\"metadata\":{\"exit_code\":2}}""#, ("", 0, true));
        check(r#""{\"output\":1,\"metadata\":{}}""#, (r#"{"output":1,"metadata":{}}"#, 0, false));
        check(r#""{\"jam\":1}""#, (r#"{"jam":1}"#, 0, false));
        check(r#"{"content":"no such jar","success":false}"#, ("no such jar", 0, true));
        check(r#"{"type":"input_text","text":"jam"}"#, ("jam", 0, false));
        check(r#"[{"type":"input_text","text":"jam"}]"#, ("jam", 0, false));
        check(
            r#"[{"text":"a"},{"image_url":"data:image/png;base64,AAAA"},{"text":"b"},{"type":"encrypted_content","encrypted_content":"gAAAA"}]"#,
            ("a\nb", 3, false),
        );
        check(r#"[{"image_url":"data:image/png;base64,AAAA"}]"#, ("", 1, false));
        check("null", ("", 0, false));
        check("7", ("", 0, false));
        check(
            r#""Chunk ID: 1\nProcess exited with code 1\nOutput:\nx""#,
            ("Chunk ID: 1\nProcess exited with code 1\nOutput:\nx", 0, true),
        );
    }

    #[test]
    fn an_exit_code_is_read_from_the_head_only() {
        let check = |text: &str, want: Option<i64>| assert_eq!(exit_code(text), want, "{text}");
        check("Exit code: 127\nWall time: 0 seconds\nOutput:\n", Some(127));
        check("Chunk ID: a\nProcess exited with code 0\nOutput:\nExit code: 3", Some(0));
        check("Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nExit code: 3", None);
        check("The log says\nExit code: 3", None);
    }
}
