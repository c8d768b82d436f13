//! The `File`s that were dropped: read in pieces, never whole unless they are compressed.

use std::ops::Range;

use js_sys::{Reflect, Uint8Array};
use palimpsest_providers::unpack::{is_zstd, unzstd};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, ReadableStreamDefaultReader};

/// Files and their paths, in the same order.
#[derive(Default)]
pub(crate) struct Files {
    files: Vec<File>,
    paths: Vec<String>,
    /// The file of each number that spans of the open session carry.
    open: Vec<usize>,
}

impl Files {
    pub(crate) fn new(files: Vec<File>, paths: Vec<String>) -> Files {
        Files { files, paths, open: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&File> {
        self.files.get(index)
    }

    pub(crate) fn path(&self, index: usize) -> String {
        self.paths.get(index).cloned().or_else(|| self.files.get(index).map(File::name)).unwrap_or_default()
    }

    /// Says which files the open session reads, in the order of its spans' numbers.
    pub(crate) fn set_open(&mut self, files: Vec<usize>) {
        self.open = files;
    }

    /// Bytes of a file of the open session, of the unpacked text where it is compressed.
    pub(crate) async fn range(&self, number: u32, range: Range<u64>) -> Result<Vec<u8>, String> {
        let file = self.open.get(number as usize).and_then(|index| self.files.get(*index));
        let file = file.ok_or("the file is no longer open")?;
        if !is_packed(file).await? {
            return slice(file, range.start as f64, range.end as f64).await;
        }
        let packed = slice(file, 0.0, file.size()).await?;
        let mut bytes = Vec::new();
        let mut at = 0;
        let unpacked = unzstd(&packed, |piece| {
            let start = range.start.saturating_sub(at).min(piece.len() as u64) as usize;
            let end = range.end.saturating_sub(at).min(piece.len() as u64) as usize;
            bytes.extend_from_slice(piece.get(start..end).unwrap_or_default());
            at += piece.len() as u64;
        });
        // Damage that comes later takes nothing from what is wanted.
        let is_whole = bytes.len() as u64 == range.end.saturating_sub(range.start);
        match unpacked {
            Err(error) if !is_whole => Err(error.to_string()),
            _ => Ok(bytes),
        }
    }
}

/// Whether a file is compressed, by its first bytes.
pub(crate) async fn is_packed(file: &File) -> Result<bool, String> {
    Ok(is_zstd(&slice(file, 0.0, 4.0).await?))
}

/// The bytes of a file from its first to its last, in pieces of the browser's choice: it reads on while the worker parses.
pub(crate) struct Pieces {
    reader: ReadableStreamDefaultReader,
}

impl Pieces {
    pub(crate) fn of(file: &File) -> Result<Pieces, String> {
        let reader = ReadableStreamDefaultReader::new(&file.stream());
        reader.map(|reader| Pieces { reader }).map_err(|error| sentence(&error))
    }

    /// Copies the next piece into `buffer`. False: there is none.
    pub(crate) async fn next(&self, buffer: &mut Vec<u8>) -> Result<bool, String> {
        let result = JsFuture::from(self.reader.read()).await.map_err(|error| sentence(&error))?;
        let value = Reflect::get(&result, &"value".into()).map_err(|error| sentence(&error))?;
        let Ok(bytes) = value.dyn_into::<Uint8Array>() else { return Ok(false) };
        copy(&bytes, buffer);
        Ok(true)
    }
}

impl Drop for Pieces {
    /// Lets go of what the browser has read ahead.
    fn drop(&mut self) {
        drop(self.reader.cancel());
    }
}

fn copy(bytes: &Uint8Array, buffer: &mut Vec<u8>) {
    buffer.resize(bytes.length() as usize, 0);
    bytes.copy_to(buffer);
}

/// A piece of a file.
pub(crate) async fn slice(file: &File, start: f64, end: f64) -> Result<Vec<u8>, String> {
    let blob = file.slice_with_f64_and_f64(start, end).map_err(|error| sentence(&error))?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(|error| sentence(&error))?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn sentence(error: &JsValue) -> String {
    let reason = Reflect::get(error, &"message".into()).ok().and_then(|text| text.as_string());
    match reason {
        Some(reason) => format!("the browser could not read the file ({reason})"),
        None => "the browser could not read the file".to_owned(),
    }
}
