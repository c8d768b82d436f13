//! How far reading has come, on a terminal, for anything that takes over a second.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

const QUIET_FOR: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(100);
/// Back to the line's beginning, and nothing of what stood there stays.
const CLEAR_LINE: &str = "\r\x1b[K";

/// A line on standard error that says how far reading has come.
pub(super) struct Progress {
    /// All bytes there are, where that is known.
    total: Option<u64>,
    done: u64,
    next: Instant,
    is_shown: bool,
    is_terminal: bool,
}

impl Progress {
    pub(super) fn new(total: Option<u64>) -> Progress {
        Progress {
            total: total.filter(|&total| total > 0),
            done: 0,
            next: Instant::now() + QUIET_FOR,
            is_shown: false,
            is_terminal: io::stderr().is_terminal(),
        }
    }

    pub(super) fn add(&mut self, bytes: u64) {
        self.done += bytes;
        if self.is_terminal && Instant::now() >= self.next {
            self.next = Instant::now() + BETWEEN;
            self.is_shown = true;
            // Words for people; where they cannot be written, reading goes on.
            write!(io::stderr(), "{CLEAR_LINE}{}", words(self.done, self.total)).ok();
        }
    }

    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            write!(io::stderr(), "{CLEAR_LINE}").ok();
        }
    }
}

fn words(done: u64, total: Option<u64>) -> String {
    let megabytes = |bytes: u64| bytes / 1_000_000;
    match total {
        Some(total) => format!("reading: {} % of {} MB", done.min(total) * 100 / total, megabytes(total)),
        None => format!("reading: {} MB", megabytes(done)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_share_where_the_whole_is_known() {
        assert_eq!(words(25_000_000, Some(100_000_000)), "reading: 25 % of 100 MB");
        assert_eq!(words(2, Some(1)), "reading: 100 % of 0 MB");
        assert_eq!(words(25_000_000, None), "reading: 25 MB");
    }
}
