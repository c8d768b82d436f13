//! A session that is open: its records, its current view, and the answers to the page.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use palimpsest_assembly::{AssemblyOptions, ItemCall, RecordSet, Report, SessionDetail, reassemble};
use palimpsest_protocol::{AgentLine, BodyPlace, Outline, Request, Response, Row, weight};
use palimpsest_providers::{Container, Ledger, Provider, Receipt};
use palimpsest_record::{SupersededBy, Text, TranscriptRecord};

use crate::agents;
use crate::bodies::{LongText, Piece, find_whole, long_text, part_body, window};
use crate::outline::{View, outline};
use crate::parts::first_words;
use crate::raw::{self, Lines};
use crate::rows::{Around, RowRef, Target, agents_row, draw_row, row_refs};

mod find;

/// Most rows of one answer.
const MAX_ROWS: u32 = 200;

/// Most of a subagent's conversation that is drawn inside a row, in bytes of the document.
const AGENT_PAGE: usize = 24 * 1024;

/// A session that is open.
pub struct Opened {
    source: Source,
    set: RecordSet,
    ledger: Ledger,
    receipt: Receipt,
    detail: SessionDetail,
    rows: Vec<RowRef>,
    /// Rows of subagents, made when first asked for.
    agents: HashMap<Text, Vec<RowRef>>,
    /// Row numbers by id, made when first asked for.
    places: Option<HashMap<Text, u32>>,
    /// Subagents by the call that started them, made with the view.
    started_by: HashMap<Text, Vec<AgentLine>>,
    /// Messages that a summary took the place of, by its id, made with the view.
    superseded: HashMap<Text, u32>,
    /// The last long text that was read from the log: a person pages through it.
    last_text: Option<(BodyPlace, bool, String, bool)>,
    view: u32,
    shows_inactive: bool,
    complete: bool,
    /// What is missing of it, in a sentence.
    notice: Option<String>,
}

/// Where a session was read from.
#[derive(Clone)]
pub struct Source {
    /// Who wrote its logs.
    pub provider: &'static dyn Provider,
    /// The path and container of each file, in the order in which they were read.
    pub files: Vec<(String, Container)>,
}

/// What the session needs to answer.
#[derive(Debug)]
pub enum Answer {
    /// Nothing more.
    Now(Response),
    /// An outline first, then the answer.
    AfterOutline(Box<Outline>, Response),
    /// Bytes of a log; give them to [`Opened::with_bytes`].
    Read(Wanted),
}

/// Bytes that an answer needs.
#[derive(Debug)]
pub struct Wanted {
    /// The file.
    pub file: u32,
    /// The bytes.
    pub bytes: Range<u64>,
    purpose: Purpose,
}

#[derive(Debug)]
enum Purpose {
    Lines(Lines),
    Text { place: BodyPlace, output: bool, start: u64, limit: u32, long: LongText, piece: Piece },
}

impl Opened {
    /// A session of which nothing is read yet.
    pub fn new(source: Source) -> Opened {
        Opened {
            source,
            set: RecordSet::default(),
            ledger: Ledger::default(),
            receipt: Receipt::default(),
            detail: SessionDetail::default(),
            rows: Vec::new(),
            agents: HashMap::new(),
            places: None,
            started_by: HashMap::new(),
            superseded: HashMap::new(),
            last_text: None,
            view: 0,
            shows_inactive: false,
            complete: false,
            notice: None,
        }
    }

    /// Takes the records read so far, to show them while the rest is read.
    pub fn take_partial(&mut self, records: &[TranscriptRecord], ledger: &Ledger) -> Response {
        self.receipt = ledger.receipt(0);
        self.take(records.iter().cloned())
    }

    /// Takes the whole session, or all of it that will come: then `notice` says what is missing.
    pub fn take_complete(
        &mut self,
        records: Vec<TranscriptRecord>,
        ledger: Ledger,
        notice: Option<String>,
    ) -> Response {
        self.complete = true;
        self.notice = notice;
        self.ledger = ledger;
        self.take(records)
    }

    fn take(&mut self, records: impl IntoIterator<Item = TranscriptRecord>) -> Response {
        // What was shown before is of no use to the new view, and memory that both would take is never given back.
        (self.set, self.detail) = (RecordSet::default(), SessionDetail::default());
        self.rows = Vec::new();
        self.agents.clear();
        self.set = match RecordSet::from_records(records) {
            Ok(set) => set,
            Err(error) => return Response::Failed(error.to_string()),
        };
        self.assemble()
    }

