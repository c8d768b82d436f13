//! Lets the page's messages in between two steps of one long task.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

/// A channel from the worker to itself. A timer would do as well, but browsers make nested ones wait for four milliseconds.
pub(crate) struct Pause {
    channel: MessageChannel,
}

impl Pause {
    pub(crate) fn new() -> Result<Pause, String> {
        let channel = MessageChannel::new();
        channel.map(|channel| Pause { channel }).map_err(|_| "the browser has no message channels".to_owned())
    }

    /// Waits until what was sent before has arrived.
    pub(crate) async fn for_messages(&self) {
        let arrived = Promise::new(&mut |arrive, _| {
            self.channel.port1().set_onmessage(Some(arrive.unchecked_ref()));
            // Nothing is sent that could be refused.
            self.channel.port2().post_message(&JsValue::NULL).ok();
        });
        JsFuture::from(arrived).await.ok();
    }
}
