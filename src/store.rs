//! What the page knows. Everything else it shows is derived from these fields.

use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::{Outline, SessionChoice};
use palimpsest_record::Text;

use crate::client::Client;
use crate::row::folds::Folds;

/// The page's state. It is a handful of handles: copy it into whatever needs it.
#[derive(Clone, Copy)]
pub struct Store {
    /// Asks the worker.
    pub client: Client,
    /// What fills the page.
    pub screen: RwSignal<Screen>,
    /// The current view of the session in short, once there is one.
    pub outline: RwSignal<Option<Arc<Outline>>>,
    /// What is open beside the rows.
    pub panel: RwSignal<Option<Panel>>,
    /// The key of the row that single-key commands mean: the last one that had the focus.
    pub selected: RwSignal<Option<u64>>,
    /// The light the page is drawn in.
    pub theme: RwSignal<Theme>,
    /// A sentence for everyone, announced politely and shown for some seconds; empty most of the time.
    pub notice: RwSignal<String>,
    /// The folds that are open. They stay open while their row is scrolled out of the document.
    pub folds: Folds,
}

/// What fills the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Screen {
    /// Nothing is open.
    Home,
    /// Files are being read and no row is there yet.
    Opening,
    /// The files hold several sessions.
    Sessions(Arc<[SessionChoice]>),
    /// A session is open, wholly or as far as it is read.
    Reading,
    /// It went wrong.
    Failed(Failure),
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The files cannot be read as a session: the worker's sentence.
    Refused(String),
    /// The worker ended unexpectedly: what the browser said of it.
    Crashed(String),
    /// Page and worker are of different builds, and loading the page again did not mend it.
    OtherBuild,
}

/// What is open beside the rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    /// What was read and what was not.
    Receipt,
    /// The lines of the log behind the row of this message or summary.
    Raw(Text),
    /// The keys.
    Help,
}

/// The light the page is drawn in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Ink on paper.
    Light,
    /// Chalk on slate.
    Dark,
}

impl Store {
    /// The state of a page that has just been loaded.
    pub fn new() -> Store {
        Store {
            client: Client::new(),
            screen: RwSignal::new(Screen::Home),
            outline: RwSignal::new(None),
            panel: RwSignal::new(None),
            selected: RwSignal::new(None),
            theme: RwSignal::new(Theme::System),
            notice: RwSignal::new(String::new()),
            folds: Folds::new(),
        }
    }

    /// Shows the row of a message, wherever it is: `id` is its own id or that of a message folded
    /// into it. Turns inactive on where it must; says so where the session has no such message.
    pub fn go_to(self, id: Text) {
        let _ = id;
    }

    /// Copies the address of the page at this message.
    pub fn copy_link(self, id: Text) {
        let _ = id;
    }

    /// Puts text on the clipboard and says so: `what` is a noun, e.g. `Link`.
    pub fn copy(self, what: &'static str, text: String) {
        let _ = (what, text);
    }

    /// Closes the panel and gives the focus back to where it was before.
    pub fn close_panel(self) {
        self.panel.set(None);
    }
}

/// The page's state, from any view below [`App`](crate::app::App).
pub fn use_store() -> Store {
    expect_context::<Store>()
}
