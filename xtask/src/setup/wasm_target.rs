//! A compiler for the browser: the default one with its `wasm32-unknown-unknown` target, or Debian's.

use super::Need;
use crate::shell;
use anyhow::{Context as _, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's newer compiler, with the standard library's source: it has no library for our target, and builds one.
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];
/// What must be there for it to work. The linker is a link to a program of another package, which they do not ask for.
const DEBIAN_LINKER: &str = "/usr/bin/rust-lld";
const DEBIAN_PARTS: [&str; 3] = ["/usr/bin/rustc", "/usr/lib/rustlib/src/rust/library/std", DEBIAN_LINKER];

/// Which compiler builds for the browser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compiler {
    /// The one that everything else is built with.
    Default,
    /// Debian's, with a standard library built on the way.
    Debian,
}

pub(super) const NEED: Need = Need {
    name: "a Rust compiler for the browser",
    is_there: || compiler().is_some(),
    get,
    by_hand: || {
        let packages = DEBIAN_PACKAGES.join(" ");
        format!(
            "rustup target add {TARGET} (or, on Debian without rustup: sudo apt-get install {packages} and the lld-N that {DEBIAN_LINKER} then points at)"
        )
    },
};

/// The compiler for the browser, if there is one.
pub(crate) fn compiler() -> Option<Compiler> {
    if default_compiler_has_wasm() {
        return Some(Compiler::Default);
    }
    let debian = DEBIAN_PARTS.iter().all(|part| Path::new(part).exists());
    debian.then_some(Compiler::Debian)
}

/// Whether the default compiler can build for the browser: its standard library for the target is installed.
pub(crate) fn default_compiler_has_wasm() -> bool {
    let mut rustc = shell::command("rustc");
    let library = shell::output(rustc.args(["--print", "target-libdir", "--target", TARGET]));
    library.is_some_and(|folder| Path::new(&folder).is_dir())
}

/// Makes a build use Debian's compiler. It has a target folder of its own: two compilers in one would undo each other's work.
pub(crate) fn use_debian_compiler(build: &mut Command) -> anyhow::Result<()> {
    let path = shell::search_path();
    let path = std::iter::once("/usr/bin".into()).chain(std::env::split_paths(&path));
    build.env("PATH", std::env::join_paths(path)?);
    for variable in ["RUSTC", "CARGO", "RUSTUP_TOOLCHAIN"] {
        build.env_remove(variable);
    }
    build.env("CARGO_TARGET_DIR", shell::root().join("target/debian"));
    build.env("RUSTC_BOOTSTRAP", "1").env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort");
    Ok(())
}

fn get() -> anyhow::Result<()> {
    if shell::find(&["rustup"]).is_some() {
        match shell::run(shell::command("rustup").args(["target", "add", TARGET])) {
            Ok(()) => return Ok(()),
            Err(error) => eprintln!("  {error:#}"),
        }
    }
    if !shell::may_use_apt() {
        bail!("neither rustup nor, as root, Debian's packages can get it here");
    }
    eprintln!("  Trying Debian's compiler instead");
    shell::apt_install(&DEBIAN_PACKAGES)?;
    let linker = fs::read_link(DEBIAN_LINKER).with_context(|| format!("{DEBIAN_LINKER} is not a link"))?;
    shell::apt_install(&[&linker.to_string_lossy()])
}
