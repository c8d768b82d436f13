//! From transcript records to what a person reads.
//!
//! Values in, values out: nothing here knows a provider, a file, a clock or a browser, looks into a
//! text, or decides by a tool's name. In reading order:
//! - [`set`]: [`RecordSet`], the records of one session, upserted by id
//! - [`rows`]: the same as table-shaped rows, for a store; rows become records again
//! - [`assemble`]: [`assemble_session_detail`], the only way from records to a session detail
//! - [`detail`]: [`SessionDetail`] and its parts; their JSON is what `palimpsest read --json` prints
//! - [`report`]: the detail and the receipt in one object
//! - [`patch`]: [`diff`] and [`apply`] between two session details
//!
//! What assembly is made of: `relations` (who belongs to whom, by id), `conversations` (main thread
//! and agents), `fold` (which messages become one item), `items` (builds them), `join` (several
//! texts as one), `usage` (each model call once), `surroundings` (head, summaries, workflows).

pub mod assemble;
pub mod detail;
pub mod patch;
pub mod report;
pub mod rows;
pub mod set;

mod conversations;
mod fold;
mod items;
mod join;
mod relations;
mod surroundings;
mod usage;

#[cfg(test)]
mod tests;

pub use assemble::{AssemblyError, AssemblyOptions, assemble_session_detail, reassemble};
pub use detail::{
    AgentLink, BranchPoint, Capabilities, Counts, Item, ItemCall, ItemResult, Place, RunLink, SessionDetail,
    SessionHead, SubagentDetail, SummaryItem, UsageReport, UsageTotals, WorkflowDetail,
};
pub use patch::{ListPatch, Patch, Step, apply, diff};
pub use report::Report;
pub use rows::Rows;
pub use set::RecordSet;
