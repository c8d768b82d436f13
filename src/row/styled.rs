//! Text with a terminal's colours as elements.

use leptos::prelude::*;
use palimpsest_protocol::styled::{Style, Styled};

use crate::row::plain;

/// Most runs that get elements of their own. Terminals paint a few hundred in a screenful; a log
/// that changes colour with every letter is shown without.
const MOST_RUNS: usize = 2_000;

/// The elements of `text`.
pub fn styled(text: &[Styled]) -> AnyView {
    if text.len() > MOST_RUNS {
        return plain::styled(text).into_any();
    }
    text.iter().map(run).collect::<Vec<_>>().into_any()
}

fn run(run: &Styled) -> AnyView {
    let text = run.text.as_str().to_owned();
    if run.style == Style::default() {
        return text.into_any();
    }
    let Style { colour, bold, faint, italic, underline, control } = run.style;
    if control {
        return view! { <span class="control">{text}</span> }.into_any();
    }
    view! {
        <span
            class="styled"
            data-colour=colour.filter(|colour| *colour < 16).map(|colour| colour.to_string())
            data-bold=bold
            data-faint=faint
            data-italic=italic
            data-underline=underline
        >
            {text}
        </span>
    }
    .into_any()
}
