//! The logs of a session → an open session, with the first messages on the page before the rest is read.

use std::hint::black_box;

use futures_channel::mpsc::UnboundedReceiver;
use js_sys::Date;
use palimpsest_protocol::{Request, Response};
use palimpsest_providers::{Found, ReadOptions, SessionFiles, SessionReader};
use palimpsest_worker::Opened;
use palimpsest_worker::opened::Source;

use super::files::{Entry, Pieces};
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

impl Worker {
    /// Reads one of the sessions; another one, where that is chosen meanwhile.
    pub(crate) async fn choose(&mut self, session: u32, inbox: &mut UnboundedReceiver<Message>) {
        let mut next = Some(session);
        while let Some(session) = next.take() {
            let Some(chosen) = self.sessions.sessions.get(session as usize).cloned() else {
                post(0, Response::Failed("there is no such session".to_owned()));
                return;
            };
            let logs: Vec<(Entry, Found)> = self.logs_of(&chosen);
            self.files.set_open(chosen.files.clone());
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
        logs: &[(Entry, Found)],
        inbox: &mut UnboundedReceiver<Message>,
    ) -> Result<Option<u32>, String> {
        let mut progress = Progress::of(logs.iter().map(|(entry, _)| entry.blob.size()).sum());
        let mut reader = SessionReader::new(chosen.provider, ReadOptions::default());
        let mut buffer = Vec::new();
        let mut notices = Vec::from_iter(left_out(&self.sessions.left_out));
        let pause = Pause::new()?;
        'files: for (entry, log) in logs {
            reader.begin_file(log.identity.container, log.identity.key.role);
            let pieces = Pieces::of(&entry.blob)?;
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
            if let Some(damage) = &entry.damage {
                notices.push(format!("{}: {damage}; what comes before is read.", log.path));
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

/// A sentence about the files that were left out, where there are any.
fn left_out(files: &[String]) -> Option<String> {
    match files {
        [] => None,
        [only] => Some(format!("Left out: {only}.")),
        [first, others @ ..] => Some(format!("Left out: {first}; and {} more.", others.len())),
    }
}
