//! `cargo xtask bench`: how fast and how small, as ratios within one run.

use crate::gen_log::{self, Provider, Shape, Spec};
use crate::steps::{self, Ending, Step};
use crate::{dist, setup, shell};
use anyhow::Context as _;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::PathBuf;

const STEPS: &[Step] = &[
    ("What the measuring needs", || setup::everything().map(|()| Ending::Done)),
    ("The page", || dist::page().map(|()| Ending::Done)),
    ("The binary", || dist::binary().map(|()| Ending::Done)),
    ("On this machine: to a typed parse of the same lines", natively),
    ("In Chromium: to plain JavaScript and to reading the file", in_the_browser),
];

/// Measures all of it. Fails where a ratio is over its limit.
pub(crate) fn run() -> anyhow::Result<()> {
    steps::run(STEPS)
}

fn natively() -> anyhow::Result<Ending> {
    let mut bench = shell::command("cargo");
    bench.args(["bench", "--quiet", "--package", "palimpsest-worker", "--bench", "throughput", "--"]);
    for provider in [Provider::Claude, Provider::Codex] {
        bench.arg(log(provider)?);
    }
    shell::run(&mut bench)?;
    Ok(Ending::Done)
}

fn in_the_browser() -> anyhow::Result<Ending> {
    let mut node = shell::command("node");
    node.arg("--test").arg("--test-reporter=spec").arg(shell::e2e().join("bench.mjs"));
    shell::run(node.env("PALIMPSEST_BIN", dist::binary_path()))?;
    Ok(Ending::Done)
}

/// A log of 100 MB, written once.
fn log(provider: Provider) -> anyhow::Result<PathBuf> {
    let name = if provider == Provider::Claude { "claude" } else { "codex" };
    let path = shell::root().join(format!("target/logs/{name}-normal-100000000-1.jsonl"));
    if !path.is_file() {
        fs::create_dir_all(shell::root().join("target/logs")).context("cannot make target/logs")?;
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let spec = Spec { provider, shape: Shape::Normal, bytes: 100_000_000, seed: 1 };
        gen_log::write(&spec, &mut BufWriter::new(file))?;
    }
    Ok(path)
}
