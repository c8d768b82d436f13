//! How files are named and how long they are, and what must be in none or in one of them.

use super::sources;
use crate::fixtures::project;

/// A file is one idea. The limit leaves room; tests are data and may be longer.
#[test]
fn no_file_is_too_long() {
    const MOST: usize = 400;
    for source in rust().filter(|source| !source.is_test()) {
        let lines = source.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        assert!(lines <= MOST, "{} has {lines} lines", source.path);
    }
}

/// A name that refuses no code attracts all of it; `mod.rs` in an editor's tab says nothing.
#[test]
fn file_names_say_what_is_in_them() {
    const REFUSED: [&str; 8] =
        ["mod.rs", "util.rs", "utils.rs", "helper.rs", "helpers.rs", "common.rs", "types.rs", "data.rs"];
    for source in rust() {
        assert!(!REFUSED.contains(&source.file_name()), "{}: what is in it?", source.path);
    }
}

/// Whoever comes first reads the map.
#[test]
fn the_readme_names_every_crate() {
    let readme = std::fs::read_to_string(project().join("README.md")).expect("a README");
    for name in crate::fixtures::names_in(&project().join("crates")) {
        assert!(readme.contains(&format!("crates/{name}")) || readme.contains(&format!("{name}/")), "{name}");
    }
    assert!(readme.contains("xtask"), "xtask");
    for provider in palimpsest_providers::PROVIDERS {
        assert!(readme.contains(provider.label()), "{} is supported, and nobody reads it", provider.label());
    }
}

/// The project runs on any machine, so it knows no folder of the one it was written on.
#[test]
fn no_path_of_a_machine() {
    // Put together here, so that this file has none either.
    let folders = ["work", "root", "tmp"].map(|folder| format!("/{folder}/"));
    for source in sources("", "") {
        for (number, line) in (1..).zip(source.text.lines()) {
            let mut known = folders.iter().filter(|folder| {
                // `root` is also what a product calls the first of its agents.
                !(source.path.starts_with("tests/fixtures/") && folder.contains("root"))
            });
            let found = known.find(|folder| names_folder(line, folder));
            assert!(found.is_none(), "{}:{number} names {found:?}", source.path);
        }
    }
}

/// Whether a path in the line begins with the folder; in the middle of one it is some other's.
fn names_folder(line: &str, folder: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || "._-~*}/$)".contains(c);
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(is_inside))
}

fn rust() -> impl Iterator<Item = super::Source> {
    ["crates", "src", "xtask", "tests", "benches"].into_iter().flat_map(|folder| sources(folder, ".rs"))
}
