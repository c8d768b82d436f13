//! Archives → the files in them, by a program of its own that is loaded when the first one is opened.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Object, Promise, Reflect};
use palimpsest_protocol::{BUILD_ID, Response};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::files::{Entry, sentence};
use super::post;

#[wasm_bindgen]
extern "C" {
    /// Starts an unpacker (`worker_loader.js`); a promise of its function.
    #[wasm_bindgen(js_name = unpacker)]
    fn start_unpacker(build: &str) -> Promise;
}

/// What was in an archive.
#[derive(Default)]
pub(crate) struct Unpacked {
    pub(crate) entries: Vec<Entry>,
    /// Sentences about what is left out.
    pub(crate) left_out: Vec<String>,
}

/// Unpacks an archive. `before` are the bytes that were unpacked of others.
///
/// # Errors
/// Nothing of it is to be read; the end of a sentence that begins with its name.
pub(crate) async fn unpack(archive: &Blob, path: &str, before: f64) -> Result<Unpacked, String> {
    let function: Function = JsFuture::from(start_unpacker(BUILD_ID))
        .await
        .and_then(JsCast::dyn_into)
        .map_err(|_| "the program that unpacks archives could not be loaded".to_owned())?;
    let unpacked = Rc::new(RefCell::new(Unpacked::default()));
    let refused = {
        let files = Rc::clone(&unpacked);
        let file = Closure::<dyn Fn(String, Blob, Option<String>)>::new(move |path, blob, damage| {
            files.borrow_mut().entries.push(Entry { blob, path, damage });
        });
        let files = Rc::clone(&unpacked);
        let left_out = Closure::<dyn Fn(String)>::new(move |sentence| {
            files.borrow_mut().left_out.push(sentence);
        });
        let progress = Closure::<dyn Fn(f64)>::new(move |bytes: f64| {
            post(0, Response::Progress { read: (before + bytes) as u64, total: 0 });
        });
        let taker = Object::new();
        let methods =
            [("file", file.as_ref()), ("leftOut", left_out.as_ref()), ("progress", progress.as_ref())];
        for (name, method) in methods {
            // Setting a property of a fresh object cannot fail.
            Reflect::set(&taker, &name.into(), method).ok();
        }
        function
            .call3(&JsValue::NULL, archive, &path.into(), &taker)
            .map_err(|error| format!("unpacking it failed: {}", sentence(&error)))?
    };
    match refused.as_string() {
        Some(refusal) => Err(refusal),
        None => Ok(unpacked.take()),
    }
}

impl Unpacked {
    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> f64 {
        self.entries.iter().map(|entry| entry.blob.size()).sum()
    }
}
