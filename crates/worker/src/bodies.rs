//! Bodies of folds, and long texts that are only in the log.

use palimpsest_assembly::{Item, ItemCall, RecordSet};
use palimpsest_protocol::styled::Styled;
use palimpsest_protocol::{PartBody, TextWindow};
use palimpsest_providers::{Container, FileRole, Provider, ReadOptions, SessionReader};
use palimpsest_record::{Block, ContentType, Json, Span, Text, TranscriptRecord};
use serde_json::Value;

use crate::fit::{fitted_prose, fitted_runs};
use crate::parts::{PartPlace, attachment_label, line_feeds};
use crate::prose::LineFeeds;
use crate::rows::{RowRef, Target};
use crate::terminal::{terminal, verbatim};

/// Most of a text in a body that is drawn unasked, in bytes of the document.
const BODY: usize = 16 * 1024;

/// The body of a fold; `None` where the row has no such part.
pub fn part_body(row: &RowRef, part: usize) -> Option<PartBody> {
    match &row.target {
        Target::Summary(summary) => Some(prose_body(&summary.content, summary.full_length, LineFeeds::Fold)),
        Target::Agents(_) => None,
        Target::Item(item, _) => match *row.places().get(part)? {
            PartPlace::Thinking => {
                Some(prose_body(item.thinking.as_ref()?, item.thinking_full_length, LineFeeds::Fold))
            }
            PartPlace::Skill => Some(prose_body(
                item.skill_instructions.as_ref()?,
                item.skill_instructions_full_length,
                LineFeeds::Fold,
            )),
            PartPlace::Text => Some(text_body(item, row, item.text.as_ref()?, item.full_length)),
            PartPlace::Block(index) => match item.blocks.get(index)? {
                Block::Text { text, full_length } => Some(text_body(item, row, text, *full_length)),
                _ => None,
            },
            PartPlace::Call(index) => item.tool_calls.get(index).map(call_body),
        },
    }
}

/// A system card's text: output as a terminal shows it, anything else as Markdown.
fn text_body(item: &Item, row: &RowRef, text: &Text, full_length: Option<u64>) -> PartBody {
    let output = matches!(
        item.content_type,
        ContentType::Command | ContentType::Bash | ContentType::ToolResult | ContentType::Error
    );
    if output {
        let (output, output_length) = runs(text, full_length, terminal);
        return PartBody::Call {
            input: Vec::new(),
            input_length: None,
            output: Some(output),
            output_length,
            attachments: Vec::new(),
        };
    }
    prose_body(text, full_length, line_feeds(row.kind))
}

fn prose_body(text: &Text, full_length: Option<u64>, line_feeds: LineFeeds) -> PartBody {
    let (blocks, shown) = fitted_prose(text, BODY, line_feeds);
    PartBody::Prose { blocks, full_length: more(text, shown, full_length) }
}

fn call_body(call: &ItemCall) -> PartBody {
    let (input, input_length) = runs(&input_text(&call.input), call.full_length, verbatim);
    let output = call.result.as_ref().map(|result| runs(&result.content, result.full_length, terminal));
    let (output, output_length) = output.map_or((None, None), |(output, length)| (Some(output), length));
    PartBody::Call {
        input,
        input_length,
        output,
        output_length,
        attachments: call
            .result
            .iter()
            .flat_map(|result| &result.blocks)
            .filter(is_attachment)
            .map(attachment_label)
            .collect(),
    }
}

fn is_attachment(block: &&Block) -> bool {
    !matches!(block, Block::Text { .. })
}

/// As much of a text as is drawn unasked, and its whole length where there is more.
fn runs(text: &str, full_length: Option<u64>, draw: fn(&str) -> Vec<Styled>) -> (Vec<Styled>, Option<u64>) {
    let (runs, shown) = fitted_runs(text, BODY, draw);
    (runs, more(text, shown, full_length))
}

fn more(text: &str, shown: usize, full_length: Option<u64>) -> Option<u64> {
    full_length.or((shown < text.len()).then_some(text.len() as u64))
}

