//! A file, a pipe or an archive → the logs in it.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use palimpsest_intake::{Kind, LOOK, Sink, kind, unpack};
use palimpsest_providers::identify::{FIRST_LOOK, logs_in};
use palimpsest_providers::{Container, Identified, IdentifyError, Identity, identify};
use tempfile::{SpooledData, SpooledTempFile};
use thiserror::Error;

/// What is unpacked is held up to this size, and put into a file without a name above it.
const HELD: usize = 8 << 20;

/// A log that a provider claims.
pub(super) struct Log {
    pub(super) name: String,
    pub(super) identity: Identity,
    bytes: Bytes,
    /// Where in these bytes it stands, where they hold more than it.
    range: Option<Range<u64>>,
}

/// Where a log's bytes are.
#[derive(Clone)]
enum Bytes {
    File(PathBuf),
    Held(Rc<[u8]>),
    /// A file without a name.
    Unnamed(Rc<File>),
    /// Standard input or a pipe, with what was read of it to tell whose log it is. It can be read once.
    Piped(Rc<Cell<Option<Box<dyn Read>>>>),
}

/// Why a file gives no log.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Identify(#[from] IdentifyError),
    #[error(transparent)]
    Packed(#[from] palimpsest_intake::Refusal),
    #[error("none of the {0} files in it is a session log")]
    Nothing(usize),
}

impl Refusal {
    /// It is none, and need not be told of where a whole folder was given.
    pub(super) fn is_no_log(&self) -> bool {
        match self {
            Refusal::Identify(error) => error.is_no_log(),
            Refusal::Nothing(_) => true,
            Refusal::Read(_) | Refusal::Packed(_) => false,
        }
    }
}

/// What a file holds: logs, and sentences about what is left out of it.
#[derive(Default)]
pub(super) struct Found {
    pub(super) logs: Vec<Log>,
    pub(super) left_out: Vec<String>,
    /// Sentences about what is damaged and read all the same.
    pub(super) notices: Vec<String>,
}

/// The logs in a file.
pub(super) fn at(path: &Path) -> Result<Found, Refusal> {
    let mut file = File::open(path)?;
    let name = path.display().to_string();
    if !file.metadata()?.is_file() {
        return piped(&name, file);
    }
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(LOOK as u64).read_to_end(&mut head)?;
    file.rewind()?;
    if kind(&head) != Kind::Plain {
        return in_archive(file, &name);
    }
    let (identity, read) = look(&mut file)?;
    found(&name, identity, read, Bytes::File(path.to_owned()))
}

/// The logs in what comes through a pipe.
pub(super) fn piped(name: &str, mut bytes: impl Read + 'static) -> Result<Found, Refusal> {
    let mut head = Vec::new();
    bytes.by_ref().take(LOOK as u64).read_to_end(&mut head)?;
    let mut bytes = Cursor::new(head.clone()).chain(bytes);
    if kind(&head) != Kind::Plain {
        // An archive may have its list of files at its end.
        let mut held = SpooledTempFile::new(HELD);
        io::copy(&mut bytes, &mut held)?;
        held.rewind()?;
        return in_archive(held, name);
    }
    let (identity, read) = look(&mut bytes)?;
    if identity.container == Container::Logs {
        let held = Bytes::Held(read.as_slice().into());
        return found(name, identity, read, held);
    }
    let bytes: Box<dyn Read> = Box::new(Cursor::new(read).chain(bytes));
    found(name, identity, Vec::new(), Bytes::Piped(Rc::new(Cell::new(Some(bytes)))))
}

/// The log that claims these bytes, or the logs in it.
fn found(name: &str, identity: Identity, read: Vec<u8>, bytes: Bytes) -> Result<Found, Refusal> {
    let mut found = Found::default();
    if identity.container != Container::Logs {
        found.logs.push(Log { name: name.to_owned(), identity, bytes, range: None });
        return Ok(found);
    }
    for (number, range) in (1..).zip(logs_in(&read)) {
        let name = format!("{name} {number}");
        let part = read.get(range.start as usize..range.end as usize).unwrap_or_default();
        match identify(part, true) {
            Ok(Identified::Yes(identity)) => {
                found.logs.push(Log { name, identity, bytes: bytes.clone(), range: Some(range) });
            }
            Ok(Identified::NeedMore) => found.left_out.push(format!("{name}: {}", IdentifyError::TooShort)),
            Err(error) => found.left_out.push(format!("{name}: {error}")),
        }
    }
    Ok(found)
}

