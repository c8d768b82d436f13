//! The binary `palimpsest`.
//!
//! - `cli`: what can be typed
//! - `read`: a log to a session on standard output
//! - `serve`: the page over HTTP

use clap::Parser as _;
use std::process::ExitCode;

mod cli;
mod read;
mod serve;

fn main() -> ExitCode {
    let outcome = match cli::Cli::parse().command {
        cli::Command::Read(args) => Ok(read::run(&args)),
        cli::Command::Serve(args) => serve::run(&args).map(|()| ExitCode::SUCCESS),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("palimpsest: {error:#}");
        ExitCode::FAILURE
    })
}