/// An input for people: free text as it stands, an object a key a line with long texts below
/// their key, anything else as JSON.
pub fn input_text(input: &Json) -> String {
    match input.to_value() {
        Some(Value::String(text)) => text,
        Some(Value::Object(fields)) => {
            let mut out = String::new();
            for (key, value) in &fields {
                out.push_str(key);
                match value {
                    Value::String(text) if text.contains('\n') => {
                        out.push_str(":\n");
                        for line in text.lines() {
                            out.push_str("    ");
                            out.push_str(line);
                            out.push('\n');
                        }
                    }
                    Value::String(text) => {
                        out.push_str(": ");
                        out.push_str(text);
                        out.push('\n');
                    }
                    other => {
                        out.push_str(": ");
                        out.push_str(&serde_json::to_string_pretty(other).unwrap_or_default());
                        out.push('\n');
                    }
                }
            }
            out.truncate(out.trim_end().len());
            out
        }
        Some(Value::Null) => String::new(),
        Some(other) => serde_json::to_string_pretty(&other).unwrap_or_default(),
        // Nested deeper than the parser follows: as logged.
        None => input.get().to_owned(),
    }
}

/// A text of which a record may have only the beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct LongText {
    /// Its pieces, joined by a blank line (thoughts) or alone.
    pub pieces: Vec<Piece>,
    /// It is what a program printed.
    pub is_output: bool,
}

/// A piece of a long text.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// What the record has of it.
    pub preview: Text,
    /// Length of the whole in bytes, where the preview is not all.
    pub full_length: Option<u64>,
    /// The call whose input it is; then `preview` is JSON.
    pub input_of: Option<Text>,
    /// Where in the log it is.
    pub span: Option<Span>,
}

impl LongText {
    /// The first piece that must be read from the log.
    pub fn missing(&self) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.full_length.is_some() && piece.span.is_some())
    }

    /// Puts the whole text of `piece` in its place.
    pub fn fill(&mut self, missing: &Piece, text: Text) {
        if let Some(piece) = self.pieces.iter_mut().find(|piece| *piece == missing) {
            *piece =
                Piece { preview: text, full_length: None, input_of: missing.input_of.clone(), span: None };
        }
    }

    /// The text.
    pub fn joined(&self) -> String {
        let pieces: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| match (&piece.input_of, Json::parse(&piece.preview)) {
                (Some(_), Ok(input)) => input_text(&input),
                _ => piece.preview.to_string(),
            })
            .collect();
        pieces.join("\n\n")
    }
}

/// The text of a part, whole or with places to read.
pub fn long_text(set: &RecordSet, row: &RowRef, part: usize, output: bool) -> Option<LongText> {
    let one = |preview: &Text, full_length, span| LongText {
        pieces: vec![Piece { preview: preview.clone(), full_length, input_of: None, span }],
        is_output: false,
    };
    let item = match &row.target {
        Target::Summary(summary) => {
            let span = set.summary(&summary.id).and_then(|summary| summary.span);
            return Some(one(&summary.content, summary.full_length, span));
        }
        Target::Agents(_) => return None,
        Target::Item(item, _) => item,
    };
    match *row.places().get(part)? {
        PartPlace::Text => {
            let text = item.text.as_ref()?;
            Some(one(
                text,
                item.full_length,
                text_span(set, item, |message| message.text.as_ref() == Some(text)),
            ))
        }
        PartPlace::Block(index) => match item.blocks.get(index)? {
            Block::Text { text, full_length } => {
                Some(one(text, *full_length, text_span(set, item, |message| !message.blocks.is_empty())))
            }
            _ => None,
        },
        PartPlace::Skill => {
            let text = item.skill_instructions.as_ref()?;
            let span = text_span(set, item, |message| message.content_type == ContentType::SkillInstructions);
            Some(one(text, item.skill_instructions_full_length, span))
        }
        PartPlace::Thinking => {
            let pieces = members(item)
                .filter_map(|id| set.message(id))
                .filter(|message| message.content_type == ContentType::Thinking)
                .filter_map(|message| {
                    let preview = message.text.clone()?;
                    Some(Piece {
                        preview,
                        full_length: message.full_length,
                        input_of: None,
                        span: message.span,
                    })
                })
                .collect();
            Some(LongText { pieces, is_output: false })
        }
        PartPlace::Call(index) => {
            let call = item.tool_calls.get(index)?;
            if output {
                let result = set.tool_result(&call.id)?;
                return Some(LongText {
                    is_output: true,
                    ..one(&result.content, result.full_length, result.span)
                });
            }
            let span = set.tool_call(&call.id).and_then(|call| call.span);
            let preview = Text::from(call.input.get());
            let piece =
                Piece { preview, full_length: call.full_length, input_of: Some(call.id.clone()), span };
            Some(LongText { pieces: vec![piece], is_output: false })
        }
    }
}

