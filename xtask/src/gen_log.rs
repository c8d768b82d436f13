//! Logs of any size, as coding agents write them: for benches and browser tests, which must run where no real log is.
//!
//! The mix of lines and their sizes follow what people report of their own logs: about 5 KB a line in a normal one, of which
//! tool results are four fifths. All text is made up. The same arguments always give the same bytes.
//!
//! - `draw`: chances, sizes and ids from a seed
//! - `text`: prose, code and terminal output, ready to stand in a JSON string
//! - `lines`: the log itself, line by line, with its clock
//! - `claude`, `codex`: which lines, in which order

use anyhow::Context as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

mod claude;
mod codex;
mod draw;
mod lines;
mod text;

/// What may follow `cargo xtask gen-log`.
#[derive(clap::Args)]
pub(crate) struct GenLogArgs {
    #[command(flatten)]
    spec: Spec,
    /// The file; standard output without it.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Which log.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Spec {
    /// Whose log it looks like.
    #[arg(long, value_enum, default_value_t = Provider::Claude)]
    pub(crate) provider: Provider,
    /// Where its bytes are.
    #[arg(long, value_enum, default_value_t = Shape::Normal)]
    pub(crate) shape: Shape,
    /// Its size: it ends with the first whole round of lines past this many bytes.
    #[arg(long)]
    pub(crate) bytes: u64,
    /// Another number, another log.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Provider {
    Claude,
    Codex,
}

/// The two odd shapes are Claude's: people reported them of its logs.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Shape {
    /// The usual mix.
    Normal,
    /// Progress lines of about 3 MB each make up nearly all of it.
    Bloat,
    /// One tool result of 12.8 million characters in the middle.
    Giant,
}

/// Writes the log that the arguments describe.
pub(crate) fn run(args: &GenLogArgs) -> anyhow::Result<()> {
    let written = match &args.output {
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            write(&args.spec, &mut BufWriter::with_capacity(1 << 20, file))
        }
        None => write(&args.spec, &mut io::stdout().lock()),
    };
    let written = written.context("cannot write the log")?;
    eprintln!("{written} bytes");
    Ok(())
}

/// Writes the log and tells its size in bytes.
pub(crate) fn write(spec: &Spec, out: &mut dyn Write) -> io::Result<u64> {
    let mut log = lines::Lines::new(spec.seed, spec.bytes, out);
    match spec.provider {
        Provider::Claude => claude::write(spec.shape, &mut log)?,
        Provider::Codex => codex::write(&mut log)?,
    }
    log.finish()
}

#[cfg(test)]
mod tests {
    use super::{Provider, Shape, Spec, write};
    use std::collections::BTreeMap;

    fn generated(provider: Provider, shape: Shape, bytes: u64, seed: u64) -> Vec<u8> {
        let mut log = Vec::new();
        let told = write(&Spec { provider, shape, bytes, seed }, &mut log).expect("memory takes every byte");
        assert_eq!(told, log.len() as u64);
        log
    }

    /// Every line is an object with a type; the bytes by type, and the longest line.
    fn check(log: &[u8]) -> (BTreeMap<String, usize>, usize) {
        assert_eq!(log.last(), Some(&b'\n'));
        let mut by_type = BTreeMap::new();
        let mut longest = 0;
        for line in log.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let value: serde_json::Value = serde_json::from_slice(line).expect("every line is JSON");
            let kind = value["type"].as_str().expect("every line has a type").to_owned();
            *by_type.entry(kind).or_default() += line.len();
            longest = longest.max(line.len());
        }
        (by_type, longest)
    }

    #[test]
    fn the_same_arguments_give_the_same_bytes() {
        for provider in [Provider::Claude, Provider::Codex] {
            let log = generated(provider, Shape::Normal, 300_000, 7);
            assert!(log == generated(provider, Shape::Normal, 300_000, 7));
            assert!(log != generated(provider, Shape::Normal, 300_000, 8));
            assert!((300_000..900_000).contains(&log.len()), "{}", log.len());
        }
    }

    #[test]
    fn a_normal_log_is_mostly_what_tools_said() {
        let log = generated(Provider::Claude, Shape::Normal, 4_000_000, 1);
        let lines = log.iter().filter(|byte| **byte == b'\n').count();
        assert!((3_000..7_000).contains(&(log.len() / lines)), "{} bytes a line", log.len() / lines);
        let (by_type, _) = check(&log);
        assert!(by_type["user"] * 10 > log.len() * 6, "{by_type:?}");
        for kind in ["assistant", "system", "progress", "file-history-snapshot", "queue-operation", "summary"]
        {
            assert!(by_type.contains_key(kind), "{kind}");
        }
    }

    #[test]
    fn a_codex_log_says_things_twice() {
        let (by_type, _) = check(&generated(Provider::Codex, Shape::Normal, 4_000_000, 1));
        assert!(by_type["response_item"] > by_type["event_msg"], "{by_type:?}");
        for kind in ["session_meta", "turn_context", "compacted"] {
            assert!(by_type.contains_key(kind), "{kind}");
        }
    }

    #[test]
    fn the_odd_shapes_are_odd() {
        let (by_type, longest) = check(&generated(Provider::Claude, Shape::Bloat, 20_000_000, 1));
        assert!(by_type["progress"] > 17_000_000, "{by_type:?}");
        assert!((3_000_000..4_500_000).contains(&longest), "{longest}");

        let (_, longest) = check(&generated(Provider::Claude, Shape::Giant, 2_000_000, 1));
        assert!(longest > 25_000_000, "{longest}");
    }
}
