//! Real logs, where they lie beside the project: read whole, with a receipt that adds up.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use palimpsest_providers::{Identified, PROVIDERS, ReadOptions, SessionReader, identify};

use crate::fixtures::{assemble, names_in, project, unpacked};
use crate::invariants::reading::assert_adds_up;

/// Every real log of a provider is its own, reads, and adds up.
#[test]
fn samples_read() {
    let Some(shared) = shared() else { return };
    let mut failed = Vec::new();
    for folder in folders(&shared.join("samples")) {
        let ours = PROVIDERS.iter().any(|provider| provider.id() == folder);
        let path = shared.join("samples").join(&folder);
        let names = names_in_folder(&path).filter(|_| ours);
        failed.extend(names.filter(|name| !reads(&path.join(name), &folder)));
    }
    assert!(failed.is_empty(), "failed on {failed:?}");
}

/// A log of a product that we do not read is claimed by nobody.
#[test]
fn logs_of_others_are_not_claimed() {
    let Some(shared) = shared() else { return };
    for folder in folders(&shared.join("samples")) {
        let ours = PROVIDERS.iter().any(|provider| provider.id() == folder);
        let path = shared.join("samples").join(&folder);
        for name in names_in_folder(&path).filter(|_| !ours) {
            // OpenClaw writes Pi's format, and iFlow Claude Code's.
            if name.starts_with("openclaw") || name.starts_with("iflow") {
                continue;
            }
            let claimed = identify(&fs::read(path.join(&name)).unwrap(), true);
            assert!(claimed.is_err(), "{folder}/{name} is claimed: {claimed:?}");
        }
    }
}

/// The inputs of the cases, damaged ones too.
#[test]
fn cases_read() {
    let Some(shared) = shared() else { return };
    let cases = shared.join("cases");
    let inputs = names_in_folder(&cases).filter(|name| !name.ends_with(".expect.json"));
    let mut failed = Vec::new();
    for name in inputs.filter(|name| name.ends_with(".json") || name.ends_with(".jsonl")) {
        let provider = name.split('-').nth(1).unwrap_or_default();
        let ours = PROVIDERS.iter().any(|known| known.id() == provider);
        if ours && !reads(&cases.join(&name), provider) {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "failed on {failed:?}");
}

/// Checks a log; false where that panicked, so that one does not hide the others.
fn reads(path: &Path, provider: &str) -> bool {
    catch_unwind(|| check(path, provider)).is_ok()
}

fn check(path: &Path, provider: &str) {
    let [(_, bytes)] = unpacked(fs::read(path).unwrap(), "log").try_into().expect("one file");
    let identity = match identify(&bytes, true) {
        Ok(Identified::Yes(identity)) => identity,
        other => panic!("{}: {other:?}", path.display()),
    };
    assert_eq!(identity.provider.id(), provider, "{}", path.display());
    let mut reader = SessionReader::new(identity.provider, ReadOptions::default());
    reader.begin_file(identity.container, identity.key.role);
    reader.push(&bytes);
    reader.end_file();
    let read = reader.finish();
    assert_adds_up(&read);
    assert!(!read.records.is_empty(), "{}", path.display());
    assemble(read.records);
}

fn folders(folder: &Path) -> Vec<String> {
    names_in(folder).into_iter().filter(|name| folder.join(name).is_dir()).collect()
}

fn names_in_folder(folder: &Path) -> impl Iterator<Item = String> {
    names_in(folder).into_iter().filter(|name| !name.starts_with('.'))
}

/// The folder of real logs, where there is one.
fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("PALIMPSEST_SHARED").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| project().join("../shared"));
    if folder.join("samples").is_dir() {
        return Some(folder);
    }
    println!("skipped: no folder of real logs at {}", folder.display());
    None
}
