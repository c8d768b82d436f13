//! The worker's logic: it owns the records and the session detail and answers the page.
//!
//! Everything here is a function of values and is tested on the host; only `main.rs` and
//! `browser` know that they run in a Web Worker. In reading order:
//! - [`opened`]: a session that is open, and its current view
//! - [`rows`]: the detail → rows; [`outline`]: the view in short
//! - [`agents`]: subagents in one line each; [`parts`]: what a row's parts are; [`bodies`]: the bodies of folds and long texts
//! - [`raw`]: lines of the log as they stand
//! - [`facts`]: a session in a list
//! - `fit`: as much of a text as there is room for
//! - [`prose`], [`terminal`]: text → parsed Markdown and styled runs

pub mod agents;
pub mod bodies;
pub mod facts;
mod fit;
pub mod opened;
pub mod outline;
pub mod parts;
pub mod prose;
pub mod raw;
pub mod rows;
pub mod terminal;

pub use opened::Opened;
