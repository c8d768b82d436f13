//! `palimpsest read`.

use crate::cli::ReadArgs;
use std::process::ExitCode;

/// Reads the logs and prints their session.
pub(crate) fn run(args: &ReadArgs) -> ExitCode {
    let _ = (&args.paths, args.json, args.include_inactive, &args.session, args.records);
    eprintln!("palimpsest: reading is not built into this binary yet");
    ExitCode::FAILURE
}
