//! Files that hold others: gzip, zstd, zip and tar, and their nests, recognised by content.
//!
//! Bytes in, bytes out: no file system, browser or clock. What is in an archive is hostile: its names are shown and never used as paths,
//! and every limit has a number and a sentence. In reading order:
//! - [`kind`](mod@kind): what a file is, by its first bytes
//! - [`mod@unpack`]: an archive → the files in it
//! - `frames`: zstd
//! - [`limits`]: how much of it is read
//! - [`names`]: what the files in it are called

mod frames;
pub mod kind;
pub mod limits;
pub mod names;
pub mod unpack;

pub use kind::{Kind, LOOK, kind};
pub use limits::Refusal;
pub use unpack::{Sink, unpack};
