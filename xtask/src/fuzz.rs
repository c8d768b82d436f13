//! `cargo xtask fuzz`: each target for some time, from the corpus and the fixtures on.

use crate::shell;
use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// Longest time that one input may take, in seconds, and most memory, in MiB.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];

#[derive(clap::Args)]
pub(crate) struct FuzzArgs {
    /// Seconds for each target.
    #[arg(long, default_value_t = 600)]
    seconds: u64,
    /// The targets; all where none is named.
    targets: Vec<String>,
}

/// Fuzzes. Fails at the first target that finds something: cargo-fuzz says where the input is.
pub(crate) fn run(args: &FuzzArgs) -> anyhow::Result<()> {
    if shell::find(&["cargo-fuzz"]).is_none() {
        let mut install = shell::command("cargo");
        shell::run(install.args(["install", "cargo-fuzz", "--locked"]))
            .context("cargo-fuzz is missing; this gets it: cargo install cargo-fuzz --locked")?;
    }
    let known = targets()?;
    for target in &args.targets {
        ensure!(known.contains(target), "there is no target {target}; there are {}", known.join(", "));
    }
    for target in if args.targets.is_empty() { &known } else { &args.targets } {
        eprintln!("\n{target}, {} s", args.seconds);
        let found = shell::root().join("target/fuzz").join(target);
        fs::create_dir_all(&found).with_context(|| format!("cannot make {}", found.display()))?;
        let mut fuzz = shell::command("cargo");
        // The sanitizer is in every tool chain, and asked for by a flag that only unstable ones know.
        fuzz.env("RUSTC_BOOTSTRAP", "1").args(["fuzz", "run", target]);
        fuzz.arg(found).args(seeds(target)?).arg("--").args(LIMITS);
        shell::run(
            fuzz.args([format!("-max_total_time={}", args.seconds), "-print_final_stats=1".to_owned()]),
        )?;
    }
    Ok(())
}

/// The fuzzer's programs.
fn targets() -> anyhow::Result<Vec<String>> {
    let folder = shell::root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// Where a target begins: what is kept for it, and the fixtures that are its own.
fn seeds(target: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut seeds = vec![shell::root().join("fuzz/corpus").join(target)];
    let fixtures = shell::root().join("tests/fixtures");
    match target.strip_prefix("adapter-") {
        Some(provider) => seeds.extend(folders(&fixtures.join(provider))?),
        None if target == "sniffing" => {
            for provider in folders(&fixtures)? {
                seeds.extend(folders(&provider)?);
            }
        }
        None => {}
    }
    seeds.retain(|folder| folder.is_dir());
    Ok(seeds)
}

fn folders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect())
}
