//! A row's text for the clipboard.

use palimpsest_protocol::{BodyPlace, CallState, Part};

use crate::client::{Client, Lost};
use crate::row::{Place, plain};
use crate::store::Store;

/// Bytes of a long text that are asked for at once.
const PIECE: u32 = 256 * 1024;

/// Copies what the row says, without its form.
pub fn text(store: Store, place: &Place) {
    copy(store, place.clone(), "Text", Form::Plain);
}

/// Copies what the row says as the Markdown that it was written in.
pub fn markdown(store: Store, place: &Place) {
    copy(store, place.clone(), "Markdown", Form::Markdown);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Markdown,
}

fn copy(store: Store, place: Place, what: &'static str, form: Form) {
    leptos::task::spawn_local(async move {
        match gather(store.client, &place, form).await {
            Ok(text) => store.copy(what, text),
            Err(reason) => store.say(format!("Nothing was copied: {reason}.")),
        }
    });
}

async fn gather(client: Client, place: &Place, form: Form) -> Result<String, Lost> {
    let mut pieces = Vec::new();
    for (number, part) in place.row.parts.iter().enumerate() {
        let at = place.part(number);
        pieces.push(match part {
            Part::Prose { blocks, full_length: None } if form == Form::Plain => plain::blocks(blocks),
            Part::Prose { .. } => whole(client, at).await?,
            Part::Plain { text, full_length } => {
                let text = match full_length {
                    None => plain::styled(text),
                    Some(_) => whole(client, at).await?,
                };
                if form == Form::Markdown { fenced(&text) } else { text }
            }
            Part::Thinking { .. } | Part::Note { .. } | Part::Agents(_) => continue,
            Part::Call { name, argument, state, .. } => call(name, argument, *state),
            Part::Attachment { label } => format!("[{label}]"),
        });
    }
    Ok(pieces.join("\n\n"))
}

/// A text as it is in the log.
async fn whole(client: Client, place: BodyPlace) -> Result<String, Lost> {
    let mut text = String::new();
    let mut start = 0;
    loop {
        let piece = client.text(place.clone(), false, start, PIECE).await?;
        text.push_str(&plain::styled(&piece.text));
        if piece.end >= piece.total || piece.end <= start {
            return Ok(text);
        }
        start = piece.end;
    }
}

fn call(name: &str, argument: &str, state: CallState) -> String {
    let state = match state {
        CallState::Done => "",
        CallState::Failed => " (failed)",
        CallState::NoResult => " (no result)",
    };
    format!("{name}: {argument}{state}")
}

/// A code block whose fence is longer than any in the text.
fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_holds_what_it_encloses() {
        assert_eq!(fenced("a\n"), "```\na\n```");
        assert_eq!(fenced("````x"), "`````\n````x\n`````");
    }
}