fn in_archive(archive: impl Read + Seek, name: &str) -> Result<Found, Refusal> {
    let mut unpacked = Unpacked::default();
    unpack(archive, name, &mut unpacked)?;
    let Unpacked { files, left_out, .. } = unpacked;
    let mut all = Found { left_out, ..Found::default() };
    let mut last = None;
    let count = files.len();
    for (path, bytes, damage) in files {
        let inside =
            look(&mut bytes.open(None)?).and_then(|(identity, read)| found(&path, identity, read, bytes));
        match inside {
            Ok(mut inside) => {
                all.logs.append(&mut inside.logs);
                all.left_out.append(&mut inside.left_out);
                all.notices
                    .extend(damage.map(|damage| format!("{path}: {damage}; what comes before is read")));
            }
            // Nothing of it came before the damage.
            Err(_) if damage.is_some() => {
                all.left_out.extend(damage.map(|damage| format!("{path}: {damage}")));
            }
            Err(refusal) if refusal.is_no_log() => last = Some(refusal),
            Err(refusal) => all.left_out.push(format!("{path}: {refusal}")),
        }
    }
    match last {
        // A compressed file is that file.
        Some(refusal) if all.logs.is_empty() && count == 1 => Err(refusal),
        _ if all.logs.is_empty() && all.left_out.is_empty() => Err(Refusal::Nothing(count)),
        _ => Ok(all),
    }
}

/// Takes what is in an archive.
#[derive(Default)]
struct Unpacked {
    files: Vec<(String, Bytes, Option<String>)>,
    left_out: Vec<String>,
    path: String,
    file: Option<SpooledTempFile>,
}

impl Sink for Unpacked {
    fn begin(&mut self, path: &str) {
        path.clone_into(&mut self.path);
        self.file = Some(SpooledTempFile::new(HELD));
    }

    fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(piece))
    }

    fn end(&mut self, damage: Option<String>) {
        if let Some(file) = self.file.take() {
            let bytes = match file.into_inner() {
                SpooledData::InMemory(bytes) => Bytes::Held(bytes.into_inner().into()),
                SpooledData::OnDisk(file) => Bytes::Unnamed(Rc::new(file)),
            };
            self.files.push((std::mem::take(&mut self.path), bytes, damage));
        }
    }

    fn left_out(&mut self, sentence: String) {
        self.left_out.push(sentence);
    }
}

impl Bytes {
    fn open(&self, range: Option<&Range<u64>>) -> io::Result<Box<dyn Read>> {
        let start = range.map_or(0, |range| range.start);
        let length = range.map_or(u64::MAX, |range| range.end - range.start);
        let bytes: Box<dyn Read> = match self {
            Bytes::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(start))?;
                Box::new(file)
            }
            Bytes::Held(bytes) => {
                let mut cursor = Cursor::new(Rc::clone(bytes));
                cursor.set_position(start);
                Box::new(cursor)
            }
            Bytes::Unnamed(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                Box::new(file)
            }
            Bytes::Piped(bytes) => bytes.take().ok_or_else(|| io::Error::other("it was read before"))?,
        };
        Ok(Box::new(bytes.take(length)))
    }
}

impl Log {
    /// Its bytes from the beginning.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read>> {
        self.bytes.open(self.range.as_ref())
    }

    /// How many bytes it has, where that is known.
    pub(super) fn length(&self) -> Option<u64> {
        match (&self.range, &self.bytes) {
            (Some(range), _) => Some(range.end - range.start),
            (None, Bytes::File(path)) => Some(fs::metadata(path).ok()?.len()),
            (None, Bytes::Held(bytes)) => Some(bytes.len() as u64),
            (None, Bytes::Unnamed(file)) => Some(file.metadata().ok()?.len()),
            (None, Bytes::Piped(_)) => None,
        }
    }

    /// It can be read only once.
    pub(super) fn is_piped(&self) -> bool {
        matches!(self.bytes, Bytes::Piped(_))
    }
}

/// Reads as much of a log as it takes to tell whose it is. Gives back what was read, too.
fn look(bytes: &mut impl Read) -> Result<(Identity, Vec<u8>), Refusal> {
    let mut read = Vec::new();
    let mut wanted = FIRST_LOOK as u64;
    loop {
        let missing = wanted.saturating_sub(read.len() as u64);
        bytes.by_ref().take(missing).read_to_end(&mut read)?;
        let complete = (read.len() as u64) < wanted;
        match identify(&read, complete)? {
            Identified::Yes(identity) => return Ok((identity, read)),
            Identified::NeedMore if complete => return Err(IdentifyError::TooShort.into()),
            Identified::NeedMore => wanted = wanted.saturating_mul(2),
        }
    }
}
