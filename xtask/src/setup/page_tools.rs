//! What builds the page: Trunk, and wasm-bindgen's program in the very version of its library.

use super::Need;
use crate::shell;
use anyhow::Context as _;
use std::fs;

/// The newest Trunk that builds with our compiler.
const TRUNK_VERSION: &str = "0.21.14";

pub(super) const TRUNK: Need = Need {
    name: "trunk, which takes some minutes",
    is_there: || answers("trunk", TRUNK_VERSION),
    // Its lock file is followed: the newest versions of what it uses need a newer compiler than ours.
    get: || cargo_install("trunk", TRUNK_VERSION, &["--locked"]),
    by_hand: || format!("cargo install trunk --version {TRUNK_VERSION} --locked"),
};

pub(super) const WASM_BINDGEN: Need = Need {
    name: "wasm-bindgen, which takes some minutes",
    is_there: || bindgen_version().is_ok_and(|version| answers("wasm-bindgen", &version)),
    // Its lock file is not followed: it names a version of a library that was withdrawn.
    get: || cargo_install("wasm-bindgen-cli", &bindgen_version()?, &["--bin", "wasm-bindgen"]),
    by_hand: || {
        let version = bindgen_version().unwrap_or_else(|_| "VERSION-IN-CARGO.LOCK".to_owned());
        format!("cargo install wasm-bindgen-cli --version {version}")
    },
};

/// Whether `program --version` says `program version`.
fn answers(program: &str, version: &str) -> bool {
    shell::output(shell::command(program).arg("--version"))
        .is_some_and(|answer| answer.split_whitespace().nth(1) == Some(version))
}

/// Into the repository's own tools, quickly built: each of them runs for a second or two in a build.
fn cargo_install(package: &str, version: &str, options: &[&str]) -> anyhow::Result<()> {
    let mut cargo = shell::command("cargo");
    cargo.args(["install", package, "--version", version, "--quiet", "--root"]).arg(shell::tools());
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    shell::run(cargo.args(options))
}

/// The version of the library: the program writes JavaScript for that version only.
fn bindgen_version() -> anyhow::Result<String> {
    let lock = fs::read_to_string(shell::root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    lock.split("[[package]]")
        .find_map(|package| package.trim_start().strip_prefix("name = \"wasm-bindgen\"\nversion = \""))
        .and_then(|rest| rest.split_once('"'))
        .map(|(version, _)| version.to_owned())
        .context("Cargo.lock names no wasm-bindgen")
}
