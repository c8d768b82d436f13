//! Through the folders that were dropped.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    File, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry, FileSystemFileEntry,
};

use super::MOST_FILES;
use crate::open::Picked;

/// Adds all files in these folders, at any depth. Answers how many could not be opened.
pub async fn walk(folders: Vec<FileSystemEntry>, files: &mut Vec<Picked>) -> usize {
    let mut unread = 0;
    let mut left = folders;
    while let Some(entry) = left.pop() {
        if files.len() >= MOST_FILES {
            break;
        }
        // Not every browser has the classes of entries by name, so they are not asked for their class.
        if entry.is_directory() {
            let folder: &FileSystemDirectoryEntry = entry.unchecked_ref();
            match entries(&folder.create_reader()).await {
                Ok(inside) => left.extend(inside),
                Err(_) => unread += 1,
            }
        } else if let Ok(file) = file(entry.unchecked_ref()).await {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            files.push(Picked { path, file });
        } else {
            unread += 1;
        }
    }
    unread
}

/// All entries of a folder. A reader hands out so many at a time (Chromium a hundred), and none
/// when it is through.
async fn entries(reader: &FileSystemDirectoryReader) -> Result<Vec<FileSystemEntry>, JsValue> {
    let mut all = Vec::new();
    loop {
        let some = called_back(|done, failed| reader.read_entries_with_callback_and_callback(done, failed));
        let some = Array::from(&some.await?);
        if some.length() == 0 {
            return Ok(all);
        }
        all.extend(some.iter().map(JsCast::unchecked_into::<FileSystemEntry>));
    }
}

async fn file(entry: &FileSystemFileEntry) -> Result<File, JsValue> {
    let start = |done: &Function, failed: &Function| {
        entry.file_with_callback_and_callback(done, failed);
        Ok(())
    };
    called_back(start).await?.dyn_into()
}

/// The value that one of two callbacks is called with.
async fn called_back(
    start: impl Fn(&Function, &Function) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |done, failed| {
        if let Err(error) = start(&done, &failed) {
            failed.call1(&JsValue::NULL, &error).ok();
        }
    });
    JsFuture::from(promise).await
}
