//! What can be typed: one struct for each subcommand, and the words of `--help`.

use std::path::PathBuf;

/// Read any coding agent's session.
///
/// Data goes to standard output, words go to standard error.
/// Exit status: 0 done, 1 could not be done, 2 not understood.
#[derive(clap::Parser)]
#[command(name = "palimpsest", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Read(ReadArgs),
    Serve(ServeArgs),
}

/// Print the session of a log, as text or as JSON.
#[derive(clap::Args)]
pub(crate) struct ReadArgs {
    /// The logs: files, folders, archives (zip, tar, gzip, zstd), or - for standard input.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print one JSON object instead of a readable transcript.
    #[arg(long)]
    pub(crate) json: bool,
    /// Include what was superseded: rewound, edited or abandoned messages.
    #[arg(long)]
    pub(crate) include_inactive: bool,
    /// The session to print, where a log has several.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Print the transcript records, one JSON object a line, instead of the assembled session.
    #[arg(long)]
    pub(crate) records: bool,
}

/// Serve the page, on this machine only unless --host says otherwise.
///
/// The address is the first line of standard output. Ctrl-C ends it.
#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// The port; 0 picks a free one. Without it 7410 is tried first, then a free one.
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// The address or name to listen on. Other machines can reach any address but the loopback ones.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Open the page in the default browser.
    #[arg(long)]
    pub(crate) open: bool,
}
