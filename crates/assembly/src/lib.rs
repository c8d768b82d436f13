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

pub mod assemble;
pub mod detail;
pub mod patch;
pub mod report;
pub mod rows;
pub mod set;

pub use assemble::{AssemblyError, AssemblyOptions, assemble_session_detail, reassemble};
pub use detail::{
    AgentLink, BranchPoint, Capabilities, Counts, Item, ItemCall, ItemResult, Place, RunLink, SessionDetail,
    SessionHead, SubagentDetail, SummaryItem, UsageReport, UsageTotals, WorkflowDetail,
};
pub use patch::{ListPatch, Patch, Step, apply, diff};
pub use report::Report;
pub use rows::Rows;
pub use set::RecordSet;
