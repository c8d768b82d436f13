//! The session that comes with the page. It is a file like any other, and fetched when it is asked for.

use gloo_net::http::{Request, Response};
use js_sys::{Array, Uint8Array};
use leptos::task::spawn_local;
use web_sys::File;

use crate::open::{self, Origin, Picked};
use crate::store::{Failure, Store};

const NAME: &str = "sample.jsonl";

/// Opens the sample.
pub fn open(store: Store) {
    spawn_local(async move {
        match fetch().await {
            Some(file) => open::files(store, vec![Picked { path: NAME.to_owned(), file }], Origin::Sample),
            None => open::fail(
                store,
                Failure::Refused("The sample could not be fetched from the server.".to_owned()),
            ),
        }
    });
}

async fn fetch() -> Option<File> {
    let response = Request::get(&format!("./{NAME}")).send().await.ok().filter(Response::ok)?;
    let bytes = Uint8Array::from(response.binary().await.ok()?.as_slice());
    File::new_with_u8_array_sequence(&Array::of1(&bytes), NAME).ok()
}