fn members(item: &Item) -> impl Iterator<Item = &Text> {
    std::iter::once(&item.id).chain(item.member_ids.iter().filter(move |id| **id != item.id))
}

fn text_span(
    set: &RecordSet,
    item: &Item,
    is_it: impl Fn(&palimpsest_record::Message) -> bool,
) -> Option<Span> {
    members(item)
        .filter_map(|id| set.message(id))
        .find(|message| is_it(message))
        .and_then(|message| message.span)
}

/// The whole of a piece, found in its lines of the log: they are read once more without a limit on
/// texts, and the text that begins as the preview does and is as long as the record says is it.
pub fn find_whole(provider: &'static dyn Provider, piece: &Piece, lines: &[u8]) -> Option<Text> {
    let mut reader = SessionReader::new(provider, ReadOptions { preview_limit: usize::MAX });
    reader.begin_file(Container::Lines, FileRole::Main);
    reader.push(lines);
    reader.end_file();
    let records = reader.finish().records;
    if let Some(call_id) = &piece.input_of {
        let inputs: Vec<(Text, Text)> = records
            .into_iter()
            .filter_map(|record| match record {
                TranscriptRecord::ToolCall(call) => Some((call.id, Text::from(call.input.get()))),
                _ => None,
            })
            .collect();
        // A call whose id another one had before got one of its own, which these lines alone do not show.
        let fits = |input: &Text| Some(input.len() as u64) == piece.full_length;
        let by_id = inputs.iter().find(|(id, _)| id == call_id);
        return by_id
            .or_else(|| inputs.iter().find(|(_, input)| fits(input)))
            .map(|(_, input)| input.clone());
    }
    let fits = |text: &Text| {
        Some(text.len() as u64) == piece.full_length && text.starts_with(piece.preview.as_str())
    };
    records.into_iter().find_map(|record| texts(record).into_iter().find(fits))
}

/// Every text of a record.
fn texts(record: TranscriptRecord) -> Vec<Text> {
    let of_blocks = |blocks: Vec<Block>| {
        blocks.into_iter().filter_map(|block| match block {
            Block::Text { text, .. } => Some(text),
            _ => None,
        })
    };
    match record {
        TranscriptRecord::Message(message) => {
            message.text.into_iter().chain(of_blocks(message.blocks)).collect()
        }
        TranscriptRecord::ToolResult(result) => {
            std::iter::once(result.content).chain(of_blocks(result.blocks)).collect()
        }
        TranscriptRecord::Summary(summary) => vec![summary.content],
        _ => Vec::new(),
    }
}

/// A piece of a text for the page.
pub fn window(text: &str, is_output: bool, start: u64, limit: u32) -> TextWindow {
    let start = text.floor_char_boundary(usize::try_from(start).unwrap_or(usize::MAX).min(text.len()));
    let rest = text.get(start..).unwrap_or_default();
    let (runs, shown) = fitted_runs(rest, limit as usize, if is_output { terminal } else { verbatim });
    TextWindow { text: runs, start: start as u64, end: (start + shown) as u64, total: text.len() as u64 }
}
