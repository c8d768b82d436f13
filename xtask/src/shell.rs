//! Other programs: where they are, how they are started, and one sentence when they fail.

use anyhow::{Context as _, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository's root. Cargo tells where this package is when it runs it.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.as_deref().and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Where tools go that only this repository needs, so that the person's own copies are left as they are.
pub(crate) fn tools() -> PathBuf {
    root().join("target/tools")
}

/// The browser tests and their packages from npm.
pub(crate) fn e2e() -> PathBuf {
    root().join("tests/e2e")
}

/// A program to be started in the root, with our tools found first.
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).env("PATH", search_path());
    command
}

/// Runs to the end, its output going where ours goes.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let words = spoken(command);
    let status = command.status().with_context(|| format!("cannot start `{words}`"))?;
    if !status.success() {
        bail!("`{words}` failed ({status})");
    }
    Ok(())
}

/// What a program prints, if it can be started and succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first of `programs` that is on the search path.
pub(crate) fn find(programs: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&search_path()).collect();
    programs
        .iter()
        .flat_map(|program| folders.iter().map(move |folder| folder.join(program)))
        .find(|path| path.is_file() || path.with_extension("exe").is_file())
}

/// Whether this is a Debian whose packages we may install.
pub(crate) fn may_use_apt() -> bool {
    let is_root = output(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    is_root && find(&["apt-get"]).is_some()
}

/// Installs Debian packages, after the lists of what there is were brought up to date.
pub(crate) fn apt_install(packages: &[&str]) -> anyhow::Result<()> {
    run(command("apt-get").args(["update", "-q"]).stdout(Stdio::null()))?;
    let mut install = command("apt-get");
    install.args(["install", "-q", "-y", "--no-install-recommends"]).args(packages);
    run(install.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

/// Our tools first, then what the person has.
pub(crate) fn search_path() -> OsString {
    let own = [tools().join("bin"), e2e().join("node_modules/.bin")];
    let given = std::env::var_os("PATH").unwrap_or_default();
    let all = own.into_iter().chain(std::env::split_paths(&given));
    std::env::join_paths(all).unwrap_or(given)
}

/// A command as a person would type it in the root.
fn spoken(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
