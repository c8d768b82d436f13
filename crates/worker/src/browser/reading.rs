//! Files → an open session, with the first messages on the page before the rest is read.

use std::hint::black_box;

use futures_channel::mpsc::UnboundedReceiver;
use js_sys::Date;
use palimpsest_protocol::{Request, Response, SessionChoice};
use palimpsest_providers::identify::FIRST_LOOK;
use palimpsest_providers::unpack::unzstd;
use palimpsest_providers::{
    Found, Identified, IdentifyError, Identity, ReadOptions, SessionFiles, SessionReader, group, identify,
    identify_packed,
};
use palimpsest_worker::Opened;
use palimpsest_worker::opened::Source;
use thiserror::Error;
use web_sys::File;

use super::files::{Pieces, is_packed, slice};
use super::pause::Pause;
use super::{Message, Worker, post};

/// What was read is shown when there is so much of it, so that something is on the screen at once…
const SHOW_FIRST: f64 = 256.0 * 1024.0;
/// …and again each time it has grown by this factor…
const SHOW_AGAIN: f64 = 6.0;
/// …up to here: whoever reads the beginning has enough of it for the second or two that the rest takes, and a view of a
/// half-read log costs as much time and memory as what it shows.
const SHOW_UNTIL: f64 = 16.0 * 1024.0 * 1024.0;
/// Time between two reports of how far reading is, in milliseconds: each has the page draw.
const REPORT_EVERY: f64 = 100.0;
/// Bytes between two looks at what the page has asked meanwhile. Nothing else makes room for its messages: the browser
/// has the next piece ready before this one is parsed.
const LOOK_EVERY: f64 = 1024.0 * 1024.0;
/// Memory that is asked for at once, before it is needed. The allocator asks for 64 KiB at a time, and the browser takes a
/// tenth of a millisecond for each.
const HEADROOM: usize = 2 << 20;

/// The sessions that the opened files hold.
#[derive(Default)]
pub(crate) struct Sessions {
    found: Vec<Found>,
    /// Which file each found log is.
    indices: Vec<usize>,
    sessions: Vec<SessionFiles>,
    /// Files that may be logs but cannot be read, each with the reason.
    left_out: Vec<String>,
}

impl Worker {
    /// Finds out what the files are, and opens their session where they hold one.
    pub(crate) async fn open(&mut self, inbox: &mut UnboundedReceiver<Message>) {
        let mut found = Vec::new();
        let mut indices = Vec::new();
        let mut first_error = None;
        let mut left_out = Vec::new();
        for index in 0..self.files.len() {
            let Some(file) = self.files.get(index) else { continue };
            match identify_file(file).await {
                Ok(identity) => {
                    found.push(Found { path: self.files.path(index), identity });
                    indices.push(index);
                }
                Err(refusal) => {
                    let sentence = format!("{}: {refusal}", self.files.path(index));
                    first_error.get_or_insert_with(|| sentence.clone());
                    if !refusal.is_no_log() {
                        left_out.push(sentence);
                    }
                }
            }
        }
        self.sessions = Sessions { sessions: group(&found), found, indices, left_out };
        match self.sessions.sessions.len() {
            0 => post(0, Response::Failed(nothing_found(self.files.len(), first_error))),
            1 => self.choose(0, inbox).await,
            _ => post(0, Response::Sessions(self.choices())),
        }
    }

    /// Reads one of the sessions; another one, where that is chosen meanwhile.
    pub(crate) async fn choose(&mut self, session: u32, inbox: &mut UnboundedReceiver<Message>) {
        let mut next = Some(session);
        while let Some(session) = next.take() {
            let Some(chosen) = self.sessions.sessions.get(session as usize).cloned() else {
                post(0, Response::Failed("there is no such session".to_owned()));
                return;
            };
            let logs: Vec<(usize, Found)> = chosen
                .files
                .iter()
                .filter_map(|at| {
                    Some((*self.sessions.indices.get(*at)?, self.sessions.found.get(*at)?.clone()))
                })
                .collect();
            self.files.set_open(logs.iter().map(|log| log.0).collect());
            self.opened = Some(Opened::new(Source {
                provider: chosen.provider,
                files: logs.iter().map(|(_, log)| (log.path.clone(), log.identity.container)).collect(),
            }));
            match self.read(&chosen, &logs, inbox).await {
                Ok(other) => next = other,
                Err(sentence) => post(0, Response::Failed(sentence)),
            }
        }
    }

