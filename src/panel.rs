//! What opens beside the rows.

use leptos::prelude::*;
use palimpsest_record::Text;

/// What was read and what was not.
#[component]
pub fn ReceiptPanel() -> impl IntoView {}

/// The lines of the log behind a row.
#[component]
pub fn RawPanel(id: Text) -> impl IntoView {
    let _ = id;
}
