//! Several sessions: a list of them, and what their logs say of them, read one after the other while nothing else is asked.

use futures_channel::mpsc::UnboundedReceiver;
use js_sys::Date;
use palimpsest_protocol::{Request, Response, SessionFacts};
use palimpsest_providers::{ReadOptions, SessionReader};
use palimpsest_worker::facts::facts;

use super::files::Pieces;
use super::pause::Pause;
use super::{Message, Worker, post};

/// The list comes after so many milliseconds, with what is known by then.
const LIST_AFTER: f64 = 1_000.0;
/// What is found out later comes in pieces, so many milliseconds apart.
const NEWS_EVERY: f64 = 400.0;
/// Of a session with more bytes only the beginning is read: 32 MiB.
const LONGEST: f64 = 32.0 * 1024.0 * 1024.0;
/// How much of it: 1 MiB.
const BEGINNING: f64 = 1024.0 * 1024.0;
/// Bytes between two looks at what the page has asked meanwhile.
const LOOK_EVERY: usize = 1 << 20;
/// Titles need no more of a text.
const SHORT: usize = 4096;

/// How far the list is.
pub(crate) struct Listing {
    pause: Pause,
    begun: f64,
    /// The list was sent.
    is_told: bool,
    /// Facts that the page does not have yet.
    news: Vec<(u32, SessionFacts)>,
    told_at: f64,
}

impl Worker {
    /// Lists the sessions. Reads on until one of them is chosen: that one.
    pub(crate) async fn list(&mut self, inbox: &mut UnboundedReceiver<Message>) -> Option<u32> {
        let pause = match Pause::new() {
            Ok(pause) => pause,
            Err(error) => {
                post(0, Response::Failed(error));
                return None;
            }
        };
        let now = Date::now();
        self.listing = Some(Listing { pause, begun: now, is_told: false, news: Vec::new(), told_at: now });
        self.look_through(inbox).await
    }

    /// Looks through the sessions that were not looked through yet. Answers with the one that is chosen meanwhile, if one is.
    pub(crate) async fn look_through(&mut self, inbox: &mut UnboundedReceiver<Message>) -> Option<u32> {
        while self.listing.is_some()
            && let Some(session) = self.sessions.sessions.get(self.sessions.facts.len()).cloned()
        {
            let logs = self.logs_of(&session);
            let size: f64 = logs.iter().map(|(entry, _)| entry.blob.size()).sum();
            let is_whole = size <= LONGEST;
            let mut left = if is_whole { f64::INFINITY } else { BEGINNING };
            let mut reader = SessionReader::new(session.provider, ReadOptions { preview_limit: SHORT });
            let mut buffer = Vec::new();
            let mut since_look = 0;
            for (entry, log) in &logs {
                reader.begin_file(log.identity.container, log.identity.key.role);
                let blob = entry.blob.slice_with_f64_and_f64(0.0, left.min(entry.blob.size()));
                // What cannot be read now is told when it is opened.
                let Some(pieces) = blob.ok().and_then(|blob| Pieces::of(&blob).ok()) else { continue };
                while let Ok(true) = pieces.next(&mut buffer).await {
                    reader.push(&buffer);
                    left -= buffer.len() as f64;
                    since_look += buffer.len();
                    if since_look >= LOOK_EVERY {
                        since_look = 0;
                        if let Some(chosen) = self.meanwhile(inbox).await {
                            return Some(chosen);
                        }
                    }
                }
                if is_whole {
                    reader.end_file();
                } else {
                    reader.leave_file();
                }
                if left <= 0.0 {
                    break;
                }
            }
            self.learn(facts(&reader.finish(), is_whole));
            if let Some(chosen) = self.meanwhile(inbox).await {
                return Some(chosen);
            }
        }
        self.tell();
        self.listing = None;
        None
    }

    fn learn(&mut self, facts: SessionFacts) {
        let number = self.sessions.facts.len() as u32;
        self.sessions.facts.push(facts.clone());
        if let Some(listing) = self.listing.as_mut().filter(|listing| listing.is_told) {
            listing.news.push((number, facts));
        }
    }

    /// Tells what is new, where it is time to, and answers what was asked meanwhile.
    async fn meanwhile(&mut self, inbox: &mut UnboundedReceiver<Message>) -> Option<u32> {
        let listing = self.listing.as_mut()?;
        let wait = if listing.is_told { NEWS_EVERY } else { LIST_AFTER };
        let since = if listing.is_told { listing.told_at } else { listing.begun };
        if Date::now() - since >= wait {
            self.tell();
        }
        self.listing.as_ref()?.pause.for_messages().await;
        while let Ok(message) = inbox.try_recv() {
            match message.request {
                Request::Choose { session } => return Some(session),
                Request::Open { .. } => {}
                Request::Cancel => post(message.id, Response::Done),
                request => self.answer(message.id, request).await,
            }
        }
        None
    }

    fn tell(&mut self) {
        let choices = self.listing.as_ref().filter(|listing| !listing.is_told).map(|_| self.choices());
        let Some(listing) = &mut self.listing else { return };
        listing.told_at = Date::now();
        listing.is_told = true;
        match choices {
            Some(choices) => post(0, Response::Sessions(choices)),
            None if listing.news.is_empty() => {}
            None => post(0, Response::Facts(std::mem::take(&mut listing.news))),
        }
    }
}