    /// Reads a session's logs. Answers with the session that was chosen instead, where one was.
    async fn read(
        &mut self,
        chosen: &SessionFiles,
        logs: &[(usize, Found)],
        inbox: &mut UnboundedReceiver<Message>,
    ) -> Result<Option<u32>, String> {
        let mut progress = Progress::of(self.size_of(logs));
        let mut reader = SessionReader::new(chosen.provider, ReadOptions::default());
        let mut buffer = Vec::new();
        let mut notices = Vec::from_iter(left_out(&self.sessions.left_out));
        let pause = Pause::new()?;
        'files: for (index, log) in logs {
            let Some(file) = self.files.get(*index).cloned() else { continue };
            reader.begin_file(log.identity.container, log.identity.key.role);
            if is_packed(&file).await? {
                let packed = slice(&file, 0.0, file.size()).await?;
                if let Err(error) = unzstd(&packed, |piece| reader.push(piece)) {
                    notices.push(format!("{}: {error}; what comes before is read.", log.path));
                }
                progress.read += file.size();
            } else {
                let pieces = Pieces::of(&file)?;
                while pieces.next(&mut buffer).await? {
                    drop(black_box(Vec::<u8>::with_capacity(HEADROOM)));
                    reader.push(&buffer);
                    progress.read += buffer.len() as f64;
                    match self.between_pieces(&mut progress, &reader, &pause, inbox).await {
                        Step::On => {}
                        Step::Choose(session) => return Ok(Some(session)),
                        Step::Stop => {
                            reader.leave_file();
                            notices.push(progress.stopped());
                            break 'files;
                        }
                    }
                }
            }
            reader.end_file();
        }
        let log = reader.finish();
        if let Some(opened) = &mut self.opened {
            let notice = (!notices.is_empty()).then(|| notices.join(" "));
            post(0, opened.take_complete(log.records, log.ledger, notice));
        }
        Ok(None)
    }

    /// Shows what there is and answers what was asked meanwhile.
    async fn between_pieces(
        &mut self,
        progress: &mut Progress,
        reader: &SessionReader,
        pause: &Pause,
        inbox: &mut UnboundedReceiver<Message>,
    ) -> Step {
        let last = progress.read >= progress.total;
        if progress.read >= progress.show_at && !last && !reader.records().is_empty() {
            progress.show_at = progress.next_show();
            if let Some(opened) = &mut self.opened {
                post(0, opened.take_partial(reader.records(), reader.ledger()));
            }
        }
        if Date::now() >= progress.report_at {
            progress.report_at = Date::now() + REPORT_EVERY;
            post(0, Response::Progress { read: progress.read as u64, total: progress.total as u64 });
        }
        if progress.read >= progress.look_at {
            progress.look_at = progress.read + LOOK_EVERY;
            pause.for_messages().await;
        }
        while let Ok(message) = inbox.try_recv() {
            match message.request {
                Request::Cancel => {
                    post(message.id, Response::Done);
                    return Step::Stop;
                }
                Request::Choose { session } => return Step::Choose(session),
                // Every set of files has a worker of its own.
                Request::Open { .. } => {}
                request => self.answer(message.id, request).await,
            }
        }
        Step::On
    }

    fn size_of(&self, logs: &[(usize, Found)]) -> f64 {
        logs.iter().filter_map(|log| self.files.get(log.0)).map(|file| file.size()).sum()
    }

    fn choices(&self) -> Vec<SessionChoice> {
        let sessions = &self.sessions;
        sessions
            .sessions
            .iter()
            .map(|session| {
                let logs: Vec<usize> =
                    session.files.iter().filter_map(|at| sessions.indices.get(*at).copied()).collect();
                SessionChoice {
                    path: logs.first().map(|index| self.files.path(*index)).unwrap_or_default(),
                    provider: session.provider.label().to_owned(),
                    bytes: logs
                        .iter()
                        .filter_map(|index| self.files.get(*index))
                        .map(|file| file.size() as u64)
                        .sum(),
                    files: logs.len() as u32,
                }
            })
            .collect()
    }
}

/// What comes after a piece.
enum Step {
    /// The next one.
    On,
    /// Nothing: the person has seen enough.
    Stop,
    /// Another session.
    Choose(u32),
}

/// How far reading is.
struct Progress {
    total: f64,
    read: f64,
    /// How much has to be read before it is shown again.
    show_at: f64,
    /// When the page is told again, in milliseconds of the clock.
    report_at: f64,
    /// How much has to be read before the page's messages are let in.
    look_at: f64,
}

impl Progress {
    fn of(total: f64) -> Progress {
        Progress { total, read: 0.0, show_at: SHOW_FIRST, report_at: 0.0, look_at: 0.0 }
    }

    /// A sentence for whoever stopped it.
    fn stopped(&self) -> String {
        let share = (100.0 * self.read / self.total.max(1.0)).floor().min(99.0);
        format!("Reading was stopped: this is the first {share} % of the log.")
    }

    fn next_show(&self) -> f64 {
        let next = self.read * SHOW_AGAIN;
        if next <= SHOW_UNTIL { next } else { f64::INFINITY }
    }
}

/// Why a file gives no log.
#[derive(Debug, Error)]
enum Refusal {
    #[error("{0}")]
    Read(String),
    #[error(transparent)]
    Identify(#[from] IdentifyError),
}

impl Refusal {
    fn is_no_log(&self) -> bool {
        matches!(self, Refusal::Identify(error) if error.is_no_log())
    }
}

/// Whose log a file is: a longer and longer look, until it is clear.
async fn identify_file(file: &File) -> Result<Identity, Refusal> {
    if is_packed(file).await.map_err(Refusal::Read)? {
        return Ok(identify_packed(&slice(file, 0.0, file.size()).await.map_err(Refusal::Read)?)?);
    }
    let mut look = FIRST_LOOK as f64;
    loop {
        let prefix = slice(file, 0.0, look).await.map_err(Refusal::Read)?;
        match identify(&prefix, look >= file.size())? {
            Identified::Yes(identity) => return Ok(identity),
            Identified::NeedMore if look >= file.size() => return Err(IdentifyError::TooShort.into()),
            Identified::NeedMore => look *= 2.0,
        }
    }
}

/// A sentence about the files that were left out, where there are any.
fn left_out(files: &[String]) -> Option<String> {
    match files {
        [] => None,
        [only] => Some(format!("Left out: {only}.")),
        [first, others @ ..] => Some(format!("Left out: {first}; and {} more.", others.len())),
    }
}

fn nothing_found(files: usize, first_error: Option<String>) -> String {
    match (files, first_error) {
        (0, _) => "There is no file in it.".to_owned(),
        (1, Some(error)) => error,
        (files, Some(error)) => format!("None of the {files} files is a session log. {error}"),
        (_, None) => "There is no session log in it.".to_owned(),
    }
}
