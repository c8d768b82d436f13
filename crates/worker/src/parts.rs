//! What the parts of a row are: the one order that rows, bodies and long texts share.

use palimpsest_assembly::{Item, ItemCall, SummaryItem};
use palimpsest_protocol::row::{Part, RowKind};
use palimpsest_protocol::{AgentLine, CallState, weight};
use palimpsest_record::{Block, ContentType, Json, Presentation, Text};
use serde_json::Value;

use crate::fit::{fitted_prose, fitted_runs};
use crate::prose::{self, LineFeeds, prose};
use crate::terminal::{terminal, visible};

/// A part of an item, by where its content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartPlace {
    /// The item's thinking.
    Thinking,
    /// The item's text.
    Text,
    /// One of its blocks.
    Block(usize),
    /// The skill instructions that its call loaded.
    Skill,
    /// One of its calls.
    Call(usize),
}

/// The parts of an item in the order in which they are drawn.
pub fn part_places(item: &Item) -> Vec<PartPlace> {
    let mut places = Vec::with_capacity(2 + item.blocks.len().max(1) + item.tool_calls.len());
    if item.thinking.is_some() {
        places.push(PartPlace::Thinking);
    }
    if !item.blocks.is_empty() {
        places.extend((0..item.blocks.len()).map(PartPlace::Block));
    } else if item.text.as_ref().is_some_and(|text| !text.is_empty()) {
        places.push(PartPlace::Text);
    }
    places.extend((0..item.tool_calls.len()).map(PartPlace::Call));
    if item.skill_instructions.is_some() {
        places.push(PartPlace::Skill);
    }
    places
}

/// Most of one row that is drawn unasked, in bytes of the document. The rest of a long text is a click away.
const ROW: usize = 24 * 1024;
/// What its texts may take of that however many folds there are.
const ROW_TEXT: usize = 4 * 1024;

/// Draws parts of an item. Bodies of folds are not among them.
pub fn draw_parts(
    item: &Item,
    kind: RowKind,
    places: &[PartPlace],
    agents: &dyn Fn(&ItemCall) -> Vec<AgentLine>,
) -> Vec<Part> {
    let lines: Vec<Option<Part>> = places.iter().map(|place| line_part(item, *place, agents)).collect();
    let folded: Vec<Part> = lines.iter().flatten().cloned().collect();
    let mut room = ROW.saturating_sub(weight::of_parts(&folded)).max(ROW_TEXT);
    let mut text_part = |place: &PartPlace| {
        let (text, full_length) = match *place {
            PartPlace::Text => (item.text.as_ref()?, item.full_length),
            PartPlace::Block(index) => match item.blocks.get(index)? {
                Block::Text { text, full_length } => (text, *full_length),
                _ => return None,
            },
            _ => return None,
        };
        Some(text_part(item, kind, text, full_length, &mut room))
    };
    places.iter().zip(lines).filter_map(|(place, line)| line.or_else(|| text_part(place))).collect()
}

/// A part that takes one line, whatever it holds; nothing where the part is a text.
fn line_part(item: &Item, place: PartPlace, agents: &dyn Fn(&ItemCall) -> Vec<AgentLine>) -> Option<Part> {
    Some(match place {
        PartPlace::Thinking => {
            let text = item.thinking.as_ref()?;
            Part::Thinking {
                first_line: first_words(text),
                length: item.thinking_full_length.unwrap_or(text.len() as u64),
            }
        }
        PartPlace::Skill => {
            let text = item.skill_instructions.as_ref()?;
            Part::Note {
                label: Text::from("Skill instructions"),
                first_line: first_words(text),
                length: item.skill_instructions_full_length.unwrap_or(text.len() as u64),
            }
        }
        PartPlace::Call(index) => {
            let call = item.tool_calls.get(index)?;
            draw_call(call, agents(call))
        }
        PartPlace::Block(index) => match item.blocks.get(index)? {
            Block::Text { .. } => return None,
            other => Part::Attachment { label: attachment_label(other) },
        },
        PartPlace::Text => return None,
    })
}

/// A text as the kind of its row shows it.
fn text_part(item: &Item, kind: RowKind, text: &Text, full_length: Option<u64>, room: &mut usize) -> Part {
    if kind == RowKind::System {
        return Part::Note {
            label: Text::from(note_label(item)),
            first_line: first_line(text),
            length: full_length.unwrap_or(text.len() as u64),
        };
    }
    let whole = |shown: usize| full_length.or((shown < text.len()).then_some(text.len() as u64));
    if kind == RowKind::Error {
        let (runs, shown) = fitted_runs(text, *room, terminal);
        *room = room.saturating_sub(weight::of_runs(&runs));
        return Part::Plain { text: runs, full_length: whole(shown) };
    }
    let (blocks, shown) = fitted_prose(text, *room, line_feeds(kind));
    *room = room.saturating_sub(weight::of_blocks(&blocks));
    Part::Prose { blocks, full_length: whole(shown) }
}

/// Whether single line feeds of a row's text are meant.
pub fn line_feeds(kind: RowKind) -> LineFeeds {
    if kind == RowKind::Answer { LineFeeds::Fold } else { LineFeeds::Keep }
}

