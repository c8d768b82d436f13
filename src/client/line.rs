//! The line to one worker: envelopes out and in.

use std::collections::BTreeMap;

use futures_channel::oneshot;
use js_sys::{Array, ArrayBuffer, Object, Reflect, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use palimpsest_protocol::{BUILD_ID, Envelope, Request, Response};
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, Event, File, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::{Client, News};

/// The line to one worker.
pub struct Line {
    worker: Worker,
    /// Called for as long as the worker lives.
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
    /// What waits for the worker's first message; `None` once that has come. A worker loses what
    /// it is sent before its program runs.
    waiting: Option<Vec<Parcel>>,
    /// Who waits for the answer with this number.
    questions: BTreeMap<u32, oneshot::Sender<Response>>,
    /// The number of the last question.
    last: u32,
}

/// A packed message and the files beside it.
struct Parcel {
    bytes: Vec<u8>,
    files: Array,
}

impl Line {
    /// Starts a worker; absent where the browser refuses, which is told as news.
    pub fn start(client: Client) -> Option<Line> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        // The worker's files keep their names from build to build: the query keeps a cache from
        // giving this page the worker of another.
        let address = format!("./worker_loader.js?v={BUILD_ID}");
        let worker = match Worker::new_with_options(&address, &options) {
            Ok(worker) => worker,
            Err(error) => {
                client.tell(News::Crashed(format!("{error:?}")));
                return None;
            }
        };
        let on_message =
            Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| hear(client, &event));
        let on_error = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            lose(client, reason);
        });
        give_program(client, worker.clone());
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.set_onmessageerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Line {
            worker,
            _on_message: on_message,
            _on_error: on_error,
            waiting: Some(Vec::new()),
            questions: BTreeMap::new(),
            last: 0,
        })
    }

    /// It has been asked something.
    pub fn is_used(&self) -> bool {
        self.last > 0
    }

    /// Ends the worker.
    pub fn end(self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.set_onmessageerror(None);
        self.worker.terminate();
    }

    /// Sends a question; what comes back through the receiver is its answer.
    pub fn send(&mut self, request: Request, files: &[File]) -> Option<oneshot::Receiver<Response>> {
        self.last = self.last.wrapping_add(1).max(1);
        let bytes = Envelope { id: self.last, body: request }.pack().ok()?;
        let parcel = Parcel { bytes, files: files.iter().collect() };
        let (sender, receiver) = oneshot::channel();
        self.questions.insert(self.last, sender);
        match &mut self.waiting {
            Some(waiting) => waiting.push(parcel),
            None => post(&self.worker, &parcel),
        }
        Some(receiver)
    }
}

/// Hands the worker its program, which its loader waits for.
fn give_program(client: Client, worker: Worker) {
    let program = client.program();
    spawn_local(async move {
        match program.await {
            // A program that cannot be copied over is told by the worker's `messageerror`.
            Ok(program) => drop(worker.post_message(&program)),
            Err(error) => lose(client, error.to_string()),
        }
    });
}

fn post(worker: &Worker, parcel: &Parcel) {
    let buffer = Uint8Array::from(parcel.bytes.as_slice()).buffer();
    let message = Object::new();
    // Setting a property of a fresh object cannot fail.
    Reflect::set(&message, &"bytes".into(), &buffer).ok();
    if parcel.files.length() > 0 {
        Reflect::set(&message, &"files".into(), &parcel.files).ok();
    }
    // What cannot be sent is never answered; the worker's `messageerror` tells of it.
    worker.post_message_with_transfer(&message, &Array::of1(&buffer)).ok();
}

/// Takes a message of the worker.
fn hear(client: Client, event: &MessageEvent) {
    let Ok(buffer) = event.data().dyn_into::<ArrayBuffer>() else { return };
    let bytes = Uint8Array::new(&buffer).to_vec();
    let Ok(Envelope { id, body }) = Envelope::<Response>::unpack(&bytes) else {
        return client.tell(News::OtherBuild);
    };
    if let Response::Ready { build } = &body {
        if build != BUILD_ID {
            return client.tell(News::OtherBuild);
        }
        client.line.update_value(|line| line.as_mut().into_iter().for_each(begin));
        return client.tell(News::Ready);
    }
    let sender = client.line.try_update_value(|line| line.as_mut()?.questions.remove(&id)).flatten();
    match (sender, body) {
        // A change of the view is for everyone, whoever asked for it.
        (Some(sender), outline @ Response::Outline(_)) => {
            client.tell(News::Says(outline));
            sender.send(Response::Done).ok();
        }
        (Some(sender), answer) => {
            sender.send(answer).ok();
        }
        (None, news) => client.tell(News::Says(news)),
    }
}

/// The worker is up: it gets what waited for it.
fn begin(line: &mut Line) {
    for parcel in line.waiting.take().unwrap_or_default() {
        post(&line.worker, &parcel);
    }
}

/// The worker is gone, and every question with it.
fn lose(client: Client, reason: String) {
    client.close();
    client.tell(News::Crashed(reason));
}
