//! `palimpsest read`: logs to a session on standard output.
//!
//! - `logs`: paths → logs that a provider claims, grouped into sessions
//! - `sources`: a file, a pipe or an archive → the logs in it
//! - `reading`: the logs of a session, in pieces → records and receipt
//! - `transcript`: the session for a person at a terminal; `terminal`: what may reach one

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::ExitCode;

use palimpsest_assembly::{AssemblyError, AssemblyOptions, RecordSet, Report, assemble_session_detail};
use palimpsest_providers::ReadLog;
use thiserror::Error;

use crate::cli::ReadArgs;
use crate::read::logs::{Logs, SessionEntry};
use crate::read::terminal::{Look, safe_line};

mod logs;
mod progress;
mod reading;
mod sources;
mod terminal;
mod transcript;

/// Why there is no session on standard output.
#[derive(Debug, Error)]
enum Stop {
    /// One sentence that says what was seen.
    #[error("{0}")]
    Unreadable(String),
    /// A choice is missing, or matches nothing; the choices went to standard output.
    #[error("{0}")]
    Choose(String),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Write(#[from] io::Error),
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
}

/// Reads the logs and prints their session. Exit status: 0 read, 1 cannot be read, 2 several
/// sessions and none picked.
pub(crate) fn run(args: &ReadArgs) -> ExitCode {
    let stdout = io::stdout().lock();
    let look = Look::of(stdout.is_terminal());
    let mut out = BufWriter::with_capacity(64 * 1024, stdout);
    let outcome = read(args, look, &mut out).and_then(|()| Ok(out.flush()?));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough of it.
        Err(Stop::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(stop) => {
            // What was printed before stays printed, whatever becomes of the rest.
            out.flush().ok();
            eprintln!("palimpsest: {}", safe_line(&stop.to_string()));
            ExitCode::from(if matches!(stop, Stop::Choose(_)) { 2 } else { 1 })
        }
    }
}

fn read(args: &ReadArgs, look: Look, out: &mut impl Write) -> Result<(), Stop> {
    let logs = Logs::find(&args.paths).map_err(Stop::Unreadable)?;
    let mut sessions = logs.sessions();
    let pick = |sessions: &[SessionEntry]| match &args.session {
        Some(wanted) => sessions.iter().position(|session| session.id.as_ref() == Some(wanted)),
        None => (sessions.len() == 1).then_some(0),
    };
    let mut chosen = pick(&sessions);
    if chosen.is_none() {
        chosen = args.session.as_ref().and_then(|wanted| logs.find_by_reading(&sessions, wanted));
    }
    if chosen.is_none() {
        logs.name_by_reading(&mut sessions);
    }
    let Some(session) = chosen.and_then(|at| sessions.get(at)) else {
        print_sessions(&sessions, args.json, out)?;
        return Err(Stop::Choose(match &args.session {
            Some(wanted) => format!("there is no session {wanted} here"),
            None => format!("{} sessions; pick one with --session ID", sessions.len()),
        }));
    };
    let read = logs.read(session).map_err(Stop::Unreadable)?;
    if args.records {
        return print_records(&read, out);
    }
    let set = RecordSet::from_records(read.records)?;
    let options = AssemblyOptions { include_inactive: args.include_inactive, ..AssemblyOptions::default() };
    let detail = assemble_session_detail(&set, &options)?;
    let receipt = read.ledger.receipt(detail.unattached_results);
    if args.json {
        serde_json::to_writer(&mut *out, &Report { detail: &detail, receipt: &receipt })
            .map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        transcript::print(&detail, &receipt, look, out)?;
    }
    Ok(())
}

fn print_records(read: &ReadLog, out: &mut impl Write) -> Result<(), Stop> {
    for record in &read.records {
        serde_json::to_writer(&mut *out, record).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    Ok(())
}

/// A line for each session: its id, its provider, its first file.
fn print_sessions(sessions: &[SessionEntry], json: bool, out: &mut impl Write) -> Result<(), Stop> {
    if json {
        serde_json::to_writer(&mut *out, &serde_json::json!({ "sessions": sessions }))
            .map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    for session in sessions {
        let id = session.id.as_deref().unwrap_or("-");
        writeln!(out, "{}\t{}\t{}", safe_line(id), session.source, safe_line(&session.path))?;
    }
    Ok(())
}
