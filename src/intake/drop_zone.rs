//! The whole window takes drops, whatever is on the page.

use js_sys::Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, DataTransfer, Element, File, FileSystemEntry};

use super::walk::walk;
use super::{picked, take};
use crate::figures;
use crate::open::{self, Picked};
use crate::store::{Failure, Store};

/// From now on the window takes drops and pastes. The signal says that files are held over it.
pub fn listen(store: Store) -> ReadSignal<bool> {
    let (is_over, set_over) = signal(false);
    // The pointer enters the next element before it leaves the last one: only leaving the one that
    // was entered last is leaving the window.
    let last = StoredValue::new_local(None::<Element>);
    let enter = window_event_listener(leptos::ev::dragenter, move |event| {
        if event.data_transfer().is_some_and(|transfer| has_files(&transfer)) {
            event.prevent_default();
            last.set_value(event.target().and_then(|target| target.dyn_into().ok()));
            set_over.set(true);
        }
    });
    let over = window_event_listener(leptos::ev::dragover, move |event| {
        if let Some(transfer) = event.data_transfer()
            && has_files(&transfer)
        {
            event.prevent_default();
            transfer.set_drop_effect("copy");
        }
    });
    let leave = window_event_listener(leptos::ev::dragleave, move |event| {
        let left: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        if last.with_value(|last| *last == left) {
            set_over.set(false);
        }
    });
    let dropped = window_event_listener(leptos::ev::drop, move |event| {
        set_over.set(false);
        if let Some(transfer) = event.data_transfer()
            && has_files(&transfer)
        {
            event.prevent_default();
            open_dropped(store, &transfer);
        }
    });
    let pasted = window_event_listener(leptos::ev::paste, move |event| {
        let Some(transfer) = event.clipboard_data() else { return };
        if let Some(files) = transfer.files().filter(|files| files.length() > 0) {
            event.prevent_default();
            take(store, picked(&files), "what was pasted");
        } else if !is_typing(&event)
            && let Some(file) = pasted_text(&transfer)
        {
            event.prevent_default();
            take(store, vec![Picked { path: file.name(), file }], "what was pasted");
        }
    });
    on_cleanup(move || {
        for handle in [enter, over, leave, dropped, pasted] {
            handle.remove();
        }
    });
    is_over
}

/// The text goes into a field.
fn is_typing(event: &ClipboardEvent) -> bool {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    target.is_some_and(|target| matches!(&*target.tag_name(), "INPUT" | "TEXTAREA"))
}

/// Text on the clipboard, as a file.
fn pasted_text(transfer: &DataTransfer) -> Option<File> {
    let text = transfer.get_data("text/plain").ok().filter(|text| !text.trim().is_empty())?;
    File::new_with_str_sequence(&Array::of1(&text.into()), "pasted text").ok()
}

fn has_files(transfer: &DataTransfer) -> bool {
    transfer.types().iter().any(|kind| kind == "Files")
}

fn open_dropped(store: Store, transfer: &DataTransfer) {
    let (files, folders) = sort(transfer);
    let name = folders.first().map(FileSystemEntry::name);
    let what = name.map_or_else(|| "what was dropped".to_owned(), |name| format!("“{name}”"));
    if folders.is_empty() {
        return take(store, files, &what);
    }
    spawn_local(async move {
        let mut files = files;
        let unread = walk(folders, &mut files).await;
        let unread_files = figures::of(unread as u64, "file", "files");
        match unread {
            0 => take(store, files, &what),
            _ if files.is_empty() => {
                let sentence = format!("The browser could not open {what}: it refused {unread_files} in it.");
                open::fail(store, Failure::Refused(sentence));
            }
            _ => {
                store.say(format!("{unread_files} in {what} could not be opened"));
                take(store, files, &what);
            }
        }
    });
}

/// What was dropped: files, and folders to walk through. The transfer is only good for as long as
/// the event lasts, so everything is taken out of it at once.
fn sort(transfer: &DataTransfer) -> (Vec<Picked>, Vec<FileSystemEntry>) {
    let items = transfer.items();
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for item in (0..items.length()).filter_map(|index| items.get(index)) {
        let entry = item.webkit_get_as_entry().ok().flatten();
        let file: Option<File> = item.get_as_file().ok().flatten();
        match (entry, file) {
            (Some(entry), _) if entry.is_directory() => folders.push(entry),
            (_, Some(file)) => files.push(Picked { path: file.name(), file }),
            _ => {}
        }
    }
    if files.is_empty() && folders.is_empty() {
        files = transfer.files().as_ref().map(picked).unwrap_or_default();
    }
    (files, folders)
}
