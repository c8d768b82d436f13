//! Files come in: dropped on the window, picked by a button, pasted, or the sample.
//!
//! A file is never read here: the `File` object goes to the worker as it is. In reading order:
//! - [`drop_zone`]: the window takes drops; [`walk`]: folders that are dropped
//! - [`pick`]: the two buttons; [`sample`]: the session that comes with the page

pub mod drop_zone;
pub mod pick;
pub mod sample;
mod walk;

use web_sys::FileList;

use crate::open::{self, Origin, Picked};
use crate::store::{Failure, Store};

/// Most files that are opened at once.
const MOST_FILES: usize = 20_000;

/// Opens what came in, or says why there is nothing to open. `what` is what came, e.g. `“logs”`.
fn take(store: Store, picked: Vec<Picked>, what: &str) {
    if picked.is_empty() {
        open::fail(store, Failure::Refused(format!("There is no file in it: {what} is empty.")));
    } else if picked.len() >= MOST_FILES {
        let sentence = format!("{what} holds more than {MOST_FILES} files. A folder further down may do.");
        open::fail(store, Failure::Refused(sentence));
    } else {
        open::files(store, picked, Origin::Disk);
    }
}

/// The files of a list, with the folders that they were picked from.
fn picked(list: &FileList) -> Vec<Picked> {
    let file_at = |index| list.get(index);
    (0..list.length())
        .filter_map(file_at)
        .take(MOST_FILES)
        .map(|file| {
            // Not among the bindings: only a folder's input sets it.
            let path = js_sys::Reflect::get(&file, &"webkitRelativePath".into())
                .ok()
                .and_then(|path| path.as_string());
            Picked { path: path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name()), file }
        })
        .collect()
}
