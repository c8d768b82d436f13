//! The integration tests: one binary, so that the workspace is linked once.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says on standard output what it skipped"
)]

/// What is done to logs, and what each damage may cost.
mod corpus;
/// The cases of `tests/fixtures/` and how a test reads them.
mod fixtures;
/// The fuzzer's targets, in short.
mod fuzz;
/// What every case gives, as text beside it that a person can review.
mod golden;
/// What holds for every case whatever it is about.
mod invariants;
/// The assembled session as a person sees it, one line a step.
mod outline;
/// What holds for inputs that nobody thought of.
mod properties;
/// Real logs, where they lie beside the project.
mod shared;
/// Rules of the house that a compiler does not hold.
mod tidy;