    fn assemble(&mut self) -> Response {
        let options = AssemblyOptions {
            include_inactive: self.shows_inactive,
            unfinished: !self.complete,
            ..AssemblyOptions::default()
        };
        self.detail = match reassemble(&self.set, &options, &self.detail) {
            Ok(detail) => detail,
            Err(error) => return Response::Failed(error.to_string()),
        };
        if self.complete {
            self.receipt = self.ledger.receipt(self.detail.unattached_results);
        }
        self.rows = row_refs(&self.detail.messages, &self.detail.summaries);
        self.agents.clear();
        self.places = None;
        let (started_by, strays) = agents::lines(&self.detail, &self.set);
        self.started_by = started_by;
        if !strays.is_empty() {
            self.rows.push(agents_row(strays));
        }
        self.superseded = self.count_superseded();
        self.view += 1;
        Response::Outline(Box::new(self.outline()))
    }

    /// The messages that stand above each summary in the place of which it is.
    fn count_superseded(&self) -> HashMap<Text, u32> {
        let detail = &self.detail;
        let mut counts = HashMap::new();
        if !self.complete || detail.summaries.is_empty() || detail.counts.inactive == 0 {
            return counts;
        }
        let options = AssemblyOptions { include_inactive: true, ..AssemblyOptions::default() };
        let all = if self.shows_inactive { None } else { reassemble(&self.set, &options, detail).ok() };
        for item in &all.as_ref().unwrap_or(detail).messages {
            let superseded =
                item.superseded.as_ref().filter(|superseded| superseded.how == SupersededBy::Compacted);
            if let Some(summary) = superseded.and_then(|superseded| superseded.by.clone()) {
                *counts.entry(summary).or_default() += 1;
            }
        }
        counts
    }

    fn outline(&self) -> Outline {
        let view = View { number: self.view, complete: self.complete, shows_inactive: self.shows_inactive };
        let outline = outline(&self.detail, &self.rows, &self.receipt, self.source.provider.label(), view);
        Outline { notice: self.notice.clone(), ..outline }
    }

    /// Answers a question about the session.
    pub fn answer(&mut self, request: Request) -> Answer {
        let response = match request {
            Request::ShowInactive(on) => {
                self.shows_inactive = on;
                self.assemble()
            }
            Request::Rows { view, .. } if view != self.view => Response::Stale,
            Request::Rows { start, end, .. } => self.draw(&self.rows, start, end, usize::MAX),
            Request::AgentRows { agent_id, start, end } => {
                self.need_agent(&agent_id);
                match self.agents.get(agent_id.as_str()) {
                    Some(rows) => self.draw(rows, start, end, AGENT_PAGE),
                    None => nothing("subagent"),
                }
            }
            Request::Part(place) => {
                let body = self.row_of(&place).and_then(|row| part_body(row, place.part as usize));
                body.map_or_else(|| nothing("part"), Response::Part)
            }
            Request::Text { place, output, start, limit } => return self.text(place, output, start, limit),
            Request::Raw { place, start } => match self.lines_of(&place, start) {
                Some(lines) => return wanted_lines(lines),
                None => nothing("line"),
            },
            Request::Line { file, line } => match raw::line(&self.ledger, file, line) {
                Some(lines) => return wanted_lines(lines),
                None => nothing("line"),
            },
            Request::Lines { class, skip } => Response::Lines(raw::list(&self.ledger, &class, skip as usize)),
            Request::Find { id } => return self.find(&id),
            Request::Detail => self.detail_json(),
            Request::Open { .. } | Request::Choose { .. } | Request::Cancel => Response::Done,
        };
        Answer::Now(response)
    }

