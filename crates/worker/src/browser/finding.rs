//! Files that were dropped → the sessions in them.

use palimpsest_intake::{Kind, kind};
use palimpsest_protocol::{Response, SessionChoice, SessionFacts};
use palimpsest_providers::identify::{FIRST_LOOK, logs_in};
use palimpsest_providers::{
    Container, Found, Identified, IdentifyError, Identity, SessionFiles, group, identify,
};
use thiserror::Error;
use web_sys::Blob;

use super::files::{Entry, Files, sentence, slice};
use super::unpacking::unpack;
use super::{Worker, post};

/// The sessions that the opened files hold.
#[derive(Default)]
pub(crate) struct Sessions {
    /// The logs, in the order of the worker's files.
    pub(crate) found: Vec<Found>,
    pub(crate) sessions: Vec<SessionFiles>,
    /// What each log says of its session, as far as they are looked through.
    pub(crate) facts: Vec<SessionFacts>,
    /// Files that may be logs but cannot be read, each with the reason.
    pub(crate) left_out: Vec<String>,
}

/// What there is, while it is looked for.
#[derive(Default)]
struct Finding {
    entries: Vec<Entry>,
    found: Vec<Found>,
    left_out: Vec<String>,
    first_error: Option<String>,
    looked_at: usize,
    unpacked: f64,
}

impl Worker {
    /// Finds out what the files are. How many sessions they hold; where there is none, that was told.
    pub(crate) async fn find(&mut self, dropped: Vec<Entry>) -> usize {
        let mut finding = Finding::default();
        for entry in dropped {
            finding.file(entry).await;
        }
        let Finding { entries, found, left_out, first_error, looked_at, .. } = finding;
        self.files = Files::new(entries);
        self.sessions = Sessions { sessions: group(&found), found, facts: Vec::new(), left_out };
        if self.sessions.sessions.is_empty() {
            post(0, Response::Failed(nothing_found(looked_at, first_error)));
        }
        self.sessions.sessions.len()
    }

    /// The logs of a session.
    pub(crate) fn logs_of(&self, session: &SessionFiles) -> Vec<(Entry, Found)> {
        let log = |&at: &usize| Some((self.files.get(at)?.clone(), self.sessions.found.get(at)?.clone()));
        session.files.iter().filter_map(log).collect()
    }

    /// The sessions for a list, each with what is known of it.
    pub(crate) fn choices(&self) -> Vec<SessionChoice> {
        let choice = |(at, session): (usize, &SessionFiles)| {
            let logs = self.logs_of(session);
            SessionChoice {
                path: logs.first().map(|(entry, _)| entry.path.clone()).unwrap_or_default(),
                provider: session.provider.label().to_owned(),
                bytes: logs.iter().map(|(entry, _)| entry.blob.size() as u64).sum(),
                files: logs.len() as u32,
                facts: self.sessions.facts.get(at).cloned(),
            }
        };
        self.sessions.sessions.iter().enumerate().map(choice).collect()
    }
}

impl Finding {
    /// A file as it was dropped.
    async fn file(&mut self, entry: Entry) {
        let head = match slice(&entry.blob, 0.0, FIRST_LOOK as f64).await {
            Ok(head) => head,
            Err(error) => return self.refuse(&entry.path, &Refusal::Read(error)),
        };
        if kind(&head) == Kind::Plain {
            self.looked_at += 1;
            return self.log(entry, head).await;
        }
        match unpack(&entry.blob, &entry.path, self.unpacked).await {
            Ok(inside) => {
                self.unpacked += inside.bytes();
                self.left_out.extend(inside.left_out);
                for entry in inside.entries {
                    self.looked_at += 1;
                    match slice(&entry.blob, 0.0, FIRST_LOOK as f64).await {
                        Ok(head) => self.log(entry, head).await,
                        Err(error) => self.refuse(&entry.path, &Refusal::Read(error)),
                    }
                }
            }
            Err(refusal) => {
                self.looked_at += 1;
                self.refuse(&entry.path, &Refusal::Read(refusal));
            }
        }
    }

    /// A file that is no archive: a log, or a document of logs.
    async fn log(&mut self, entry: Entry, head: Vec<u8>) {
        match identify_blob(&entry.blob, head).await {
            Ok(identity) if identity.container == Container::Logs => {
                if let Err(refusal) = self.logs(&entry).await {
                    self.refuse(&entry.path, &refusal);
                }
            }
            Ok(identity) => self.add(entry, identity),
            Err(refusal) => match &entry.damage {
                // Nothing of it came before the damage.
                Some(damage) => self.refuse(&entry.path, &Refusal::Read(damage.clone())),
                None => self.refuse(&entry.path, &refusal),
            },
        }
    }

    /// The logs in a document of many.
    async fn logs(&mut self, entry: &Entry) -> Result<(), Refusal> {
        let whole = slice(&entry.blob, 0.0, entry.blob.size()).await.map_err(Refusal::Read)?;
        for (number, range) in (1..).zip(logs_in(&whole)) {
            let bytes = whole.get(range.start as usize..range.end as usize).unwrap_or_default();
            let path = format!("{} {number}", entry.path);
            let blob = entry.blob.slice_with_f64_and_f64(range.start as f64, range.end as f64);
            let blob = blob.map_err(|error| Refusal::Read(sentence(&error)))?;
            match identify(bytes, true) {
                Ok(Identified::Yes(identity)) => self.add(Entry { blob, path, damage: None }, identity),
                Ok(Identified::NeedMore) => self.refuse(&path, &IdentifyError::TooShort.into()),
                Err(error) => self.refuse(&path, &error.into()),
            }
        }
        Ok(())
    }

    fn add(&mut self, entry: Entry, identity: Identity) {
        self.found.push(Found { path: entry.path.clone(), identity });
        self.entries.push(entry);
    }

    fn refuse(&mut self, path: &str, refusal: &Refusal) {
        let sentence = format!("{path}: {refusal}");
        self.first_error.get_or_insert_with(|| sentence.clone());
        if !refusal.is_no_log() {
            self.left_out.push(sentence);
        }
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

/// Whose log it is that begins with `head`: a longer and longer look, until it is clear.
async fn identify_blob(blob: &Blob, mut head: Vec<u8>) -> Result<Identity, Refusal> {
    loop {
        let is_whole = head.len() as f64 >= blob.size();
        match identify(&head, is_whole)? {
            Identified::Yes(identity) => return Ok(identity),
            Identified::NeedMore if is_whole => return Err(IdentifyError::TooShort.into()),
            Identified::NeedMore => {
                let look = head.len() as f64 * 2.0;
                head = slice(blob, 0.0, look).await.map_err(Refusal::Read)?;
            }
        }
    }
}

fn nothing_found(files: usize, first_error: Option<String>) -> String {
    match (files, first_error) {
        (0, None) => "There is no file in it.".to_owned(),
        (0 | 1, Some(error)) => error,
        (files, Some(error)) => format!("None of the {files} files is a session log. {error}"),
        (_, None) => "There is no session log in it.".to_owned(),
    }
}
