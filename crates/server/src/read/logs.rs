//! Paths → logs that a provider claims, grouped into sessions.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use palimpsest_providers::identify::FIRST_LOOK;
use palimpsest_providers::unpack::is_zstd;
use palimpsest_providers::{
    FileRole, Found, Identified, IdentifyError, Identity, ReadLog, SessionFiles, group, identify,
    identify_packed,
};
use palimpsest_record::TranscriptRecord;
use serde::Serialize;
use thiserror::Error;

use crate::read::reading;

/// Logs that a provider claims.
pub(super) struct Logs {
    logs: Vec<Log>,
}

/// One of them.
pub(super) struct Log {
    pub(super) name: String,
    pub(super) identity: Identity,
    bytes: Bytes,
}

/// Where a log's bytes are.
enum Bytes {
    File(PathBuf),
    /// Standard input or a pipe, with what was read of it to tell whose log it is. It can be read once.
    Piped(Option<Box<dyn Read>>),
}

/// Why a file gives no log.
#[derive(Debug, Error)]
enum Refusal {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Identify(#[from] IdentifyError),
}

impl Refusal {
    /// It is none, and need not be told of where a whole folder was given.
    fn is_no_log(&self) -> bool {
        matches!(self, Refusal::Identify(error) if error.is_no_log())
    }
}

/// A session that was found, before it is read.
#[derive(Serialize)]
pub(super) struct SessionEntry {
    /// Its id as its files give it; `None` where only reading shows it.
    pub(super) id: Option<String>,
    /// Its provider's id.
    pub(super) source: &'static str,
    /// The path of its first file.
    pub(super) path: String,
    #[serde(skip)]
    files: SessionFiles,
}

impl Logs {
    /// Looks into every path; folders are walked in the order of their names.
    ///
    /// # Errors
    /// Nothing can be read; one sentence that says what was seen.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Logs, String> {
        let mut logs = Vec::new();
        let mut refused = Vec::new();
        let mut seen = HashSet::new();
        for path in paths {
            if path.as_os_str() == "-" {
                match Log::piped("-", io::stdin()) {
                    Ok(log) => logs.push(log),
                    Err(refusal) => refused.push(format!("standard input: {refusal}")),
                }
                continue;
            }
            if path.is_dir() {
                let before = refused.len();
                let (mut inside, looked_at) = in_folder(path, &mut seen, &mut refused);
                if inside.is_empty() && refused.len() == before {
                    refused.push(nothing_in(path, looked_at));
                }
                logs.append(&mut inside);
                continue;
            }
            if !seen.insert(same(path)) {
                continue;
            }
            match Log::at(path) {
                Ok(log) => logs.push(log),
                Err(refusal) => refused.push(format!("{}: {refusal}", path.display())),
            }
        }
        if logs.is_empty() {
            return Err(refused.into_iter().next().unwrap_or_else(|| "no path given".to_owned()));
        }
        for sentence in refused {
            eprintln!("palimpsest: left out: {}", super::safe_line(&sentence));
        }
        Ok(Logs { logs })
    }

    /// The sessions that the logs belong to.
    pub(super) fn sessions(&self) -> Vec<SessionEntry> {
        let found: Vec<Found> = self
            .logs
            .iter()
            .map(|log| Found { path: log.name.clone(), identity: log.identity.clone() })
            .collect();
        let entry = |files: SessionFiles| {
            let first = files.files.first().and_then(|&at| self.logs.get(at));
            // A subagent's log names the session of its parent; without that it is one of its own.
            let named = first.filter(|log| log.identity.key.role == FileRole::Main);
            SessionEntry {
                id: named.and_then(|log| log.identity.key.session.clone()),
                source: files.provider.id(),
                path: first.map(|log| log.name.clone()).unwrap_or_default(),
                files,
            }
        };
        group(&found).into_iter().map(entry).collect()
    }

    /// Reads one session.
    pub(super) fn read(&mut self, session: &SessionEntry) -> Result<ReadLog, String> {
        let mut files: Vec<&mut Log> = Vec::new();
        let mut rest: Vec<(usize, &mut Log)> = self.logs.iter_mut().enumerate().collect();
        for wanted in &session.files.files {
            if let Some(at) = rest.iter().position(|(index, _)| index == wanted) {
                files.push(rest.swap_remove(at).1);
            }
        }
        reading::read(session.files.provider, files)
    }

    /// Fills in the ids that only reading shows.
    pub(super) fn name_by_reading(&mut self, sessions: &mut [SessionEntry]) {
        for session in sessions.iter_mut().filter(|session| session.id.is_none()) {
            session.id = self.id_by_reading(session);
        }
    }