/// What a system card is called.
fn note_label(item: &Item) -> &'static str {
    match item.content_type {
        ContentType::Command => "Command",
        ContentType::Bash => "Shell",
        ContentType::SkillInstructions => "Skill instructions",
        ContentType::ToolResult => "Result without a call",
        ContentType::Custom => "Extension",
        _ => "System",
    }
}

/// A summary's one part.
pub fn draw_summary(summary: &SummaryItem, superseded: u32) -> Part {
    let words = match summary.kind.as_str() {
        "compaction" => "Summarised here",
        "branch" => "Summary of the branch that was left",
        "away" => "While you were away",
        other => other,
    };
    let superseded = (superseded > 0).then(|| counted(superseded as usize, "message"));
    let tokens = summary.tokens_before.map(|tokens| format!("{} tokens", thousands(tokens)));
    let before = superseded.into_iter().chain(tokens).collect::<Vec<_>>().join(", ");
    let label = if before.is_empty() {
        visible(words).to_string()
    } else {
        format!("{} · {before} before", visible(words))
    };
    Part::Note {
        label: Text::from(label),
        first_line: first_words(&summary.content),
        length: summary.full_length.unwrap_or(summary.content.len() as u64),
    }
}

fn draw_call(call: &ItemCall, agents: Vec<AgentLine>) -> Part {
    let (state, tail) = match &call.result {
        None => (CallState::NoResult, "no result".to_owned()),
        Some(result) if result.is_error => (CallState::Failed, "failed".to_owned()),
        Some(result) if result.content.trim().is_empty() && result.blocks.is_empty() => {
            (CallState::Done, "no output".to_owned())
        }
        Some(result) if result.full_length.is_some() => {
            (CallState::Done, size(result.full_length.unwrap_or_default()))
        }
        Some(result) => (CallState::Done, counted(result.content.trim_end().lines().count(), "line")),
    };
    Part::Call {
        name: one_line(&call.name, 80),
        argument: argument(&call.input, call.file_path.as_deref()),
        state,
        tail: Text::from(tail),
        is_skill: call.presentation == Presentation::Skill,
        agents,
    }
}

/// The part of an input that tells most, on one line. The shape of the input decides, never the
/// tool's name.
fn argument(input: &Json, file_path: Option<&str>) -> Text {
    const LONGEST: usize = 160;
    /// Keys that say what a call is about, the most telling first.
    const TELLING: &[&str] = &[
        "command",
        "cmd",
        "pattern",
        "query",
        "file_path",
        "filePath",
        "path",
        "url",
        "description",
        "prompt",
        "skill",
        "name",
        "action",
    ];
    let value = input.to_value().unwrap_or(Value::Null);
    let text = match &value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => TELLING
            .iter()
            .find_map(|key| fields.get(*key).and_then(words))
            .or_else(|| file_path.map(str::to_owned))
            .or_else(|| fields.values().find_map(words))
            .unwrap_or_default(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    one_line(&text, LONGEST)
}

/// A string, or a list of strings as a command line; not empty.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
            parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join(" "))
        }
        _ => None,
    }
}

/// The first line that says something, cut for a fold.
pub fn first_line(text: &str) -> Text {
    one_line(text.trim_start(), 160)
}

/// The same of a text that is drawn as Markdown: its words without the marks.
pub fn first_words(text: &str) -> Text {
    /// Enough for a line, whatever marks are in it.
    const LOOK: usize = 1024;
    let text = text.trim_start();
    let head = text.get(..text.floor_char_boundary(LOOK)).unwrap_or_default();
    // Most lines have no mark, and a session has tens of thousands of them.
    let line = head.lines().next().unwrap_or_default();
    if !line.contains(['*', '_', '`', '~', '[', '<', '\\', '&', '#', '>', '|', '+', '-', '=']) {
        return first_line(line);
    }
    let words = prose::first_line(&prose(head, LineFeeds::Keep));
    first_line(words.as_deref().unwrap_or(text))
}

/// The first line of a text, at most `longest` characters, without control codes.
pub fn one_line(text: &str, longest: usize) -> Text {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let head: String = line.chars().take(4 * longest).collect();
    let clean: String = terminal(&head).iter().map(|run| run.text.as_str()).collect();
    let clean = clean.trim_end();
    match clean.char_indices().nth(longest) {
        Some((end, _)) => Text::from(format!("{}…", clean.get(..end).unwrap_or_default())),
        None => Text::from(clean),
    }
}

/// What a block that is no text is called.
pub fn attachment_label(block: &Block) -> Text {
    match block {
        Block::Text { text, .. } => first_line(text),
        Block::Image { media_type, encoded_length, url } => {
            let kind = media_type.as_deref().unwrap_or("image");
            let detail = match (encoded_length, url) {
                // Base64 is four characters for three bytes.
                (Some(encoded), _) => format!("{kind}, {}", size(encoded / 4 * 3)),
                (None, Some(url)) => format!("{kind} at {url}"),
                (None, None) => kind.to_owned(),
            };
            one_line(&detail, 160)
        }
        Block::File { name, media_type } => {
            one_line(name.as_deref().or(media_type.as_deref()).unwrap_or("file"), 160)
        }
        Block::Unknown { name } => one_line(&format!("not shown: {name}"), 160),
    }
}

/// `1 line`, `212 lines`.
fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", thousands(count as u64)) }
}

/// A size in bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A number with its thousands set apart.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
