//! The logs of one session, in pieces → records and receipt.

use std::io::{self, Read};

use palimpsest_providers::{Provider, ReadLog, ReadOptions, SessionReader};

use crate::read::progress::Progress;
use crate::read::sources::Log;

/// A log of any size is read in pieces of this size, and no more of it is held.
const PIECE: usize = 1 << 20;

/// Reads the logs of one session in their order.
///
/// # Errors
/// The bytes of one cannot be had; the sentence names it.
pub(super) fn read(provider: &'static dyn Provider, logs: Vec<&Log>) -> Result<ReadLog, String> {
    let mut reader = SessionReader::new(provider, ReadOptions::default());
    let mut progress = Progress::new(logs.iter().map(|log| log.length()).sum());
    for log in logs {
        reader.begin_file(log.identity.container, log.identity.key.role);
        feed(log, &mut reader, &mut progress).map_err(|error| format!("{}: {error}", log.name))?;
        reader.end_file();
    }
    progress.end();
    Ok(reader.finish())
}

fn feed(log: &Log, reader: &mut SessionReader, progress: &mut Progress) -> io::Result<()> {
    let mut bytes = log.open()?;
    let mut piece = Vec::with_capacity(PIECE);
    fill(&mut bytes, &mut piece)?;
    while !piece.is_empty() {
        reader.push(&piece);
        progress.add(piece.len() as u64);
        fill(&mut bytes, &mut piece)?;
    }
    Ok(())
}

/// The next piece; an empty one at the end.
fn fill(bytes: &mut impl Read, piece: &mut Vec<u8>) -> io::Result<usize> {
    piece.clear();
    bytes.by_ref().take(PIECE as u64).read_to_end(piece)
}