    /// Answers with the bytes that [`Answer::Read`] asked for.
    pub fn with_bytes(&mut self, wanted: Wanted, bytes: &[u8]) -> Answer {
        match wanted.purpose {
            Purpose::Lines(lines) => {
                let path = self.path(lines.file);
                Answer::Now(Response::Raw(lines.answer(&self.ledger, path, bytes)))
            }
            Purpose::Text { place, output, start, limit, mut long, piece } => {
                let container =
                    self.source.files.get(wanted.file as usize).map_or(Container::Lines, |file| file.1);
                // Lines of a document are objects of it: each reads as a line does, once it is on one.
                let on_one_line: Cow<'_, [u8]> = match container {
                    Container::Lines => Cow::Borrowed(bytes),
                    Container::Document | Container::Logs => {
                        let space = |&byte: &u8| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte };
                        bytes.iter().map(space).collect()
                    }
                };
                match find_whole(self.source.provider, &piece, &on_one_line) {
                    Some(text) => long.fill(&piece, text),
                    // The beginning alone would pass for the whole.
                    None => return Answer::Now(nothing("text any more: its lines have changed")),
                }
                self.long(place, output, start, limit, long)
            }
        }
    }

    /// Draws rows; after the first only for as long as all together take no more than `room`.
    fn draw(&self, rows: &[RowRef], start: u32, end: u32, room: usize) -> Response {
        let end = end.min(start.saturating_add(MAX_ROWS)).min(rows.len() as u32);
        let start = start.min(end);
        let agents = |call: &ItemCall| self.started_by.get(&call.id).cloned().unwrap_or_default();
        let short = |id: &str| {
            let message = self.set.message(id)?;
            let text = message.text.as_deref().map(first_words).unwrap_or_default();
            Some((text, message.timestamp.map(|time| time.millis())))
        };
        let superseded = |id: &str| self.superseded.get(id).copied().unwrap_or_default();
        let around = Around { agents: &agents, short: &short, superseded: &superseded };
        let drawn = rows.get(start as usize..end as usize).unwrap_or_default();
        let mut taken = 0;
        let fits = |row: &Row| {
            let is_first = taken == 0;
            taken += weight::of_row(row);
            is_first || taken <= room
        };
        let rows_drawn = drawn.iter().map(|row| draw_row(row, &around)).take_while(fits).collect();
        Response::Rows { start, total: rows.len() as u32, rows: rows_drawn }
    }

    fn need_agent(&mut self, agent_id: &str) {
        if self.agents.contains_key(agent_id) {
            return;
        }
        if let Some(agent) = self.detail.subagents.iter().find(|agent| agent.agent_id == agent_id) {
            let rows = row_refs(&agent.messages, &agent.summaries);
            self.agents.insert(agent.agent_id.clone(), rows);
        }
    }

    fn row_of(&mut self, place: &BodyPlace) -> Option<&RowRef> {
        match &place.agent_id {
            Some(agent_id) => {
                self.need_agent(agent_id);
                self.agents.get(agent_id.as_str())?.iter().find(|row| row.id == *place.id)
            }
            None => {
                let number = self.place(&place.id)?;
                self.rows.get(number as usize)
            }
        }
    }

    /// The lines of a row: an item reaches from its first message's lines to its last one's.
    fn lines_of(&mut self, place: &BodyPlace, skip: u64) -> Option<Lines> {
        let span = match &self.row_of(place)?.target {
            Target::Item(item, _) => item.span?,
            Target::Summary(summary) => summary.span?,
            Target::Agents(_) => return None,
        };
        Some(Lines {
            file: span.file.unwrap_or(0),
            byte_start: span.byte_start,
            byte_end: span.byte_end,
            line_last: span.line_last,
            skip,
        })
    }

    fn text(&mut self, place: BodyPlace, output: bool, start: u64, limit: u32) -> Answer {
        if let Some((last, last_output, text, is_output)) = &self.last_text
            && *last == place
            && *last_output == output
        {
            return Answer::Now(Response::Text(window(text, *is_output, start, limit)));
        }
        let Some(row) = self.row_of(&place).cloned() else { return Answer::Now(nothing("text")) };
        match long_text(&self.set, &row, place.part as usize, output) {
            Some(long) => self.long(place, output, start, limit, long),
            None => Answer::Now(nothing("text")),
        }
    }

    /// Reads what is missing of a long text, or answers.
    fn long(&mut self, place: BodyPlace, output: bool, start: u64, limit: u32, long: LongText) -> Answer {
        if let Some(piece) = long.missing().cloned()
            && let Some(span) = piece.span
        {
            let purpose = Purpose::Text { place, output, start, limit, long, piece };
            return Answer::Read(Wanted { file: span.file, bytes: span.byte_start..span.byte_end, purpose });
        }
        let text = long.joined();
        let answer = Response::Text(window(&text, long.is_output, start, limit));
        self.last_text = Some((place, output, text, long.is_output));
        Answer::Now(answer)
    }

    fn detail_json(&self) -> Response {
        match serde_json::to_string(&Report { detail: &self.detail, receipt: &self.receipt }) {
            Ok(json) => Response::Detail(json),
            Err(error) => Response::Failed(error.to_string()),
        }
    }

    fn path(&self, file: u32) -> &str {
        self.source.files.get(file as usize).map_or("", |file| file.0.as_str())
    }
}

fn wanted_lines(lines: Lines) -> Answer {
    Answer::Read(Wanted { file: lines.file, bytes: lines.window(), purpose: Purpose::Lines(lines) })
}

fn nothing(what: &str) -> Response {
    Response::Failed(format!("this session has no such {what}"))
}

#[cfg(test)]
mod tests;
