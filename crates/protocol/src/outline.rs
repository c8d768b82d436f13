//! The whole view in short.

use palimpsest_record::Text;
use serde::{Deserialize, Serialize};

use crate::{ReceiptSummary, RowKind};

/// Every row's key, kind and size, and what the frame around the rows shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Number of this view; it changes whenever the rows do.
    pub view: u32,
    /// The log is read through.
    pub complete: bool,
    /// The session.
    pub session: SessionHead,
    /// Every row in order.
    pub rows: Vec<RowHint>,
    /// The rows a person navigates by.
    pub marks: Vec<Mark>,
    /// Whether inactive messages are among the rows.
    pub shows_inactive: bool,
    /// How many inactive messages there are, shown or not.
    pub inactive: u32,
    /// What was read and what was not.
    pub receipt: ReceiptSummary,
    /// What is missing of the session, in a sentence: reading was stopped, or a file broke off.
    pub notice: Option<String>,
    /// Tokens and cost.
    pub usage: UsageTotals,
}

/// Names and dates of the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionHead {
    /// Its id.
    pub id: Text,
    /// Its title; empty where there is none.
    pub title: Text,
    /// The provider's id.
    pub source: Text,
    /// The provider's name for people.
    pub provider: Text,
    /// Working directory.
    pub cwd: Option<Text>,
    /// Git branch.
    pub git_branch: Option<Text>,
    /// Version of the product.
    pub version: Option<Text>,
    /// The last model.
    pub model: Option<Text>,
    /// The session it was forked from, or whose subagent it is.
    pub forked_from: Option<Text>,
    /// First and last time, in milliseconds since 1970.
    pub times: Option<(i64, i64)>,
    /// This source can say what was superseded.
    pub attests_inactive: bool,
    /// The session has branch points: the source forks and does not say which branch is current.
    pub has_branch_points: bool,
}

/// One row in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowHint {
    /// Stable key: a hash of the message's id, the same in every view.
    pub key: u64,
    /// What it is.
    pub kind: RowKind,
    /// Its probable height in CSS pixels at a width of 800; the page measures the true one.
    pub height: u16,
    /// It is inactive.
    pub inactive: bool,
}

/// A row that a person navigates by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The row's number.
    pub row: u32,
    /// Why it is a mark.
    pub kind: MarkKind,
    /// The beginning of its text, at most 120 characters on one line.
    pub short: Text,
}

/// Why a row is a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MarkKind {
    /// Something the person typed.
    Prompt,
    /// A failure.
    Error,
    /// A compaction or another summary.
    Summary,
    /// The source forks here.
    BranchPoint,
}

/// What was used, in the four ways it is summed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageTotals {
    /// Every model call, abandoned ones and subagents too.
    pub total: UsageLine,
    /// Those whose messages are visible.
    pub visible: UsageLine,
    /// The main thread's.
    pub main: UsageLine,
    /// The subagents'.
    pub subagents: UsageLine,
}

/// Tokens and cost, summed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageLine {
    /// The whole input in tokens.
    pub input: u64,
    /// The part read from a cache.
    pub cached: u64,
    /// Output in tokens.
    pub output: u64,
    /// Model calls.
    pub requests: u64,
    /// US dollars, where the log says so.
    pub cost_usd: Option<f64>,
}
