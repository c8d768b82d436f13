//! `cargo xtask test`: everything that has to hold before a change is done.

use crate::steps::{self, Ending, Step};
use crate::{dist, setup, shell};
use anyhow::Context as _;
use std::fs;
use std::path::PathBuf;

const STEPS: &[Step] = &[
    ("What the checks need", || setup::everything().map(|()| Ending::Done)),
    ("Format", || cargo(&["fmt", "--all", "--check"])),
    ("Lints on this machine", || {
        cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])
    }),
    ("Lints for the browser", lints_for_the_browser),
    ("Tests in Rust", tests),
    ("The page", || dist::page().map(|()| Ending::Done)),
    ("The binary", || dist::binary().map(|()| Ending::Done)),
    ("Shared cases", shared_cases),
    ("Browser journeys", browser_journeys),
];

/// Runs them all, up to the first that fails.
pub(crate) fn run() -> anyhow::Result<()> {
    steps::run(STEPS)
}

fn cargo(arguments: &[&str]) -> anyhow::Result<Ending> {
    shell::run(shell::command("cargo").args(arguments))?;
    Ok(Ending::Done)
}

fn lints_for_the_browser() -> anyhow::Result<Ending> {
    if !setup::default_compiler_has_wasm() {
        return Ok(Ending::Skipped("Debian's compiler for the browser brings no clippy".to_owned()));
    }
    let target = ["clippy", "--quiet", "--target", "wasm32-unknown-unknown", "--bins"];
    let packages = ["palimpsest-web", "palimpsest-worker", "palimpsest-intake"];
    let packages: Vec<&str> = packages.into_iter().flat_map(|name| ["--package", name]).collect();
    cargo(&[&target[..], &packages, &["--", "-D", "warnings"]].concat())
}

fn tests() -> anyhow::Result<Ending> {
    if shell::find(&["cargo-nextest"]).is_some() {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"])
    } else {
        cargo(&["test", "--workspace", "--no-fail-fast", "--quiet"])
    }
}

/// Cases that lie beside the repository where it is developed, and nowhere else.
fn shared_cases() -> anyhow::Result<Ending> {
    let given = std::env::var_os("PALIMPSEST_SHARED").map(PathBuf::from);
    let check = given.unwrap_or_else(|| shell::root().join("../shared")).join("cases/check.py");
    if !check.is_file() {
        return Ok(Ending::Skipped("there is no shared folder beside this one".to_owned()));
    }
    let mut command = shell::command("python3");
    command.arg(check).env("PALIMPSEST_BIN", dist::binary_path());
    shell::run(&mut command)?;
    Ok(Ending::Done)
}

fn browser_journeys() -> anyhow::Result<Ending> {
    let mut journeys = Vec::new();
    for entry in fs::read_dir(shell::e2e()).context("cannot read tests/e2e")? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            journeys.push(path);
        }
    }
    journeys.sort();
    let mut node = shell::command("node");
    // Two cores: two browsers at once would make each other's timings worthless.
    node.args(["--test", "--test-concurrency=1"]).args(journeys);
    shell::run(node.env("PALIMPSEST_BIN", dist::binary_path()))?;
    Ok(Ending::Done)
}
