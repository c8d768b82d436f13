//! Compressed logs. Codex keeps its cold ones as zstd (`rollout-….jsonl.zst`).

use std::io::Read as _;

use ruzstd::decoding::StreamingDecoder;
use thiserror::Error;

/// Most bytes that a compressed log may unpack to: 2 GiB.
pub const MAX_UNPACKED: u64 = 2 << 30;
/// Size of the pieces handed out.
const PIECE: usize = 1 << 20;

/// Why a compressed log could not be unpacked.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// It is damaged.
    #[error("the zstd data is damaged ({0})")]
    Damaged(String),
    /// It is a bomb, or larger than anybody reads.
    #[error("it unpacks to more than {} GiB, the most that is read", MAX_UNPACKED >> 30)]
    TooLarge,
}

/// Whether the bytes begin a zstd frame.
pub fn is_zstd(prefix: &[u8]) -> bool {
    prefix.starts_with(b"\x28\xb5\x2f\xfd")
}

/// Unpacks zstd frames, one after the other, in pieces.
///
/// # Errors
/// The data is damaged or unpacks to more than [`MAX_UNPACKED`]. What came before was handed out.
pub fn unzstd(mut packed: &[u8], mut each: impl FnMut(&[u8])) -> Result<(), UnpackError> {
    let damaged = |error: &dyn std::fmt::Display| UnpackError::Damaged(error.to_string());
    let mut piece = vec![0; PIECE];
    let mut total = 0;
    while !packed.is_empty() {
        let mut decoder = StreamingDecoder::new(&mut packed).map_err(|error| damaged(&error))?;
        loop {
            let read = decoder.read(&mut piece).map_err(|error| damaged(&error))?;
            if read == 0 {
                break;
            }
            total += read as u64;
            if total > MAX_UNPACKED {
                return Err(UnpackError::TooLarge);
            }
            each(piece.get(..read).unwrap_or_default());
        }
    }
    Ok(())
}
