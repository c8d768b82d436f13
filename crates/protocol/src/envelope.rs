//! How a message is packed.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Identifies the build. The worker's files keep their names from release to release, so a page
/// may meet an older worker from a cache: it compares this id and reloads once.
pub const BUILD_ID: &str = match option_env!("PALIMPSEST_BUILD_ID") {
    Some(id) => id,
    None => "dev",
};

/// A message and the number that ties an answer to its question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope<T> {
    /// The question's number; 0 for what the worker says unasked.
    pub id: u32,
    /// The message.
    pub body: T,
}

/// A message could not be packed or unpacked: page and worker are of different builds, or memory
/// is short.
#[derive(Debug, Error)]
#[error("a message between the page and its worker could not be read ({0})")]
pub struct EnvelopeError(#[from] postcard::Error);

impl<T: Serialize> Envelope<T> {
    /// Packs the message into bytes for a transferred buffer.
    ///
    /// # Errors
    /// Never for the types of this crate, short of memory.
    pub fn pack(&self) -> Result<Vec<u8>, EnvelopeError> {
        Ok(postcard::to_stdvec(self)?)
    }
}

impl<T: DeserializeOwned> Envelope<T> {
    /// Unpacks a message.
    ///
    /// # Errors
    /// The bytes are no such message.
    pub fn unpack(bytes: &[u8]) -> Result<Envelope<T>, EnvelopeError> {
        Ok(postcard::from_bytes(bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{Align, Block, Inline, Item};
    use crate::row::{Branch, Inactive};
    use crate::styled::{Style, Styled};
    use crate::{
        AgentLine, BodyPlace, CallState, LineClass, LineList, LineRef, Mark, MarkKind, Outline, Part,
        PartBody, RawText, Request, Response, Row, RowHint, RowKind, SessionChoice, SessionFacts, TextWindow,
        UsageLine,
    };
    use palimpsest_record::{SupersededBy, Text};

    fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(body: T) {
        let sent = Envelope { id: 7, body };
        let bytes = sent.pack().unwrap();
        assert_eq!(Envelope::unpack(&bytes).unwrap(), sent);
        assert!(Envelope::<T>::unpack(bytes.get(..bytes.len() - 1).unwrap()).is_err(), "cut: {sent:?}");
    }

    #[test]
    fn every_request_survives() {
        let place = || BodyPlace { agent_id: Some("a".to_owned()), id: "ü".to_owned(), part: 3 };
        let text = || "x".to_owned();
        check(Request::Open { paths: vec![text(), String::new()] });
        check(Request::Choose { session: 1 });
        check(Request::Cancel);
        check(Request::ShowInactive(true));
        check(Request::Rows { view: 1, start: 2, end: u32::MAX });
        check(Request::AgentRows { agent_id: text(), start: 0, end: 20 });
        check(Request::Part(place()));
        check(Request::Text { place: place(), output: true, start: u64::MAX, limit: 1 });
        check(Request::Raw { place: place(), start: 9 });
        check(Request::Find { id: text() });
        for class in [LineClass::Damaged, LineClass::Unknown(text()), LineClass::NotShown(text())] {
            check(Request::Lines { class, skip: 100 });
        }
        check(Request::Line { file: 1, line: 2 });
        check(Request::Detail);
    }

    #[test]
    fn every_response_survives() {
        let text = || "x".to_owned();
        let runs =
            || vec![Styled { text: Text::from("r"), style: Style { colour: Some(9), ..Style::default() } }];
        check(Response::Ready { build: text() });
        check(Response::Progress { read: 1, total: 2 });
        let facts = SessionFacts {
            title: text(),
            project: text(),
            started: Some(-1),
            ended: None,
            messages: Some(7),
        };
        let choice =
            SessionChoice { path: text(), provider: text(), bytes: 3, files: 1, facts: Some(facts.clone()) };
        check(Response::Sessions(vec![choice]));
        check(Response::Facts(vec![(3, facts)]));
        check(Response::Outline(Box::new(outline())));
        check(Response::Rows { start: 1, total: 2, rows: vec![row(), Row::default()] });
        check(Response::Stale);
        check(Response::Part(PartBody::Prose { blocks: blocks(), full_length: None }));
        check(Response::Part(PartBody::Call {
            input: runs(),
            input_length: Some(1),
            output: Some(runs()),
            output_length: None,
            attachments: vec![Text::from("image/png")],
        }));
        check(Response::Text(TextWindow { text: runs(), start: 0, end: 1, total: 2 }));
        let lines = vec![runs(), Vec::new()];
        check(Response::Raw(RawText {
            path: text(),
            line_first: 1,
            line_last: 2,
            lines,
            start: 0,
            end: 1,
            total: 1,
        }));
        check(Response::Found { view: 1, row: None });
        let line = LineRef { file: 0, line: 1, length: 2, reason: text() };
        check(Response::Lines(LineList { lines: vec![line], total: 1 }));
        check(Response::Detail("{}".to_owned()));
        check(Response::Done);
        check(Response::Failed(text()));
    }

    fn outline() -> Outline {
        let kinds = [MarkKind::Prompt, MarkKind::Error, MarkKind::Summary, MarkKind::BranchPoint];
        Outline {
            view: 3,
            complete: true,
            rows: vec![RowHint { key: u64::MAX, kind: RowKind::Error, height: 9, inactive: true }],
            marks: kinds.map(|kind| Mark { row: 0, kind, short: Text::from("s") }).into(),
            notice: Some("stopped".to_owned()),
            ..Outline::default()
        }
    }

    fn row() -> Row {
        let agent = AgentLine {
            agent_id: Text::from("a"),
            agent_type: None,
            description: Some(Text::from("d")),
            duration_ms: Some(1),
            tokens: None,
            rows: 2,
            errors: 1,
        };
        let call = |state| Part::Call {
            name: Text::from("Run"),
            argument: Text::from("ls"),
            state,
            tail: Text::from("2 lines"),
            is_skill: false,
            agents: vec![agent.clone()],
        };
        let first_line = Text::from("f");
        Row {
            key: 1,
            id: Text::from("m"),
            kind: RowKind::Answer,
            time: Some(-1),
            model: Some(Text::from("m")),
            usage: Some(UsageLine { cost_usd: Some(0.5), ..UsageLine::default() }),
            duration_ms: Some(1),
            inactive: Some(Inactive { how: Some(SupersededBy::Compacted), at: None, by: None }),
            superseded: 4,
            branches: vec![Branch { id: Text::from("b"), short: Text::from("s"), time: None }],
            lines: Some((1, 2)),
            parts: vec![
                Part::Prose { blocks: blocks(), full_length: Some(3) },
                Part::Plain { text: vec![Styled::plain("p")], full_length: None },
                Part::Thinking { first_line: first_line.clone(), length: 1 },
                Part::Note { label: Text::from("l"), first_line, length: 1 },
                call(CallState::Done),
                call(CallState::Failed),
                call(CallState::NoResult),
                Part::Agents(vec![agent.clone()]),
                Part::Attachment { label: Text::from("a") },
            ],
        }
    }

    fn blocks() -> Vec<Block> {
        let word = || vec![Inline::Text(Text::from("w"))];
        let paragraph = || Block::Paragraph(word());
        let inlines = vec![
            Inline::Code(Text::from("c")),
            Inline::Emphasis(word()),
            Inline::Strong(word()),
            Inline::Strike(word()),
            Inline::Link { url: Text::from("https://x"), text: word() },
            Inline::Image { alt: Text::from("a"), url: Text::from("https://x") },
            Inline::FootnoteMark(Text::from("1")),
            Inline::Break,
        ];
        vec![
            Block::Paragraph(inlines),
            Block::Heading(2, word()),
            Block::Code { language: Text::from("rust"), text: Text::from("fn") },
            Block::List {
                start: Some(3),
                items: vec![Item { checked: Some(true), blocks: vec![paragraph()] }],
            },
            Block::Quote(vec![paragraph()]),
            Block::Table {
                align: vec![Align::Start, Align::Center, Align::End],
                head: vec![word()],
                rows: vec![vec![word(), Vec::new()]],
            },
            Block::Footnote { label: Text::from("1"), blocks: vec![paragraph()] },
            Block::Rule,
        ]
    }
}
