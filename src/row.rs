//! One row.

use std::sync::Arc;

use leptos::prelude::*;
use palimpsest_protocol::Row;
use palimpsest_record::Text;

/// Draws a row; `agent` is the subagent whose conversation it is of, absent for the session's own.
#[component]
pub fn RowView(row: Arc<Row>, agent: Option<Text>) -> impl IntoView {
    let _ = (row, agent);
}
