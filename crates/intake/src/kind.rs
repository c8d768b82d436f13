//! What a file is, by its first bytes.

/// So many of them are looked at: a tar archive is told by the end of its first header.
pub const LOOK: usize = 512;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing that holds others.
    Plain,
    /// One file, in one or several members.
    Gzip,
    /// One file, in one or several frames.
    Zstd,
    /// Many files, listed at its end.
    Zip,
    /// Many files, one behind the other.
    Tar,
}

impl Kind {
    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Plain => "file",
            Kind::Gzip => "gzip file",
            Kind::Zstd => "zstd file",
            Kind::Zip => "zip archive",
            Kind::Tar => "tar archive",
        }
    }
}

/// Tells a file by its first bytes, of which [`LOOK`] are enough.
pub fn kind(prefix: &[u8]) -> Kind {
    const TAR_MAGIC: usize = 257;
    match prefix {
        [0x1f, 0x8b, 8, ..] => Kind::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Kind::Zstd,
        // A skippable frame may come first.
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Kind::Zstd,
        // The first file, the end of an empty archive, or the mark of a split one.
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Kind::Zip,
        _ if prefix.get(TAR_MAGIC..).is_some_and(|rest| rest.starts_with(b"ustar")) => Kind::Tar,
        _ => Kind::Plain,
    }
}
