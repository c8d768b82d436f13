//! What `palimpsest read --json` prints and what the page can save: the detail and the receipt.

use serde::Serialize;

use crate::SessionDetail;

/// The session detail with the receipt of its logs behind it.
#[derive(Debug, Serialize)]
pub struct Report<'a, R> {
    /// The session detail; its fields are the report's own.
    #[serde(flatten)]
    pub detail: &'a SessionDetail,
    /// What became of every line.
    pub receipt: R,
}
