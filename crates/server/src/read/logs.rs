//! Paths → logs that a provider claims, grouped into sessions.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use palimpsest_providers::{FileRole, ReadLog, SessionFiles, group};
use palimpsest_record::TranscriptRecord;
use serde::Serialize;

use crate::read::reading;
use crate::read::sources::{self, Found, Log, Refusal};

/// Logs that a provider claims.
pub(super) struct Logs {
    logs: Vec<Log>,
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
                add(sources::piped("-", io::stdin()), "standard input", &mut logs, &mut refused);
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
            add(sources::at(path), &path.display().to_string(), &mut logs, &mut refused);
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
        let found: Vec<palimpsest_providers::Found> = self
            .logs
            .iter()
            .map(|log| palimpsest_providers::Found { path: log.name.clone(), identity: log.identity.clone() })
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
    pub(super) fn read(&self, session: &SessionEntry) -> Result<ReadLog, String> {
        let files = session.files.files.iter().filter_map(|&at| self.logs.get(at)).collect();
        reading::read(session.files.provider, files)
    }

    /// Fills in the ids that only reading shows.
    pub(super) fn name_by_reading(&self, sessions: &mut [SessionEntry]) {
        for session in sessions.iter_mut().filter(|session| session.id.is_none()) {
            session.id = self.id_by_reading(session);
        }
    }

    /// The session that turns out to have this id: a log's first lines may name another one.
    pub(super) fn find_by_reading(&self, sessions: &[SessionEntry], id: &str) -> Option<usize> {
        sessions.iter().position(|session| self.id_by_reading(session).as_deref() == Some(id))
    }

    fn id_by_reading(&self, session: &SessionEntry) -> Option<String> {
        let is_piped = |at: &usize| self.logs.get(*at).is_some_and(Log::is_piped);
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

/// Adds what a file holds, or why it holds nothing.
fn add(found: Result<Found, Refusal>, name: &str, logs: &mut Vec<Log>, refused: &mut Vec<String>) {
    match found {
        Ok(mut found) => {
            logs.append(&mut found.logs);
            refused.append(&mut found.left_out);
            for sentence in found.notices {
                eprintln!("palimpsest: {}", super::safe_line(&sentence));
            }
        }
        Err(refusal) => refused.push(format!("{name}: {refusal}")),
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
            match sources::at(&path) {
                Err(refusal) if refusal.is_no_log() => {}
                found => add(found, &path.display().to_string(), &mut logs, refused),
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
