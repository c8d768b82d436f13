//! The name that a page and its worker agree on, and what tells whether a page was built from the sources as they are.
//!
//! Trunk never puts a hash into the names of a worker's files, so a browser may hold an old worker beside a new page. Both are
//! built with this id in `PALIMPSEST_BUILD_ID`, and the page compares.

use crate::shell;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// What the two programs are made of: a change anywhere else cannot make them misunderstand each other.
const SOURCES: [&str; 7] = [
    "Cargo.lock",
    "src",
    "crates/record",
    "crates/providers",
    "crates/assembly",
    "crates/protocol",
    "crates/worker",
];

/// What else the page is made of.
const FORM: [&str; 8] = [
    "Cargo.toml",
    "Trunk.toml",
    "assets",
    "boot.js",
    "index.html",
    "style",
    "worker_loader.js",
    "xtask/src/dist.rs",
];

/// Sixteen hexadecimal digits: the same for the same sources, whatever their place or time.
pub(crate) fn build_id() -> io::Result<String> {
    digest(&SOURCES)
}

/// The same of all that a built page depends on.
pub(crate) fn page_digest() -> io::Result<String> {
    digest(&[&SOURCES[..], &FORM].concat())
}

fn digest(sources: &[&str]) -> io::Result<String> {
    let root = shell::root();
    let mut files = BTreeSet::new();
    for source in sources {
        list(&root, Path::new(source), &mut files)?;
    }
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(root.join(&file))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn list(root: &Path, path: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if !root.join(path).is_dir() {
        files.insert(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(root.join(path))? {
        list(root, &path.join(entry?.file_name()), files)?;
    }
    Ok(())
}
