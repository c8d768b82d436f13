//! Compressed logs. Codex keeps its cold ones as zstd (`rollout-….jsonl.zst`).

use std::io::Read as _;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder, StreamingDecoder};
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
            let read = match decoder.read(&mut piece) {
                Ok(read) => read,
                Err(error) => {
                    rest_of(decoder.into_frame_decoder(), &mut piece, &mut each);
                    return Err(damaged(&error));
                }
            };
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

/// Hands out what the decoder keeps for later blocks to refer to: megabytes that came before the damage.
fn rest_of(mut decoder: FrameDecoder, piece: &mut [u8], each: &mut impl FnMut(&[u8])) {
    // It gives them out at the end of a frame. An empty last block makes one, with four bytes in case it wants a checksum.
    const END: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
    let is_end = decoder.decode_blocks(END, BlockDecodingStrategy::UptoBlocks(1));
    while is_end.is_ok()
        && let Ok(read @ 1..) = decoder.read(piece)
    {
        each(piece.get(..read).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    #[test]
    fn a_torn_frame_gives_what_comes_before() {
        // Words that do not repeat, so that the packed text is many blocks.
        let mut state = 1_u32;
        let mut word = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            format!("{state:x}\n")
        };
        let text: String = (0..200_000).map(|_| word()).collect();
        let packed = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let check = |length: usize, least: usize| {
            let mut unpacked = Vec::new();
            let result = unzstd(&packed[..length], |piece| unpacked.extend_from_slice(piece));
            assert_eq!(result.is_ok(), length == packed.len(), "{length} bytes");
            assert!(text.as_bytes().starts_with(&unpacked), "{length} bytes");
            assert!(unpacked.len() >= least, "{} of at least {least}", unpacked.len());
        };
        check(packed.len(), text.len());
        check(packed.len() - 1, text.len() - (1 << 17));
        check(packed.len() / 2, text.len() / 3);
        check(packed.len() / 100, 0);
        check(5, 0);
    }
}
