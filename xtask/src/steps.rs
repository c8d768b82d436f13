//! A list of steps: a heading and a time for each, a stop at the first that fails, a summary.

use anyhow::Context as _;
use std::time::{Duration, Instant};

/// How a step ended that did not fail.
pub(crate) enum Ending {
    /// It was done.
    Done,
    /// It was not done, for this reason.
    Skipped(String),
}

/// What a step is called, and what it does.
pub(crate) type Step = (&'static str, fn() -> anyhow::Result<Ending>);

/// Runs the steps in order.
pub(crate) fn run(steps: &[Step]) -> anyhow::Result<()> {
    let all = Instant::now();
    let mut skipped = Vec::new();
    for (number, (title, work)) in (1..).zip(steps) {
        eprintln!("\n[{number}/{}] {title}", steps.len());
        let start = Instant::now();
        let ending = work().with_context(|| {
            format!("step {number}, \"{title}\", failed after {}", spoken(start.elapsed()))
        })?;
        match ending {
            Ending::Done => eprintln!("      done in {}", spoken(start.elapsed())),
            Ending::Skipped(why) => {
                eprintln!("      skipped: {why}");
                skipped.push(*title);
            }
        }
    }
    let passed = steps.len() - skipped.len();
    let time = spoken(all.elapsed());
    if skipped.is_empty() {
        eprintln!("\nAll {passed} steps passed in {time}.");
    } else {
        eprintln!("\n{passed} steps passed in {time}; skipped: {}.", skipped.join(", "));
    }
    Ok(())
}

/// A time as a person reads it: `3.4 s`, `2 min 5 s`.
fn spoken(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f32())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}
