//! What the keys do. One table: the help is drawn from it, and presses are looked up in it.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// The message below.
    NextMessage,
    /// The message above.
    PreviousMessage,
    /// The prompt below.
    NextPrompt,
    /// The prompt above.
    PreviousPrompt,
    /// The first message.
    First,
    /// The last message.
    Last,
    /// Inactive messages shown or not.
    Inactive,
    /// Into the outline.
    Outline,
    /// The lines of the log behind the selected message.
    Raw,
    /// The address of the selected message.
    CopyLink,
    /// The help.
    Help,
    /// What is open beside the rows goes.
    Close,
}

/// Keys, and what they do.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The key, as the browser names it, or two of them one after the other.
    pub press: &'static str,
    /// What it does, in the words of the help.
    pub does: &'static str,
    /// The same for the page.
    pub command: Command,
}

/// Every key.
pub const KEYS: &[Key] = &[
    Key { press: "j", does: "Next message", command: Command::NextMessage },
    Key { press: "k", does: "Previous message", command: Command::PreviousMessage },
    Key { press: "J", does: "Next prompt", command: Command::NextPrompt },
    Key { press: "K", does: "Previous prompt", command: Command::PreviousPrompt },
    Key { press: "g g", does: "First message", command: Command::First },
    Key { press: "G", does: "Last message", command: Command::Last },
    Key { press: "i", does: "Show or hide inactive messages", command: Command::Inactive },
    Key { press: "t", does: "Go to the outline", command: Command::Outline },
    Key { press: "r", does: "Lines of the log behind the message", command: Command::Raw },
    Key { press: "y", does: "Copy a link to the message", command: Command::CopyLink },
    Key { press: "?", does: "This help", command: Command::Help },
    Key { press: "Escape", does: "Close", command: Command::Close },
];

/// What a press means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It is a command.
    Command(Command),
    /// It is the first of two.
    Begun,
    /// Nothing.
    Nothing,
}

/// What `press` means after `before`, the first of two keys, if that was pressed just now.
pub fn meaning(before: Option<&str>, press: &str) -> Meaning {
    let both = before.map(|before| format!("{before} {press}"));
    let find =
        |wanted: &str| KEYS.iter().find(|key| key.press == wanted).map(|key| Meaning::Command(key.command));
    let is_first =
        || KEYS.iter().any(|key| key.press.strip_prefix(press).is_some_and(|rest| rest.starts_with(' ')));
    both.as_deref()
        .and_then(find)
        .or_else(|| find(press))
        .unwrap_or_else(|| if is_first() { Meaning::Begun } else { Meaning::Nothing })
}

/// Whether the press belongs to a text that is being typed, or is meant for the browser.
pub fn is_for_page(event: &KeyboardEvent) -> bool {
    let is_modified = event.ctrl_key() || event.meta_key() || event.alt_key();
    !is_modified && !event.is_composing() && !event.default_prevented() && !is_typing(event)
}

/// Whether the focus is where keys write.
pub fn is_typing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| {
        target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]").unwrap_or(false)
    })
}

/// Hands every command to `act`; single keys only while `are_on`.
pub fn listen(are_on: impl Fn() -> bool + 'static, act: impl Fn(Command) -> bool + 'static) {
    let before = StoredValue::new(None::<String>);
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if !is_for_page(&event) {
            return;
        }
        let first = before.try_update_value(Option::take).flatten();
        match meaning(first.as_deref(), &event.key()) {
            Meaning::Command(command) if command == Command::Close || are_on() => {
                if act(command) {
                    event.prevent_default();
                }
            }
            Meaning::Begun => before.set_value(Some(event.key())),
            Meaning::Command(_) | Meaning::Nothing => {}
        }
    });
    on_cleanup(move || handle.remove());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presses() {
        let check = |before: Option<&str>, press: &str, want: Meaning| {
            assert_eq!(meaning(before, press), want, "{press} after {before:?}");
        };
        check(None, "j", Meaning::Command(Command::NextMessage));
        check(None, "J", Meaning::Command(Command::NextPrompt));
        check(None, "g", Meaning::Begun);
        check(Some("g"), "g", Meaning::Command(Command::First));
        check(Some("g"), "j", Meaning::Command(Command::NextMessage));
        check(Some("g"), "G", Meaning::Command(Command::Last));
        check(None, "Escape", Meaning::Command(Command::Close));
        check(None, "x", Meaning::Nothing);
        check(None, "", Meaning::Nothing);
        check(None, " ", Meaning::Nothing);
    }

    #[test]
    fn no_key_has_two_meanings() {
        for key in KEYS {
            assert_eq!(KEYS.iter().filter(|other| other.press == key.press).count(), 1, "{}", key.press);
            let first = key.press.split(' ').next().unwrap_or_default();
            assert!(
                first == key.press || meaning(None, first) == Meaning::Begun,
                "{} hides {first}",
                key.press
            );
        }
    }
}
