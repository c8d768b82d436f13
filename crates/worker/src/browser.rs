//! The message loop: one task that owns all state and takes one message after the other, also
//! between two pieces of a log that it reads.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::StreamExt as _;
use js_sys::{Array, Reflect, Uint8Array};
use palimpsest_protocol::{BUILD_ID, Envelope, Request, Response};
use palimpsest_worker::Opened;
use palimpsest_worker::opened::Answer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

use crate::browser::files::{Entry, Files};
use crate::browser::finding::Sessions;
use crate::browser::listing::Listing;

mod files;
mod finding;
mod listing;
mod pause;
mod reading;
mod unpacking;

/// A question, and the files that came with it.
pub(crate) struct Message {
    id: u32,
    request: Request,
    files: Vec<Blob>,
}

/// Starts to listen and says so.
pub(crate) fn start() {
    let (sender, receiver) = unbounded();
    listen(sender);
    spawn_local(async move { Worker::default().run(receiver).await });
    post(0, Response::Ready { build: BUILD_ID.to_owned() });
}

/// What is open.
#[derive(Default)]
pub(crate) struct Worker {
    files: Files,
    sessions: Sessions,
    /// There are sessions that were not looked through yet.
    listing: Option<Listing>,
    opened: Option<Opened>,
}

impl Worker {
    async fn run(&mut self, mut inbox: UnboundedReceiver<Message>) {
        while let Some(message) = inbox.next().await {
            let mut chosen = match message.request {
                Request::Open { paths } => self.open(paths, message.files, &mut inbox).await,
                Request::Choose { session } => Some(session),
                request => {
                    self.answer(message.id, request).await;
                    None
                }
            };
            while let Some(session) = chosen.take() {
                self.choose(session, &mut inbox).await;
                // The list goes on behind the session that is open.
                chosen = self.look_through(&mut inbox).await;
            }
        }
    }

    /// Finds out what the files are. Answers with the session to read: the only one, or the one that is chosen.
    async fn open(
        &mut self,
        paths: Vec<String>,
        files: Vec<Blob>,
        inbox: &mut UnboundedReceiver<Message>,
    ) -> Option<u32> {
        let entry = |(blob, path)| Entry { blob, path, damage: None };
        match self.find(files.into_iter().zip(paths).map(entry).collect()).await {
            0 => None,
            1 => Some(0),
            _ => self.list(inbox).await,
        }
    }

    /// Answers a question about the open session.
    pub(crate) async fn answer(&mut self, id: u32, request: Request) {
        let Some(opened) = &mut self.opened else {
            post(id, Response::Failed("no session is open".to_owned()));
            return;
        };
        let mut answer = opened.answer(request);
        loop {
            match answer {
                Answer::Now(response) => return post(id, response),
                Answer::AfterOutline(outline, response) => {
                    post(0, Response::Outline(outline));
                    return post(id, response);
                }
                Answer::Read(wanted) => match self.files.range(wanted.file, wanted.bytes.clone()).await {
                    Ok(bytes) => answer = opened.with_bytes(wanted, &bytes),
                    Err(sentence) => return post(id, Response::Failed(sentence)),
                },
            }
        }
    }
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Packs and sends a message; its buffer changes hands and is not copied.
pub(crate) fn post(id: u32, body: Response) {
    let bytes = match (Envelope { id, body }).pack() {
        Ok(bytes) => bytes,
        Err(error) => return web_sys_error(&error.to_string()),
    };
    let buffer = Uint8Array::from(bytes.as_slice()).buffer();
    if let Err(error) = scope().post_message_with_transfer(&buffer, &Array::of1(&buffer)) {
        wasm_bindgen::throw_val(error);
    }
}

fn web_sys_error(sentence: &str) {
    wasm_bindgen::throw_str(sentence);
}

/// Puts every message of the page into the inbox.
fn listen(inbox: UnboundedSender<Message>) {
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(message) = unpack(&event.data()) {
            // The inbox lives as long as the worker does.
            inbox.unbounded_send(message).ok();
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

/// `{bytes: ArrayBuffer, files?: File[]}`; anything else is not the page's.
fn unpack(data: &JsValue) -> Option<Message> {
    let bytes = Reflect::get(data, &"bytes".into()).ok()?;
    let bytes = Uint8Array::new(&bytes).to_vec();
    let Envelope { id, body } = Envelope::<Request>::unpack(&bytes).ok()?;
    let files = Reflect::get(data, &"files".into()).ok()?;
    let files = if Array::is_array(&files) {
        Array::from(&files).iter().filter_map(|file| file.dyn_into().ok()).collect()
    } else {
        Vec::new()
    };
    Some(Message { id, request: body, files })
}
