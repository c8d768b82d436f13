//! What crosses a boundary: the messages between the page and its worker.
//!
//! The page is a thin shell. It holds an [`Outline`] (twelve bytes a row) and asks for the bodies
//! of the rows in view; a fold's body, the rest of a long text and the raw lines of a record are
//! asked for when they are opened. In reading order:
//! - [`envelope`]: how a message is packed, and the build id that both sides must share
//! - [`request`], [`response`]: the messages
//! - [`outline`]: every row's key, kind, size and marks, sent at once
//! - [`row`]: what one row shows
//! - [`markdown`], [`styled`]: text that is already parsed, so that the page only makes text nodes
//! - [`weight`]: how much of the document a text takes

pub mod envelope;
pub mod markdown;
pub mod outline;
pub mod request;
pub mod response;
pub mod row;
pub mod styled;
pub mod weight;

pub use envelope::{BUILD_ID, Envelope, EnvelopeError};
pub use outline::{Mark, MarkKind, Outline, RowHint, SessionHead, UsageLine, UsageTotals};
pub use request::{BodyPlace, LineClass, Request};
pub use response::{
    LineList, LineRef, RawText, ReceiptSummary, Response, SessionChoice, SessionFacts, TextWindow,
};
pub use row::{AgentLine, CallState, Part, PartBody, Row, RowKind};
