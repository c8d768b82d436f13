//! A file that was dropped → the files in it, as blobs of the browser: nothing of them stays in this program's memory.

use std::io::{self, Read, Seek, SeekFrom};

use js_sys::{Array, Reflect, Uint8Array};
use palimpsest_intake::{Sink, unpack};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, FileReaderSync};

/// Bytes that are asked of the browser at once.
const AHEAD: usize = 1 << 20;
/// Bytes that are collected before the browser gets them.
const COLLECTED: usize = 4 << 20;

#[wasm_bindgen]
extern "C" {
    /// What takes the unpacked files: an object with these methods.
    pub type Taker;
    /// A file, and what is damaged in it, where something is.
    #[wasm_bindgen(method)]
    fn file(this: &Taker, path: &str, blob: &Blob, damage: Option<String>);
    /// A file that is not unpacked, and why.
    #[wasm_bindgen(method, js_name = leftOut)]
    fn left_out(this: &Taker, sentence: &str);
    /// So many bytes were unpacked in all.
    #[wasm_bindgen(method)]
    fn progress(this: &Taker, bytes: f64);
}

/// Unpacks a file. Public for the browser's sake alone. Answers with the reason where nothing of it is to be read.
#[wasm_bindgen(js_name = unpack)]
#[expect(unreachable_pub, reason = "what the browser calls is public")]
pub fn unpack_blob(packed: &Blob, path: &str, taker: &Taker) -> Option<String> {
    let source = match Source::new(packed.clone()) {
        Ok(source) => source,
        Err(error) => return Some(error.to_string()),
    };
    let mut files =
        Files { taker, path: String::new(), pieces: Array::new(), collected: Vec::new(), total: 0.0 };
    unpack(source, path, &mut files).err().map(|refusal| refusal.to_string())
}

/// The bytes of a blob, a piece at a time.
struct Source {
    blob: Blob,
    reader: FileReaderSync,
    at: u64,
    /// The piece that was read last, and where it begins.
    piece: Vec<u8>,
    piece_at: u64,
}

impl Source {
    fn new(blob: Blob) -> io::Result<Source> {
        let reader = FileReaderSync::new().map_err(|error| sentence(&error))?;
        Ok(Source { blob, reader, at: 0, piece: Vec::new(), piece_at: 0 })
    }

    fn length(&self) -> u64 {
        self.blob.size() as u64
    }

    /// What is there of the piece at the current place; reads the next one where nothing is.
    fn here(&mut self) -> io::Result<&[u8]> {
        let inside = self.at.checked_sub(self.piece_at).map(|inside| inside as usize);
        let inside = inside.filter(|inside| *inside < self.piece.len());
        if let Some(inside) = inside {
            return Ok(self.piece.get(inside..).unwrap_or_default());
        }
        let end = self.length().min(self.at.saturating_add(AHEAD as u64));
        if self.at >= end {
            return Ok(&[]);
        }
        let slice =
            self.blob.slice_with_f64_and_f64(self.at as f64, end as f64).map_err(|error| sentence(&error))?;
        let buffer = self.reader.read_as_array_buffer(&slice).map_err(|error| sentence(&error))?;
        self.piece = Uint8Array::new(&buffer).to_vec();
        self.piece_at = self.at;
        Ok(&self.piece)
    }
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let here = self.here()?;
        let length = here.len().min(into.len());
        if let (Some(into), Some(here)) = (into.get_mut(..length), here.get(..length)) {
            into.copy_from_slice(here);
        }
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

/// Collects each file into a blob.
struct Files<'a> {
    taker: &'a Taker,
    path: String,
    pieces: Array,
    collected: Vec<u8>,
    total: f64,
}

impl Files<'_> {
    fn flush(&mut self) -> io::Result<()> {
        if self.collected.is_empty() {
            return Ok(());
        }
        let bytes = Array::of1(&Uint8Array::from(self.collected.as_slice()));
        let blob = Blob::new_with_u8_array_sequence(&bytes).map_err(|error| sentence(&error))?;
        self.pieces.push(&blob);
        self.total += self.collected.len() as f64;
        self.collected.clear();
        self.taker.progress(self.total);
        Ok(())
    }
}

impl Sink for Files<'_> {
    fn begin(&mut self, path: &str) {
        path.clone_into(&mut self.path);
        self.pieces = Array::new();
        self.collected.clear();
    }

    fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        self.collected.extend_from_slice(piece);
        if self.collected.len() >= COLLECTED { self.flush() } else { Ok(()) }
    }

    fn end(&mut self, damage: Option<String>) {
        let blob = self
            .flush()
            .and_then(|()| Blob::new_with_blob_sequence(&self.pieces).map_err(|error| sentence(&error)));
        match blob {
            Ok(blob) => self.taker.file(&self.path, &blob, damage),
            Err(error) => self.taker.left_out(&format!("{}: {error}", self.path)),
        }
    }

    fn left_out(&mut self, sentence: String) {
        self.taker.left_out(&sentence);
    }
}

fn sentence(error: &JsValue) -> io::Error {
    let reason = Reflect::get(error, &"message".into()).ok().and_then(|text| text.as_string());
    io::Error::other(format!("the browser could not read the file ({})", reason.unwrap_or_default()))
}
