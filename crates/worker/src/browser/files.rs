//! The files that were dropped, and what was unpacked from them: read in pieces, never whole unless they are one document.

use std::ops::Range;

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader};

/// One of them.
#[derive(Clone)]
pub(crate) struct Entry {
    /// Its bytes, which the browser keeps.
    pub(crate) blob: Blob,
    /// As it was given, with folders; inside an archive behind the archive's own.
    pub(crate) path: String,
    /// What is damaged in it, where it comes from an archive: what came before was unpacked.
    pub(crate) damage: Option<String>,
}

/// All of them, and those of the open session.
#[derive(Default)]
pub(crate) struct Files {
    entries: Vec<Entry>,
    /// The file of each number that spans of the open session carry.
    open: Vec<usize>,
}

impl Files {
    pub(crate) fn new(entries: Vec<Entry>) -> Files {
        Files { entries, open: Vec::new() }
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    /// Says which files the open session reads, in the order of its spans' numbers.
    pub(crate) fn set_open(&mut self, files: Vec<usize>) {
        self.open = files;
    }

    /// Bytes of a file of the open session.
    pub(crate) async fn range(&self, number: u32, range: Range<u64>) -> Result<Vec<u8>, String> {
        let entry = self.open.get(number as usize).and_then(|index| self.entries.get(*index));
        let entry = entry.ok_or("the file is no longer open")?;
        slice(&entry.blob, range.start as f64, range.end as f64).await
    }
}

/// The bytes of a file from its first to its last, in pieces of the browser's choice: it reads on while the worker parses.
pub(crate) struct Pieces {
    reader: ReadableStreamDefaultReader,
}

impl Pieces {
    pub(crate) fn of(blob: &Blob) -> Result<Pieces, String> {
        let reader = ReadableStreamDefaultReader::new(&blob.stream());
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
pub(crate) async fn slice(blob: &Blob, start: f64, end: f64) -> Result<Vec<u8>, String> {
    let blob = blob.slice_with_f64_and_f64(start, end).map_err(|error| sentence(&error))?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(|error| sentence(&error))?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// What the browser says is wrong with a file.
pub(crate) fn sentence(error: &JsValue) -> String {
    let reason = Reflect::get(error, &"message".into()).ok().and_then(|text| text.as_string());
    match reason {
        Some(reason) => format!("the browser could not read the file ({reason})"),
        None => "the browser could not read the file".to_owned(),
    }
}
