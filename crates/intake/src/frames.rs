//! Zstd frames, one behind the other.

use std::io::{self, Cursor, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Largest window that a frame may ask for: 128 MiB, what the reference decoder allows.
const MOST_WINDOW: u64 = 128 << 20;

/// What zstd frames hold. Where one is torn, all that came before the damage is handed out first: the decoder keeps megabytes of it
/// for later blocks to refer to.
pub(crate) struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    state: State,
}

enum State {
    /// Before a frame.
    Between,
    /// In one.
    Inside,
    /// Behind the damage: what is kept is still to be handed out, and then the error.
    Torn(Option<io::Error>),
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(packed: R) -> Frames<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MOST_WINDOW);
        Frames { packed, decoder, state: State::Between }
    }

    /// Begins the next frame; whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            let mut magic = Vec::new();
            self.packed.by_ref().take(4).read_to_end(&mut magic)?;
            if magic.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(Cursor::new(magic).chain(&mut self.packed)) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut self.packed.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(_) => return Err(io::Error::other("no frame begins there")),
            }
        }
    }

    fn torn(&mut self) {
        // The decoder gives out what it keeps at the end of a frame. An empty last block makes one, with four bytes in case it
        // wants a checksum.
        const END: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
        self.decoder.decode_blocks(END, BlockDecodingStrategy::UptoBlocks(1)).ok();
        self.state = State::Torn(Some(io::Error::other("a block of it cannot be read")));
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Between => match self.begin()? {
                    true => self.state = State::Inside,
                    false => return Ok(0),
                },
                State::Inside => {
                    if self.decoder.can_collect() > 0 {
                        return self.decoder.read(into);
                    }
                    if self.decoder.is_finished() {
                        self.state = State::Between;
                        continue;
                    }
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    if self.decoder.decode_blocks(&mut self.packed, one).is_err() {
                        self.torn();
                    }
                }
                State::Torn(error) => {
                    if self.decoder.can_collect() > 0 {
                        return self.decoder.read(into);
                    }
                    return error.take().map_or(Ok(0), Err);
                }
            }
        }
    }
}
