//! The integration tests: one binary, so that the workspace is linked once.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its parts outside `#[test]` functions too"
)]

/// The cases of `tests/fixtures/` and how a test reads them.
mod fixtures;
/// What every case gives, as text beside it that a person can review.
mod golden;
/// What holds for every case whatever it is about.
mod invariants;
/// The assembled session as a person sees it, one line a step.
mod outline;
