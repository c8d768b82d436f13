//! `cargo xtask run`: the page and the binary, built and started.

use crate::{dist, shell};
use anyhow::Context as _;

/// What may follow `cargo xtask run`.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// Passed on to `palimpsest serve`, as in `cargo xtask run -- --open --port 8000`.
    #[arg(last = true)]
    serve: Vec<String>,
}

/// Builds what changed and serves it until Ctrl-C.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    dist::page()?;
    dist::binary()?;
    eprintln!();
    let mut server = shell::command(&dist::binary_path().to_string_lossy());
    let mut server = server.arg("serve").args(&args.serve).spawn().context("cannot start palimpsest")?;
    // Ctrl-C goes to the server too, which says nothing when it ends by it: neither do we.
    server.wait().context("cannot wait for palimpsest")?;
    Ok(())
}
