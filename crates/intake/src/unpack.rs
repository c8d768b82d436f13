//! An archive → the files in it, one after the other, in pieces.

use std::cell::Cell;
use std::io::{self, Chain, Cursor, Read, Seek};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use crate::frames::Frames;
use crate::limits::{Budget, Counted, Guarded, MOST_BYTES, MOST_HELD, MOST_LAYERS, MOST_NESTED};
use crate::names::inside;
use crate::{Kind, LOOK, Refusal, kind};

/// Size of the pieces handed out.
const PIECE: usize = 1 << 18;

/// Takes what is in an archive.
pub trait Sink {
    /// A file begins. Its path is for people, and to tell what lies beside what.
    fn begin(&mut self, path: &str);

    /// A piece of it.
    ///
    /// # Errors
    /// There is no room for it; then nothing more is unpacked.
    fn push(&mut self, piece: &[u8]) -> io::Result<()>;

    /// It is at its end; or damage ends it, and this says what is damaged.
    fn end(&mut self, damage: Option<String>);

    /// A file that is not unpacked, and why, in one sentence.
    fn left_out(&mut self, sentence: String);
}

/// Unpacks an archive that lies at `path`.
///
/// # Errors
/// Nothing of it can be read or trusted: what was handed out before is to be thrown away.
pub fn unpack(archive: impl Read + Seek, path: &str, sink: &mut dyn Sink) -> Result<(), Refusal> {
    let budget = Budget::default();
    let mut archive = Counted::new(archive, &budget);
    let mut head = Vec::with_capacity(LOOK);
    let damaged = |error| Refusal::of(error, Kind::Plain);
    archive.by_ref().take(LOOK as u64).read_to_end(&mut head).map_err(damaged)?;
    archive.rewind().map_err(damaged)?;
    let mut unpacker = Unpacker { sink, budget, unpacked: Rc::default(), handed_out: Rc::default() };
    match kind(&head) {
        Kind::Zip => unpacker.zip(archive, path, Depth { archives: 1, layers: 1, kind: Kind::Zip }),
        _ => unpacker.stream(&mut archive, path, Depth { archives: 0, layers: 0, kind: Kind::Plain }),
    }
}

/// How deep inside others something is.
#[derive(Debug, Clone, Copy)]
struct Depth {
    archives: u32,
    layers: u32,
    /// What the innermost of them is.
    kind: Kind,
}

impl Depth {
    fn archive(self, kind: Kind) -> Result<Depth, Refusal> {
        let deeper = Depth { archives: self.archives + 1, layers: self.layers + 1, kind };
        if deeper.archives > MOST_NESTED { Err(Refusal::Nested) } else { Ok(deeper) }
    }

    fn layer(self, kind: Kind) -> Result<Depth, Refusal> {
        let deeper = Depth { layers: self.layers + 1, kind, ..self };
        if deeper.layers > MOST_LAYERS { Err(Refusal::Nested) } else { Ok(deeper) }
    }
}

struct Unpacker<'a> {
    sink: &'a mut dyn Sink,
    budget: Budget,
    /// Bytes that came out of all layers of compression.
    unpacked: Rc<Cell<u64>>,
    /// Bytes of files.
    handed_out: Rc<Cell<u64>>,
}

