//! The transcript record language: provider-normalised facts, the unit that is stored and sent.
//!
//! Nothing here knows a provider, a browser, a clock or a file. In reading order:
//! - [`mod@escape`] – escapes in JSON strings
//! - [`mod@text`] – shared text and raw JSON, the two shapes that log content comes in
//! - [`mod@time`] – instants
//! - [`mod@order`] – sorting
//! - [`mod@span`] – where in a log a record came from
//! - [`mod@usage`] – tokens and cost of model calls
//! - [`mod@visibility`] – visible, inactive, hidden, and what superseded a record
//! - [`mod@message`], [`mod@tool`], [`mod@session`], [`mod@agent`] – the facts
//! - [`mod@record`] – the ten kinds in one enum, and their JSON form

pub mod agent;
pub mod escape;
pub mod message;
pub mod order;
pub mod record;
pub mod session;
pub mod span;
pub mod text;
pub mod time;
pub mod tool;
pub mod usage;
pub mod visibility;

pub use agent::{Subagent, Workflow, WorkflowAgent};
pub use message::{Block, ContentType, Message, MessageType};
pub use record::TranscriptRecord;
pub use session::{CountMode, DeleteSession, LogProvenance, ModelUsage, Session, TurnDuration};
pub use span::Span;
pub use text::{Json, PREVIEW_LIMIT, Preview, Text};
pub use time::Timestamp;
pub use tool::{Presentation, Summary, ToolCall, ToolResult};
pub use usage::Usage;
pub use visibility::{Superseded, SupersededBy, Visibility};
