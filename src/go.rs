//! Getting to a message: by its id, by a mark, by a step.

use leptos::prelude::*;
use leptos::task::spawn_local;
use palimpsest_protocol::{Mark, MarkKind, Request, Response};

use crate::client::Lost;
use crate::link;
use crate::store::{Screen, Store};

/// Rows can be exchanged between the question where a message is and its answer: then it is asked
/// again, so often.
const TRIES: usize = 4;

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Towards the end.
    Down,
    /// Towards the beginning.
    Up,
}

/// Shows the row of a message and gives it the focus; says so where there is none.
pub fn to_message(store: Store, id: String) {
    spawn_local(async move {
        match find(store, &id).await {
            Ok(Some(row)) => arrive(store, row),
            Ok(None) => store.say(format!("This session has no message {id}")),
            // Nothing is open any more: that has been said.
            Err(_) => {}
        }
    });
}

/// Goes to the message that the address names, once it is there.
pub fn to_wanted(store: Store, is_complete: bool) {
    let Some(wanted) = store.wanted.get_untracked() else { return };
    spawn_local(async move {
        for id in link::candidates(&wanted) {
            match find(store, &id).await {
                Ok(Some(row)) => {
                    store.wanted.set(None);
                    return arrive(store, row);
                }
                Ok(None) => {}
                Err(_) => return,
            }
        }
        if is_complete && store.wanted.get_untracked().is_some() {
            store.wanted.set(None);
            store.say(format!("This session has no message {wanted}"));
        }
    });
}

/// The row of a message in the current view.
async fn find(store: Store, id: &str) -> Result<Option<usize>, Lost> {
    for _ in 0..TRIES {
        match store.client.ask(Request::Find { id: id.to_owned() }).await? {
            Response::Found { view, row } => {
                let is_current = store
                    .outline
                    .with_untracked(|outline| outline.as_ref().is_some_and(|outline| outline.view == view));
                if is_current {
                    return Ok(row.map(|row| row as usize));
                }
            }
            _ => return Err(Lost::Unfit),
        }
    }
    Ok(None)
}

fn arrive(store: Store, row: usize) {
    store.screen.set(Screen::Reading);
    store.feed.show_row(row);
}

/// To the next message, or the one before.
pub fn to_neighbour(store: Store, way: Way) {
    let last = store.feed.len().saturating_sub(1);
    let row = match (place(store), way) {
        (Place::Selected(row), Way::Down) => row + 1,
        (Place::Selected(row), Way::Up) => row.saturating_sub(1),
        // Nothing is selected: the first key selects what is read.
        (Place::Read(row), _) => row,
    };
    store.feed.focus_row(row.min(last));
}

/// To the next prompt, or the one before.
pub fn to_prompt(store: Store, way: Way) {
    let Some(outline) = store.outline.get_untracked() else { return };
    if let Some(row) = next_prompt(&outline.marks, place(store), way) {
        store.feed.show_row(row);
    }
}

/// Where the person is: a selection that was scrolled away is not meant any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the selected row.
    Selected(usize),
    /// No row is selected: at the top of what is seen.
    Read(usize),
}

fn place(store: Store) -> Place {
    match store.selected.get_untracked().and_then(|key| store.feed.row_of(key)) {
        Some(row) if store.feed.is_in_sight(row) => Place::Selected(row),
        _ => Place::Read(store.feed.top_row.get_untracked()),
    }
}

/// The nearest prompt that way. From a row that is only read, one that begins there counts, too.
fn next_prompt(marks: &[Mark], place: Place, way: Way) -> Option<usize> {
    let prompts = marks.iter().filter(|mark| mark.kind == MarkKind::Prompt).map(|mark| mark.row as usize);
    match (place, way) {
        (Place::Selected(here), Way::Down) => prompts.into_iter().find(|&row| row > here),
        (Place::Read(here), Way::Down) => prompts.into_iter().find(|&row| row >= here),
        (Place::Selected(here) | Place::Read(here), Way::Up) => prompts.take_while(|&row| row < here).last(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts() {
        let mark = |(row, kind): &(u32, MarkKind)| Mark { row: *row, kind: *kind, short: "".into() };
        let marks: Vec<Mark> = [
            (0, MarkKind::Prompt),
            (3, MarkKind::Error),
            (5, MarkKind::Prompt),
            (5, MarkKind::BranchPoint),
            (9, MarkKind::Prompt),
        ]
        .iter()
        .map(mark)
        .collect();
        let check = |place, way, want: Option<usize>| {
            assert_eq!(next_prompt(&marks, place, way), want, "{place:?} {way:?}")
        };
        check(Place::Read(0), Way::Down, Some(0));
        check(Place::Selected(0), Way::Down, Some(5));
        check(Place::Selected(5), Way::Down, Some(9));
        check(Place::Selected(9), Way::Down, None);
        check(Place::Selected(9), Way::Up, Some(5));
        check(Place::Read(4), Way::Up, Some(0));
        check(Place::Selected(0), Way::Up, None);
    }
}
