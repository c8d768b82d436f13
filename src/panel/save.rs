//! The session as a file: what `palimpsest read --json` prints.

use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

use crate::store::{Store, use_store};

/// A button that saves the session detail and the receipt as JSON. Nothing leaves the machine.
pub fn save() -> AnyView {
    let store = use_store();
    let click = move |_| leptos::task::spawn_local(fetch_and_save(store));
    view! { <button type="button" class="button save" on:click=click>"Save as JSON"</button> }.into_any()
}

async fn fetch_and_save(store: Store) {
    let saved = match store.client.detail().await {
        Ok(json) => offer(&json).map_err(|_| "the browser refused the file".to_owned()),
        Err(reason) => Err(reason.to_string()),
    };
    if let Err(reason) = saved {
        store.say(format!("Nothing was saved: {reason}."));
    }
}

/// Hands the text to the browser as a download.
fn offer(json: &str) -> Result<(), JsValue> {
    let blob = Blob::new_with_str_sequence(&Array::of1(&JsValue::from_str(json)))?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download("session.json");
    link.click();
    // The download holds the bytes itself once it has begun.
    Url::revoke_object_url(&url)
}
