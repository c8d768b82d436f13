//! The page in `dist/`, and the binary with the page in it.

use crate::setup::{self, Compiler};
use crate::{build_id, shell};
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What our WebAssembly uses beyond its first version; the optimiser must be told, and must not add to it.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// In `dist/`: what the page there was built of. The binary leaves out what is hidden.
const STAMP: &str = ".built-of";

/// Builds the page, after getting what that needs; not where it is there already.
pub(crate) fn page() -> anyhow::Result<()> {
    let compiler = setup::for_page()?;
    let dist = shell::root().join("dist");
    let optimised = if shell::find(&["wasm-opt"]).is_some() { "optimised" } else { "as compiled" };
    let digest = build_id::page_digest().context("cannot read the sources")?;
    let built_of = format!("{digest}, {optimised}\n");
    if fs::read_to_string(dist.join(STAMP)).is_ok_and(|stamp| stamp == built_of) {
        eprintln!("The page is built already.");
        return Ok(());
    }
    let id = build_id::build_id().context("cannot read the sources")?;
    let mut trunk = shell::command("trunk");
    trunk.args(["build", "--release"]);
    trunk.env("PALIMPSEST_BUILD_ID", id).env("TRUNK_SKIP_VERSION_CHECK", "true");
    // Trunk takes the value for a word of its own and stops at the usual `NO_COLOR=1`.
    if std::env::var_os("NO_COLOR").is_some() {
        trunk.env("NO_COLOR", "true");
    }
    if compiler == Compiler::Debian {
        setup::use_debian_compiler(&mut trunk)?;
    }
    shell::run(&mut trunk)?;
    shrink(&dist)?;
    fs::write(dist.join(STAMP), built_of).context("cannot write into dist/")
}

/// Builds the binary around whatever page is in `dist/`.
pub(crate) fn binary() -> anyhow::Result<()> {
    shell::run(shell::command("cargo").args(["build", "--release", "--package", "palimpsest-server"]))
}

/// Where `binary` leaves it.
pub(crate) fn binary_path() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    shell::root().join(target).join("release/palimpsest").with_extension(std::env::consts::EXE_EXTENSION)
}

/// Makes the programs of the page smaller and faster, where the optimiser is there. It goes over the finished files, not
/// through Trunk, so that a page can be built without it.
fn shrink(dist: &Path) -> anyhow::Result<()> {
    if shell::find(&["wasm-opt"]).is_none() {
        eprintln!("The page is built without wasm-opt, which makes it about a third larger.");
        return Ok(());
    }
    for entry in fs::read_dir(dist).context("cannot read dist/")? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".wasm") {
            continue;
        }
        // The worker parses and the unpacker unpacks, so they are built for speed; the rest draws, so it is built for size.
        let is_fast = ["worker", "unpacker"].iter().any(|program| name.starts_with(program));
        let level = if is_fast { "-O3" } else { "-Oz" };
        let smaller = file.with_extension("smaller");
        let before = fs::metadata(&file)?.len();
        shell::run(shell::command("wasm-opt").arg(level).args(FEATURES).arg(&file).arg("-o").arg(&smaller))?;
        fs::rename(&smaller, &file)?;
        eprintln!("{name}: {} KB, {} KB before wasm-opt", fs::metadata(&file)?.len() / 1024, before / 1024);
    }
    Ok(())
}
