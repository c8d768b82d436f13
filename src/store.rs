//! What the page knows. Everything else it shows is derived from these fields.

use std::sync::Arc;
use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use palimpsest_protocol::{BodyPlace, Outline, SessionChoice};
use palimpsest_record::Text;
use wasm_bindgen_futures::JsFuture;

use crate::client::Client;
use crate::feed::Feed;
use crate::open::Picked;
use crate::row::folds::Folds;
use crate::sessions::order::Order;
use crate::{go, link, settings};

/// A notice is shown for so long.
const NOTICE: Duration = Duration::from_secs(4);

/// The page's state. It is a handful of handles: copy it into whatever needs it.
#[derive(Clone, Copy)]
pub struct Store {
    /// Asks the worker.
    pub client: Client,
    /// The virtual list.
    pub feed: Feed,
    /// What fills the page.
    pub screen: RwSignal<Screen>,
    /// The current view of the session in short, once there is one.
    pub outline: RwSignal<Option<Arc<Outline>>>,
    /// The sessions in the open files, where there are several.
    pub choices: RwSignal<Option<Arc<[SessionChoice]>>>,
    /// What was asked of their list.
    pub order: RwSignal<Order>,
    /// How far their list was scrolled when one was chosen, in pixels.
    pub place: StoredValue<f64>,
    /// Bytes read and bytes in all, while a log is read.
    pub progress: RwSignal<Option<(u64, u64)>>,
    /// What is open beside the rows.
    pub panel: RwSignal<Option<Panel>>,
    /// The outline is open; beside the rows it always is, where there is room for it.
    pub is_outline_open: RwSignal<bool>,
    /// The key of the row that single-key commands mean: the last one that had the focus.
    pub selected: RwSignal<Option<u64>>,
    /// The message that the address names, until it has been gone to.
    pub wanted: RwSignal<Option<String>>,
    /// What is open is the sample.
    pub is_sample: RwSignal<bool>,
    /// The light the page is drawn in.
    pub theme: RwSignal<Theme>,
    /// Single keys are commands.
    pub single_keys: RwSignal<bool>,
    /// A sentence for everyone, announced politely and shown for some seconds; empty most of the time.
    pub notice: RwSignal<String>,
    /// The folds that are open. They stay open while their row is scrolled out of the document.
    pub folds: Folds,
    /// The files that are open, to open them again after a crash.
    pub picked: StoredValue<Vec<Picked>, LocalStorage>,
    /// The pause before the address follows the selected row.
    pub following: StoredValue<Option<TimeoutHandle>>,
    /// The end of the notice.
    silence: StoredValue<Option<TimeoutHandle>>,
}

/// What fills the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Screen {
    /// Nothing is open, or what is open is behind it.
    Home,
    /// Files are being read and no row is there yet.
    Opening,
    /// The files hold several sessions.
    Sessions,
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
    Raw(BodyPlace),
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
        let client = Client::new();
        Store {
            client,
            feed: Feed::new(client),
            screen: RwSignal::new(Screen::Home),
            outline: RwSignal::new(None),
            choices: RwSignal::new(None),
            order: RwSignal::new(Order::default()),
            place: StoredValue::new(0.0),
            progress: RwSignal::new(None),
            panel: RwSignal::new(None),
            is_outline_open: RwSignal::new(false),
            selected: RwSignal::new(None),
            wanted: RwSignal::new(link::message()),
            is_sample: RwSignal::new(false),
            theme: RwSignal::new(settings::theme()),
            single_keys: RwSignal::new(settings::single_keys()),
            notice: RwSignal::new(String::new()),
            folds: Folds::new(),
            picked: StoredValue::new_local(Vec::new()),
            following: StoredValue::new(None),
            silence: StoredValue::new(None),
        }
    }

    /// Shows the row of a message, wherever it is: `id` is its own id or that of a message folded
    /// into it. Turns inactive on where it must; says so where the session has no such message.
    pub fn go_to(self, id: Text) {
        go::to_message(self, id.as_str().to_owned());
    }

    /// Copies the address of the page at this message.
    pub fn copy_link(self, id: Text) {
        self.copy("Link", link::to_message(self, &id));
    }

    /// Puts text on the clipboard and says so: `what` is a noun, e.g. `Link`.
    pub fn copy(self, what: &'static str, text: String) {
        spawn_local(async move {
            // Over plain HTTP from another machine there is no clipboard at all.
            let is_allowed = window().is_secure_context();
            let is_copied = is_allowed
                && JsFuture::from(window().navigator().clipboard().write_text(&text)).await.is_ok();
            self.say(if is_copied {
                format!("{what} copied")
            } else {
                "This browser does not let the page copy".to_owned()
            });
        });
    }

    /// Says something to everyone, for a while.
    pub fn say(self, sentence: String) {
        self.notice.set(sentence);
        self.silence.update_value(|timer| {
            if let Some(timer) = timer.take() {
                timer.clear();
            }
            *timer = set_timeout_with_handle(move || self.notice.set(String::new()), NOTICE).ok();
        });
    }

    /// Closes the panel; the focus goes back to where it was before.
    pub fn close_panel(self) {
        self.panel.set(None);
    }
}

/// The page's state, from any view below [`App`](crate::app::App).
pub fn use_store() -> Store {
    expect_context::<Store>()
}
