//! Questions to the worker and its answers.
//!
//! One worker serves one set of files and ends with it, because its memory never shrinks. It is
//! started before it is needed, so that opening a log asks nothing of the network. What it says
//! unasked goes to one listener; every other message answers one question.

mod line;
mod program;

use std::future::Future;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::Promise;
use leptos::prelude::*;
use palimpsest_protocol::{
    BodyPlace, LineClass, LineList, PartBody, RawText, Request, Response, Row, TextWindow,
};
use thiserror::Error;
use web_sys::File;

use line::Line;

/// Asks the worker. A handle: copy it freely.
#[derive(Clone, Copy)]
pub struct Client {
    line: StoredValue<Option<Line>, LocalStorage>,
    listener: StoredValue<Option<Listener>, LocalStorage>,
    /// A promise of the compiled program.
    program: StoredValue<Option<Promise>, LocalStorage>,
}

/// Takes what the worker says unasked.
type Listener = Rc<dyn Fn(News)>;

/// What the worker says unasked, or what becomes of it.
#[derive(Debug)]
pub enum News {
    /// It is up, and of the page's build.
    Ready,
    /// A message: progress, sessions, an outline, a failure.
    Says(Response),
    /// It ended by itself: what the browser says of the reason.
    Crashed(String),
    /// It is of another build than the page.
    OtherBuild,
}

/// There is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Lost {
    /// The worker has ended: another log was opened, or it crashed.
    #[error("the log is no longer open")]
    Gone,
    /// The worker cannot do it: its sentence.
    #[error("{0}")]
    Refused(String),
    /// It answered something else than was asked.
    #[error("the answer does not fit the question")]
    Unfit,
    /// The rows that were asked about have been replaced by a newer view.
    #[error("the view has changed")]
    Stale,
}

/// Some rows, from `start` on, of `total`.
#[derive(Debug, Clone, PartialEq)]
pub struct RowWindow {
    /// The first one's number.
    pub start: u32,
    /// How many there are in all.
    pub total: u32,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Client {
    /// A client without a worker.
    pub fn new() -> Client {
        Client {
            line: StoredValue::new_local(None),
            listener: StoredValue::new_local(None),
            program: StoredValue::new_local(None),
        }
    }

    /// Who takes what the worker says unasked.
    pub fn listen(self, listener: impl Fn(News) + 'static) {
        self.listener.set_value(Some(Rc::new(listener)));
    }

    /// Has a worker ready that has read nothing.
    pub fn warm(self) {
        if self.line.with_value(|line| line.as_ref().is_none_or(Line::is_used)) {
            self.close();
            self.line.set_value(Line::start(self));
        }
    }

    /// Reads these files with a worker of their own; the one before it ends.
    pub fn open(self, paths: Vec<String>, files: &[File]) {
        self.warm();
        drop(self.send(Request::Open { paths }, files));
    }

    /// Ends the worker: every open question is lost.
    pub fn close(self) {
        if let Some(line) = self.line.try_update_value(Option::take).flatten() {
            line.end();
        }
    }

    /// Asks. The question is on its way when this returns; dropping the future forgets the answer.
    pub fn ask(self, request: Request) -> impl Future<Output = Result<Response, Lost>> {
        let answer = self.send(request, &[]);
        async move {
            match answer.ok_or(Lost::Gone)?.await {
                Ok(Response::Failed(sentence)) => Err(Lost::Refused(sentence)),
                Ok(Response::Stale) => Err(Lost::Stale),
                Ok(response) => Ok(response),
                Err(oneshot::Canceled) => Err(Lost::Gone),
            }
        }
    }

    /// Rows of the view with this number.
    pub async fn rows(self, view: u32, start: u32, end: u32) -> Result<RowWindow, Lost> {
        row_window(self.ask(Request::Rows { view, start, end }).await?)
    }

    /// Rows of a subagent's conversation.
    pub async fn agent_rows(self, agent_id: String, start: u32, end: u32) -> Result<RowWindow, Lost> {
        row_window(self.ask(Request::AgentRows { agent_id, start, end }).await?)
    }

    /// The body of a fold.
    pub async fn part(self, place: BodyPlace) -> Result<PartBody, Lost> {
        match self.ask(Request::Part(place)).await? {
            Response::Part(body) => Ok(body),
            _ => Err(Lost::Unfit),
        }
    }

    /// A piece of a long text; `output` tells a call's output from its input.
    pub async fn text(
        self,
        place: BodyPlace,
        output: bool,
        start: u64,
        limit: u32,
    ) -> Result<TextWindow, Lost> {
        match self.ask(Request::Text { place, output, start, limit }).await? {
            Response::Text(window) => Ok(window),
            _ => Err(Lost::Unfit),
        }
    }

    /// The lines of the log behind a row.
    pub async fn raw(self, place: BodyPlace, start: u64) -> Result<RawText, Lost> {
        raw_text(self.ask(Request::Raw { place, start }).await?)
    }

    /// One line of the log as it stands.
    pub async fn log_line(self, file: u32, line: u32) -> Result<RawText, Lost> {
        raw_text(self.ask(Request::Line { file, line }).await?)
    }

    /// Lines of the log that became `class`, without the first `skip`.
    pub async fn lines(self, class: LineClass, skip: u32) -> Result<LineList, Lost> {
        match self.ask(Request::Lines { class, skip }).await? {
            Response::Lines(list) => Ok(list),
            _ => Err(Lost::Unfit),
        }
    }

    /// The session detail and the receipt as JSON.
    pub async fn detail(self) -> Result<String, Lost> {
        match self.ask(Request::Detail).await? {
            Response::Detail(json) => Ok(json),
            _ => Err(Lost::Unfit),
        }
    }

    fn send(self, request: Request, files: &[File]) -> Option<oneshot::Receiver<Response>> {
        self.line.try_update_value(|line| line.as_mut()?.send(request, files)).flatten()
    }

    fn tell(self, news: News) {
        if let Some(listener) = self.listener.get_value() {
            listener(news);
        }
    }
}

fn row_window(response: Response) -> Result<RowWindow, Lost> {
    match response {
        Response::Rows { start, total, rows } => Ok(RowWindow { start, total, rows }),
        _ => Err(Lost::Unfit),
    }
}

fn raw_text(response: Response) -> Result<RawText, Lost> {
    match response {
        Response::Raw(text) => Ok(text),
        _ => Err(Lost::Unfit),
    }
}
