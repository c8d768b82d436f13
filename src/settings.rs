//! What the person has set: kept by this browser, on this machine.

use leptos::prelude::*;

use crate::store::{Store, Theme};

const THEME: &str = "palimpsest.theme";
const SINGLE_KEYS: &str = "palimpsest.single-keys";

impl Theme {
    /// The word used in the document and in the browser's storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The next one, where a button goes round.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    fn named(name: &str) -> Theme {
        [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.as_str() == name).unwrap_or_default()
    }
}

/// The theme that was set last.
pub fn theme() -> Theme {
    read(THEME).map(|name| Theme::named(&name)).unwrap_or_default()
}

/// Whether single keys are commands.
pub fn single_keys() -> bool {
    read(SINGLE_KEYS).as_deref() != Some("off")
}

/// From now on, the document follows the settings and the browser keeps them.
pub fn keep(store: Store) {
    Effect::new(move |_| {
        let theme = store.theme.get();
        if let Some(root) = document().document_element() {
            root.set_attribute("data-theme", theme.as_str()).ok();
        }
        write(THEME, theme.as_str());
    });
    Effect::new(move |_| write(SINGLE_KEYS, if store.single_keys.get() { "on" } else { "off" }));
}

fn read(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(name).ok()?
}

/// A browser that keeps nothing (private windows) is no reason to complain: it is set again next time.
fn write(name: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        storage.set_item(name, value).ok();
    }
}
