//! What was read, and what it used: two quiet lines at the end of the screen.

use leptos::prelude::*;
use palimpsest_protocol::{ReceiptSummary, UsageTotals};

use crate::figures;
use crate::store::{Panel, use_store};

/// The receipt in short, which opens it, and the tokens.
#[component]
pub fn Totals() -> impl IntoView {
    let store = use_store();
    let receipt = Memo::new(move |_| store.outline.get().map(|outline| outline.receipt.clone()));
    let usage = Memo::new(move |_| store.outline.get().map(|outline| outline.usage.clone()));
    let missing = Memo::new(move |_| store.outline.get().and_then(|outline| outline.notice.clone()));
    let open = move |_| store.panel.set(Some(Panel::Receipt));
    view! {
        <div class="totals">
            {move || missing.get().map(|missing| view! { <p class="missing">{missing}</p> })}
            <p class="usage">{move || usage.get().and_then(|usage| spent(&usage))}</p>
            {move || receipt.get().map(|receipt| {
                let words = Words::of(&receipt);
                view! {
                    <button type="button" class="receipt-button" data-damaged=words.is_damaged on:click=open>
                        {words.read} {words.not_understood}
                    </button>
                }
            })}
        </div>
    }
}

/// The receipt in a few words.
#[derive(Debug, PartialEq)]
struct Words {
    read: String,
    not_understood: String,
    is_damaged: bool,
}

impl Words {
    fn of(receipt: &ReceiptSummary) -> Words {
        let unknown: u64 = receipt.unknown.iter().map(|(_, count)| count).sum();
        let not_understood = unknown + receipt.damaged;
        Words {
            read: format!("{} read", figures::of(receipt.lines, "line", "lines")),
            not_understood: if not_understood > 0 {
                format!(" · {} not understood", figures::count(not_understood))
            } else {
                String::new()
            },
            is_damaged: receipt.damaged > 0,
        }
    }
}

/// Tokens and cost, as far as the log says.
fn spent(usage: &UsageTotals) -> Option<String> {
    if usage.total.input + usage.total.output == 0 {
        return None;
    }
    let mut words =
        format!("{} in, {} out", figures::tokens(usage.total.input), figures::tokens(usage.total.output));
    if usage.subagents.requests > 0 {
        let of_agents = usage.subagents.input + usage.subagents.output;
        words.push_str(&format!(" · {} of it by subagents", figures::tokens(of_agents)));
    }
    if let Some(cost) = usage.total.cost_usd {
        words.push_str(&format!(" · {}", figures::dollars(cost)));
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palimpsest_protocol::UsageLine;

    #[test]
    fn the_receipt_in_short() {
        let check = |receipt: ReceiptSummary, want: &str, is_damaged: bool| {
            let words = Words::of(&receipt);
            assert_eq!(
                (format!("{}{}", words.read, words.not_understood).as_str(), words.is_damaged),
                (want, is_damaged)
            );
        };
        check(ReceiptSummary { lines: 1, ..Default::default() }, "1 line read", false);
        check(
            ReceiptSummary { lines: 12_408, damaged: 3, ..Default::default() },
            "12,408 lines read · 3 not understood",
            true,
        );
        let unknown = vec![("a".into(), 1_000), ("b".into(), 1)];
        check(
            ReceiptSummary { lines: 2_000, unknown, ..Default::default() },
            "2,000 lines read · 1,001 not understood",
            false,
        );
    }

    #[test]
    fn what_was_used() {
        let line = |input, output, requests, cost_usd| UsageLine {
            input,
            output,
            requests,
            cost_usd,
            ..UsageLine::default()
        };
        let check = |total, subagents, want: Option<&str>| {
            let usage = UsageTotals { total, subagents, ..UsageTotals::default() };
            assert_eq!(spent(&usage).as_deref(), want);
        };
        check(line(0, 0, 0, None), line(0, 0, 0, None), None);
        check(line(8_400, 1_100, 3, None), line(0, 0, 0, None), Some("8.4k in, 1.1k out"));
        check(
            line(182_000, 21_000, 9, Some(1.5)),
            line(17_000, 1_000, 4, None),
            Some("182k in, 21k out · 18k of it by subagents · $1.50"),
        );
    }
}
