//! How much of an archive is read. A few hundred bytes can claim to be terabytes.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use thiserror::Error;

use crate::Kind;

/// Most bytes that one archive may unpack to: 2 GiB.
pub const MOST_BYTES: u64 = 2 << 30;
/// Most times its own size that an archive may unpack to. Logs shrink by 5 to 30 times, what a bomb holds by 1000.
pub const MOST_RATIO: u64 = 200;
/// Below so many bytes the ratio says nothing: 64 MiB.
pub const RATIO_FROM: u64 = 64 << 20;
/// Most files in one archive.
pub const MOST_FILES: u32 = 20_000;
/// Most archives inside each other.
pub const MOST_NESTED: u32 = 2;
/// Most layers of compression around each other.
pub const MOST_LAYERS: u32 = 4;
/// Most bytes of a zip archive inside another archive: it is held whole, because its list of files is at its end.
pub const MOST_HELD: u64 = 256 << 20;

/// Why an archive is not read. Each message is the end of a sentence that begins with its name.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It cannot be read without a password.
    #[error("the zip archive is encrypted: unpack it with its password, then open what was in it")]
    Encrypted,
    /// It is larger than anybody reads.
    #[error("it unpacks to more than {} GiB, the most that is read", MOST_BYTES >> 30)]
    TooLarge,
    /// It is a bomb.
    #[error("it unpacks to more than {MOST_RATIO} times its size, which no session log does")]
    Ratio,
    /// It holds more files than anybody lists.
    #[error("it holds more than {MOST_FILES} files, the most that are listed")]
    TooMany,
    /// It is an archive in an archive in an archive.
    #[error("archives are opened {MOST_NESTED} levels deep, and this is one more")]
    Nested,
    /// It is an archive in another one, and large.
    #[error("it is a zip archive inside another archive and larger than {} MiB: unpack the outer one first", MOST_HELD >> 20)]
    Held,
    /// It is damaged, or its end is missing.
    #[error("the {name} is damaged or cut off ({reason})", name = .0.name(), reason = .1)]
    Damaged(Kind, String),
}

impl Refusal {
    /// The refusal that an error of reading carries, or that it is damage.
    pub(crate) fn of(error: io::Error, kind: Kind) -> Refusal {
        match error.downcast::<Refusal>() {
            Ok(refusal) => refusal,
            Err(error) => Refusal::Damaged(kind, error.to_string()),
        }
    }

    /// No part of the archive can be trusted.
    pub(crate) fn is_for_all(&self) -> bool {
        match self {
            Refusal::TooLarge | Refusal::Ratio | Refusal::TooMany | Refusal::Encrypted => true,
            Refusal::Nested | Refusal::Held | Refusal::Damaged(..) => false,
        }
    }
}

/// What was read and unpacked so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Budget {
    /// Bytes read of the archive itself.
    pub(crate) read: Rc<Cell<u64>>,
    files: Rc<Cell<u32>>,
}

impl Budget {
    /// One file more.
    pub(crate) fn file(&self) -> Result<(), Refusal> {
        self.files.set(self.files.get() + 1);
        if self.files.get() > MOST_FILES { Err(Refusal::TooMany) } else { Ok(()) }
    }

    /// So many bytes are unpacked in all.
    fn check(&self, unpacked: u64) -> Result<(), Refusal> {
        if unpacked > MOST_BYTES {
            return Err(Refusal::TooLarge);
        }
        if unpacked > RATIO_FROM && unpacked / MOST_RATIO > self.read.get().max(1) {
            return Err(Refusal::Ratio);
        }
        Ok(())
    }
}

/// Counts what is read of the archive itself.
pub(crate) struct Counted<R> {
    inner: R,
    read: Rc<Cell<u64>>,
}

impl<R> Counted<R> {
    pub(crate) fn new(inner: R, budget: &Budget) -> Counted<R> {
        Counted { inner, read: Rc::clone(&budget.read) }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.read.set(self.read.get().saturating_add(read as u64));
        Ok(read)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Ends with a refusal where more comes out of a layer than may. `unpacked` is shared by all layers of a kind.
pub(crate) struct Guarded<R> {
    inner: R,
    budget: Budget,
    unpacked: Rc<Cell<u64>>,
}

impl<R> Guarded<R> {
    pub(crate) fn new(inner: R, budget: &Budget, unpacked: &Rc<Cell<u64>>) -> Guarded<R> {
        Guarded { inner, budget: budget.clone(), unpacked: Rc::clone(unpacked) }
    }
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.unpacked.set(self.unpacked.get().saturating_add(read as u64));
        self.budget.check(self.unpacked.get()).map_err(io::Error::other)?;
        Ok(read)
    }
}
