//! What a developer of Palimpsest types: `cargo xtask setup|run|test|dist|bench|fuzz|gen-log`.
//!
//! - `setup`: what has to be on the machine, and how it gets there
//! - `dist`: the page and the binary with the page in it
//! - `run`: both, started
//! - `checks`: everything that has to hold before a change is done
//! - `bench`: how fast and how small, as ratios
//! - `fuzz`: the fuzzer
//! - `gen_log`: logs of any size, for benches and browser tests
//! - `build_id`: the name that a page and its worker agree on
//! - `steps`: headings, times, and the first failure
//! - `shell`: other programs

use clap::Parser as _;
use std::process::ExitCode;

mod bench;
mod build_id;
mod checks;
mod dist;
mod fuzz;
mod gen_log;
mod run;
mod setup;
mod shell;
mod steps;

/// Build, run and check Palimpsest.
#[derive(clap::Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Get what is missing on this machine to build and check everything.
    Setup,
    /// Build the page and the binary and start them; the address is printed.
    Run(run::RunArgs),
    /// Run every check, from the format of the code to browser journeys.
    Test,
    /// Build the page into dist/ and the binary with the page in it.
    Dist,
    /// Measure opening logs: natively and in Chromium, as ratios within one run.
    Bench,
    /// Give each target of the fuzzer some time.
    Fuzz(fuzz::FuzzArgs),
    /// Write a log of any size: the same arguments always give the same bytes.
    GenLog(gen_log::GenLogArgs),
}

fn main() -> ExitCode {
    let outcome = match Task::parse() {
        Task::Setup => setup::everything(),
        Task::Run(args) => run::run(&args),
        Task::Test => checks::run(),
        Task::Dist => dist::page().and_then(|()| dist::binary()),
        Task::Bench => bench::run(),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::GenLog(args) => gen_log::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