impl Unpacker<'_> {
    /// Whatever comes: told by its beginning.
    fn stream(&mut self, bytes: &mut dyn Read, path: &str, depth: Depth) -> Result<(), Refusal> {
        let mut head = Vec::with_capacity(LOOK);
        if let Err(error) = bytes.take(LOOK as u64).read_to_end(&mut head) {
            // What came before the damage may be all there is to read.
            return self.file(&mut Cursor::new(head).chain(Broken(Some(error))), path, depth.kind);
        }
        let kind = kind(&head);
        let mut bytes: Chain<Cursor<Vec<u8>>, &mut dyn Read> = Cursor::new(head).chain(bytes);
        match kind {
            Kind::Plain => self.file(&mut bytes, path, depth.kind),
            Kind::Gzip => {
                let plain = Guarded::new(MultiGzDecoder::new(&mut bytes), &self.budget, &self.unpacked);
                self.layer(plain, path, depth.layer(kind)?)
            }
            Kind::Zstd => {
                let plain = Guarded::new(Frames::new(&mut bytes), &self.budget, &self.unpacked);
                self.layer(plain, path, depth.layer(kind)?)
            }
            Kind::Tar => self.tar(&mut bytes, path, depth.archive(kind)?),
            Kind::Zip => {
                let depth = depth.archive(kind)?;
                let mut held = Vec::new();
                bytes.take(MOST_HELD + 1).read_to_end(&mut held).map_err(|error| Refusal::of(error, kind))?;
                if held.len() as u64 > MOST_HELD {
                    return Err(Refusal::Held);
                }
                self.zip(Cursor::new(held), path, depth)
            }
        }
    }

    fn layer(&mut self, mut plain: impl Read, path: &str, depth: Depth) -> Result<(), Refusal> {
        self.stream(&mut plain, path, depth)
    }

    /// A file as it is. Damage in it ends it, and what came before stays.
    fn file(&mut self, bytes: &mut dyn Read, path: &str, kind: Kind) -> Result<(), Refusal> {
        self.budget.file()?;
        self.sink.begin(path);
        let mut bytes = Guarded::new(bytes, &self.budget, &self.handed_out);
        let mut piece = vec![0; PIECE];
        loop {
            match bytes.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => {
                    let piece = piece.get(..read).unwrap_or_default();
                    self.sink.push(piece).map_err(|error| Refusal::of(error, Kind::Plain))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let refusal = Refusal::of(error, kind);
                    if refusal.is_for_all() {
                        return Err(refusal);
                    }
                    self.sink.end(Some(refusal.to_string()));
                    return Ok(());
                }
            }
        }
        self.sink.end(None);
        Ok(())
    }

    fn tar(&mut self, bytes: &mut dyn Read, path: &str, depth: Depth) -> Result<(), Refusal> {
        let damaged = |error| Refusal::of(error, Kind::Tar);
        let mut archive = tar::Archive::new(bytes);
        let mut is_first = true;
        for entry in archive.entries().map_err(damaged)? {
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let refusal = damaged(error);
                    if is_first || refusal.is_for_all() {
                        return Err(refusal);
                    }
                    self.sink.left_out(format!("{path}: {refusal}; what comes before is read"));
                    return Ok(());
                }
            };
            is_first = false;
            if !entry.header().entry_type().is_file() && !entry.header().entry_type().is_gnu_sparse() {
                continue;
            }
            // What is not there need not be read to know that it is too much.
            if entry.size() > MOST_BYTES {
                return Err(Refusal::TooLarge);
            }
            let name = inside(path, &String::from_utf8_lossy(&entry.path_bytes()));
            let left = entry.size();
            let outcome = self.stream(&mut Whole { inner: &mut entry, left }, &name, depth);
            self.inner(outcome, &name)?;
        }
        Ok(())
    }

    fn zip(&mut self, bytes: impl Read + Seek, path: &str, depth: Depth) -> Result<(), Refusal> {
        let damaged = |error: zip::result::ZipError| Refusal::of(error.into(), Kind::Zip);
        let mut archive = ZipArchive::new(bytes).map_err(damaged)?;
        for at in 0..archive.len() {
            // The raw look asks for no password.
            let entry = archive.by_index_raw(at).map_err(damaged)?;
            if entry.encrypted() {
                return Err(Refusal::Encrypted);
            }
            if entry.size() > MOST_BYTES {
                return Err(Refusal::TooLarge);
            }
            let name = entry.name().unwrap_or_else(|_| String::from_utf8_lossy(entry.name_raw()));
            let (name, is_file) = (inside(path, &name), entry.is_file());
            drop(entry);
            if !is_file {
                continue;
            }
            let outcome = match archive.by_index(at) {
                Ok(entry) => {
                    let mut plain = Guarded::new(entry, &self.budget, &self.unpacked);
                    self.stream(&mut plain, &name, depth)
                }
                Err(error) => Err(damaged(error)),
            };
            self.inner(outcome, &name)?;
        }
        Ok(())
    }

    /// What became of a file in an archive: one that cannot be read costs only itself.
    fn inner(&mut self, outcome: Result<(), Refusal>, name: &str) -> Result<(), Refusal> {
        match outcome {
            Err(refusal) if refusal.is_for_all() => Err(refusal),
            Err(refusal) => {
                self.sink.left_out(format!("{name}: {refusal}"));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

/// Bytes of which so many are announced: where fewer come, that is an error.
struct Whole<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        if read == 0 && self.left > 0 && !into.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "its end is missing"));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// Nothing but an error.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
