//! What became of every line of the log. The numbers add up, or it is said that they do not.

use leptos::prelude::*;
use palimpsest_protocol::{LineClass, ReceiptSummary};
use palimpsest_record::Text;

use crate::figures;
use crate::panel::lines::lines;
use crate::row::fold::{Look, disclosure};
use crate::store::use_store;

/// The receipt of the log that is open.
pub fn receipt() -> AnyView {
    let store = use_store();
    // A session that is still being read changes its receipt; what is opened stays open as long as
    // the numbers stay.
    let summary = Memo::new(move |_| {
        store
            .outline
            .with(|outline| outline.as_ref().map(|outline| outline.receipt.clone()))
            .unwrap_or_default()
    });
    let shown = move || {
        let receipt = summary.get();
        view! { {sums(&receipt)} {classes(&receipt)} }
    };
    shown.into_any()
}

fn sums(receipt: &ReceiptSummary) -> AnyView {
    let sum = |types: &[(Text, u64)]| types.iter().map(|(_, lines)| lines).sum::<u64>();
    let (not_shown, unknown) = (sum(&receipt.not_shown), sum(&receipt.unknown));
    let rows = [
        ("Became a message or another record", receipt.read),
        ("Joined another line's record", receipt.merged),
        ("Known, with nothing to show", not_shown),
        ("Of an unknown type", unknown),
        ("Damaged", receipt.damaged),
    ];
    let total: u64 = rows.iter().map(|(_, lines)| lines).sum();
    let rows: Vec<AnyView> = rows
        .into_iter()
        .map(|(words, lines)| {
            view! { <tr><th scope="row">{words}</th><td>{figures::count(lines)}</td></tr> }.into_any()
        })
        .collect();
    let missing = total.abs_diff(receipt.lines);
    let missing = (missing > 0).then(|| {
        let lines = figures::of(missing, "line is", "lines are");
        view! { <p class="lost">{format!("These numbers do not add up: {lines} unaccounted for.")}</p> }
    });
    let unattached = (receipt.unattached_results > 0).then(|| {
        let results = figures::of(receipt.unattached_results, "result belongs", "results belong");
        view! { <p>{format!("{results} to a call that is nowhere in the log.")}</p> }
    });
    view! {
        <table class="receipt-sums">
            <tbody>{rows}</tbody>
            <tfoot>
                <tr><th scope="row">"Lines that are not blank"</th><td>{figures::count(receipt.lines)}</td></tr>
            </tfoot>
        </table>
        {missing}
        {unattached}
    }
    .into_any()
}

/// Every class of lines that no message shows, each opening into its lines.
fn classes(receipt: &ReceiptSummary) -> AnyView {
    let damaged = (receipt.damaged > 0).then(|| class("Damaged lines", receipt.damaged, LineClass::Damaged));
    let of_types = |types: &[(Text, u64)], of: fn(String) -> LineClass| -> Vec<AnyView> {
        types.iter().map(|(name, lines)| class(name, *lines, of(name.as_str().to_owned()))).collect()
    };
    let unknown = of_types(&receipt.unknown, LineClass::Unknown);
    let not_shown = of_types(&receipt.not_shown, LineClass::NotShown);
    view! {
        {section("Damaged", damaged.into_iter().collect())}
        {section("Unknown types", unknown)}
        {section("Known types with nothing to show", not_shown)}
    }
    .into_any()
}

fn section(title: &'static str, classes: Vec<AnyView>) -> Option<AnyView> {
    (!classes.is_empty()).then(|| view! { <h3>{title}</h3> {classes} }.into_any())
}

fn class(name: &str, count: u64, class: LineClass) -> AnyView {
    let is_open = RwSignal::new(false);
    let name = if name.is_empty() { "(no type)" } else { name };
    let line = view! {
        <b class="fold-name">{name.to_owned()}</b>
        <span class="fold-tail">{figures::of(count, "line", "lines")}</span>
    };
    let toggle = move || is_open.update(|open| *open = !*open);
    disclosure(Look::Plain, move || is_open.get(), toggle, line.into_any(), move || lines(class.clone()))
}