    /// The session that turns out to have this id: a log's first lines may name another one.
    pub(super) fn find_by_reading(&mut self, sessions: &[SessionEntry], id: &str) -> Option<usize> {
        sessions.iter().position(|session| self.id_by_reading(session).as_deref() == Some(id))
    }

    fn id_by_reading(&mut self, session: &SessionEntry) -> Option<String> {
        let is_piped = |at: &usize| matches!(self.logs.get(*at), Some(Log { bytes: Bytes::Piped(_), .. }));
        // What is piped can be read only once, and somebody may still pick it.
        if session.files.files.iter().any(is_piped) {
            return None;
        }
        let read = self.read(session).ok()?;
        read.records.iter().rev().find_map(|record| match record {
            TranscriptRecord::Session(session) => Some(session.id.to_string()),
            _ => None,
        })
    }
}

impl Log {
    fn at(path: &Path) -> Result<Log, Refusal> {
        let mut file = File::open(path)?;
        let name = path.display().to_string();
        if !file.metadata()?.is_file() {
            return Log::piped(&name, file);
        }
        let (identity, _) = look(&mut file)?;
        Ok(Log { name, identity, bytes: Bytes::File(path.to_owned()) })
    }

    fn piped(name: &str, mut bytes: impl Read + 'static) -> Result<Log, Refusal> {
        let (identity, read) = look(&mut bytes)?;
        let bytes: Box<dyn Read> = Box::new(Cursor::new(read).chain(bytes));
        Ok(Log { name: name.to_owned(), identity, bytes: Bytes::Piped(Some(bytes)) })
    }

    /// Its bytes from the beginning, as they are stored.
    pub(super) fn open(&mut self) -> io::Result<Box<dyn Read>> {
        match &mut self.bytes {
            Bytes::File(path) => Ok(Box::new(File::open(path)?)),
            Bytes::Piped(bytes) => bytes.take().ok_or_else(|| io::Error::other("it was read before")),
        }
    }

    /// How many bytes are stored, where that is known.
    pub(super) fn stored_length(&self) -> Option<u64> {
        match &self.bytes {
            Bytes::File(path) => Some(fs::metadata(path).ok()?.len()),
            Bytes::Piped(_) => None,
        }
    }
}

/// The logs in a folder, and how many files were looked at. A folder in it that cannot be read is one of
/// the `refused`; what is no file (a pipe, a device) is passed over, because reading it may never end.
fn in_folder(folder: &Path, seen: &mut HashSet<PathBuf>, refused: &mut Vec<String>) -> (Vec<Log>, usize) {
    let entries = match entries(folder) {
        Ok(entries) => entries,
        Err(error) => {
            refused.push(format!("{}: {error}", folder.display()));
            return (Vec::new(), 0);
        }
    };
    let mut logs = Vec::new();
    let mut looked_at = 0;
    for path in entries {
        if path.is_dir() {
            let (mut inside, more) = in_folder(&path, seen, refused);
            logs.append(&mut inside);
            looked_at += more;
        } else if path.is_file() && seen.insert(same(&path)) {
            looked_at += 1;
            match Log::at(&path) {
                Ok(log) => logs.push(log),
                Err(refusal) if refusal.is_no_log() => {}
                Err(refusal) => refused.push(format!("{}: {refusal}", path.display())),
            }
        }
    }
    (logs, looked_at)
}

/// What is in a folder, in order of names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A link to a folder may lead back into it.
        let is_folder_link =
            || entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.path().is_dir();
        if !is_folder_link() {
            entries.push(entry.path());
        }
    }
    entries.sort();
    Ok(entries)
}

fn nothing_in(folder: &Path, looked_at: usize) -> String {
    let folder = folder.display();
    match looked_at {
        0 => format!("{folder}: the folder is empty"),
        1 => format!("{folder}: the one file in it is no session log"),
        _ => format!("{folder}: none of the {looked_at} files in it is a session log"),
    }
}

/// The path that a file has whatever it was called by, so that none is read twice.
fn same(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads as much of a log as it takes to tell whose it is. Gives back what was read, too.
fn look(bytes: &mut impl Read) -> Result<(Identity, Vec<u8>), Refusal> {
    let mut read = Vec::new();
    let mut wanted = FIRST_LOOK as u64;
    loop {
        let missing = wanted.saturating_sub(read.len() as u64);
        bytes.by_ref().take(missing).read_to_end(&mut read)?;
        if is_zstd(&read) {
            bytes.read_to_end(&mut read)?;
            return Ok((identify_packed(&read)?, read));
        }
        let complete = (read.len() as u64) < wanted;
        match identify(&read, complete)? {
            Identified::Yes(identity) => return Ok((identity, read)),
            Identified::NeedMore if complete => return Err(IdentifyError::TooShort.into()),
            Identified::NeedMore => wanted = wanted.saturating_mul(2),
        }
    }
}
