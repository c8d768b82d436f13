//! The session that comes with the page. It is a file like any other, and fetched when it is asked for.

use js_sys::Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, Response};

use crate::open::{self, Origin, Picked};
use crate::store::{Failure, Store};

const NAME: &str = "sample.jsonl";

/// Opens the sample.
pub fn open(store: Store) {
    spawn_local(async move {
        match fetch().await {
            Ok(file) => open::files(store, vec![Picked { path: NAME.to_owned(), file }], Origin::Sample),
            Err(_) => open::fail(
                store,
                Failure::Refused("The sample could not be fetched from the server.".to_owned()),
            ),
        }
    });
}

async fn fetch() -> Result<File, JsValue> {
    let response = JsFuture::from(window().fetch_with_str(&format!("./{NAME}"))).await?;
    let response: Response = response.dyn_into()?;
    if !response.ok() {
        return Err(JsValue::from(response.status()));
    }
    let blob = JsFuture::from(response.blob()?).await?;
    File::new_with_blob_sequence(&Array::of1(&blob), NAME)
}
