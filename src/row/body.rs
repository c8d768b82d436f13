//! The body of a fold: asked for when the fold is opened first, and kept while its row is there.

use leptos::prelude::*;
use palimpsest_protocol::styled::Styled;
use palimpsest_protocol::{BodyPlace, PartBody, weight};

use crate::client::Lost;
use crate::row::answer::{lost, waiting};
use crate::row::folds::{FoldKey, Side, What};
use crate::row::long::{Rest, long};
use crate::row::styled::styled;
use crate::row::{clip, parts, plain};
use crate::store::{Store, use_store};

/// A fold's body, asked for or not.
pub struct Body {
    /// The fold.
    pub key: FoldKey,
    kept: StoredValue<Option<PartBody>>,
}

/// The body of the fold at this place, not asked for yet.
pub fn opened(place: BodyPlace) -> Body {
    Body { key: FoldKey::new(place, What::Body), kept: StoredValue::new(None) }
}

impl Body {
    /// Shows it, and asks for it where that has not been done.
    pub fn view(&self) -> AnyView {
        let place = self.key.place.clone();
        if let Some(body) = self.kept.get_value() {
            return drawn(place, body);
        }
        let Store { client, folds, .. } = use_store();
        let (kept, asked, key) = (self.kept, place.clone(), self.key.clone());
        let answer: LocalResource<Result<PartBody, Lost>> = LocalResource::new(move || {
            let answer = client.part(asked.clone());
            let key = key.clone();
            async move {
                let body = answer.await?;
                folds.weigh(&key, weight_of(&body));
                // The row may be gone by now.
                kept.try_set_value(Some(body.clone()));
                Ok(body)
            }
        });
        let shown = move || match answer.get() {
            None => waiting(),
            Some(Err(reason)) => lost(&reason),
            Some(Ok(body)) => drawn(place.clone(), body),
        };
        shown.into_any()
    }
}

/// Bytes that a body adds to its row while no more of it is asked for.
fn weight_of(body: &PartBody) -> u64 {
    /// What is around a text: its frame, label and buttons.
    const FRAME: usize = 512;
    let text = |bytes: usize| FRAME + bytes.min(clip::BYTES);
    let bytes = match body {
        PartBody::Prose { blocks, .. } => text(weight::of_blocks(blocks)),
        PartBody::Call { input, output, attachments, .. } => {
            let texts = [Some(input), output.as_ref()].into_iter().flatten().filter(|text| !text.is_empty());
            texts.map(|shown| text(weight::of_runs(shown))).sum::<usize>() + FRAME * attachments.len()
        }
    };
    bytes as u64
}

fn drawn(place: BodyPlace, body: PartBody) -> AnyView {
    match body {
        PartBody::Prose { blocks, .. } if blocks.is_empty() => {
            view! { <p class="lost">"There is no text in the log."</p> }.into_any()
        }
        PartBody::Prose { blocks, full_length } => parts::prose(place, blocks, full_length),
        PartBody::Call { input, input_length, output, output_length, attachments } => {
            // The output of a command that a person ran has no input here.
            let given =
                (!input.is_empty()).then(|| verbatim(place.clone(), Side::Input, input, input_length));
            let got = match output {
                Some(output) if output.is_empty() => view! { <p class="lost">"No output."</p> }.into_any(),
                Some(output) => verbatim(place, Side::Output, output, output_length),
                None => view! { <p class="lost">"It never got a result."</p> }.into_any(),
            };
            let attachments: Vec<AnyView> =
                attachments.iter().map(|label| parts::attachment(label)).collect();
            view! { {given} {got} {attachments} }.into_any()
        }
    }
}

/// What a call was given or gave back.
fn verbatim(place: BodyPlace, side: Side, text: Vec<Styled>, full_length: Option<u64>) -> AnyView {
    let store = use_store();
    let label = match side {
        Side::Input => "Input",
        Side::Output => "Output",
    };
    let clip = clip::styled(&text);
    let rest = Rest::of(&clip, full_length);
    let copied = text.clone();
    let draw = move |text: &[Styled]| {
        view! { <pre class="verbatim" tabindex="0" role="group" aria-label=label>{styled(text)}</pre> }
            .into_any()
    };
    let shown = long(place, side, rest, move || draw(&clip.shown), move || draw(&text));
    view! {
        <div class="code">
            <div class="code-head">
                <span>{label}</span>
                <button type="button" on:click=move |_| store.copy(label, plain::styled(&copied))>"copy"</button>
            </div>
            {shown}
        </div>
    }
    .into_any()
}
