//! The virtual list: a hundred thousand rows, of which some dozens are in the document.
//!
//! In reading order:
//! - [`model`]: which rows are drawn and where, without a browser; [`heights`], [`estimate`], [`track`]
//!   and [`bodies`] are its parts
//! - [`stage`], [`articles`]: the document brought to what the model says
//! - [`view`]: the elements, and what the person does to them
//!
//! This file carries news between them: every event goes to the model, then one frame is drawn.

mod articles;
mod bodies;
mod estimate;
mod heights;
mod model;
mod stage;
mod track;
pub mod view;

use std::sync::Arc;
use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::task::spawn_local;
use palimpsest_protocol::{Outline, Row};
use palimpsest_record::Text;
use web_sys::HtmlElement;

use crate::client::{Client, Lost, RowWindow};
use model::Model;
use stage::{Measured, Stage};

/// After so long without a scroll event the person has stopped.
const REST: Duration = Duration::from_millis(150);

/// The list. A handle: copy it freely. It outlives its elements, so that the reader comes back to
/// the same place.
#[derive(Clone, Copy)]
pub struct Feed {
    client: Client,
    state: StoredValue<State, LocalStorage>,
    /// The row at the viewport's top.
    pub top_row: RwSignal<usize>,
    /// The first row with a body is in the document.
    pub is_drawn: RwSignal<bool>,
}

#[derive(Default)]
struct State {
    model: Model,
    stage: Option<Stage>,
    /// Counts the sessions: what was asked for an earlier one is of no use.
    session: u32,
    /// Rows have been asked for and have not come.
    is_asking: bool,
    /// A frame will be drawn.
    is_due: bool,
    rest: Option<TimeoutHandle>,
}

impl Feed {
    /// An empty list that asks `client` for its rows.
    pub fn new(client: Client) -> Feed {
        Feed {
            client,
            state: StoredValue::new_local(State::default()),
            top_row: RwSignal::new(0),
            is_drawn: RwSignal::new(false),
        }
    }

    /// Another session: nothing of the one before is kept but the elements.
    pub fn reset(self) {
        self.state.update_value(|state| {
            state.session += 1;
            state.is_asking = false;
            state.model = Model::default();
            if let Some(stage) = &state.stage {
                state.model.resize(stage.viewport());
            }
        });
        self.is_drawn.set(false);
        self.draw();
    }

    /// Takes a new view.
    pub fn take(self, outline: Arc<Outline>) {
        self.state.update_value(|state| state.model.take(outline));
        self.draw();
    }

    /// How many rows there are.
    pub fn len(self) -> usize {
        self.state.with_value(|state| state.model.outline().rows.len())
    }

    /// The row that keys mean: the one with the focus, or else the one that had it last.
    pub fn row_of(self, key: u64) -> Option<usize> {
        self.state.with_value(|state| state.model.row_of(key, self.top_row.get_untracked()))
    }

    /// Whether a part of a row is in sight.
    pub fn is_in_sight(self, row: usize) -> bool {
        self.state.with_value(|state| state.model.is_partly_in_sight(row))
    }

    /// The id of a row's message, where its body is at hand.
    pub fn id_of(self, key: u64) -> Option<Text> {
        self.state.with_value(|state| state.model.body(key).map(|row: &Row| row.id.clone()))
    }

    /// Gives a row the focus and brings it into sight, where it is not.
    pub fn focus_row(self, row: usize) {
        self.go_to(row, |model| model.is_in_sight(row));
    }

    /// Gives a row the focus and brings it to the top.
    pub fn show_row(self, row: usize) {
        self.go_to(row, |_| false);
    }

    /// Gives the last row the focus and shows the end of it.
    pub fn focus_end(self) {
        let last = self.len().saturating_sub(1);
        self.state.update_value(|state| state.model.go_to_end());
        self.go_to(last, |_| true);
    }

    fn go_to(self, row: usize, stays: impl FnOnce(&Model) -> bool) {
        let key = self.state.try_update_value(|state| {
            let model = &mut state.model;
            if !stays(model) {
                model.go_to(row);
            }
            let key = model.outline().rows.get(row).map(|hint| hint.key);
            model.focus(key);
            key
        });
        self.draw();
        self.focus_element(|stage| stage.article(key.flatten()?));
    }

    /// Gives the focus to the list as a whole, so that the arrow keys scroll it.
    pub fn focus_list(self) {
        self.focus_element(|stage| Some(stage.scroller()));
    }

    /// The same, where nothing else has it.
    pub fn focus_list_if_none(self) {
        if document().active_element().is_none_or(|element| element.tag_name() == "BODY") {
            self.focus_list();
        }
    }

    /// The elements are there. A row that was gone to before has the focus from now on.
    fn enter(self, stage: Stage) {
        self.state.update_value(|state| {
            state.model.resize(stage.viewport());
            state.stage = Some(stage);
        });
        self.draw();
        let focused = self.state.with_value(|state| state.model.focused());
        self.focus_element(|stage| stage.article(focused?));
    }

    /// The elements go.
    fn leave(self) {
        drop(self.state.try_update_value(|state| state.stage.take()));
    }

    /// The scroll bar has moved.
    fn scrolled(self) {
        self.state.update_value(|state| {
            let Some(stage) = &mut state.stage else { return };
            state.model.scrolled(stage.scroll());
            if let Some(rest) = state.rest.take() {
                rest.clear();
            }
            state.rest = set_timeout_with_handle(move || self.rested(), REST).ok();
        });
        self.draw();
    }

    fn rested(self) {
        self.state.update_value(|state| state.model.rested());
        self.place();
    }

    /// Rows, or the viewport, have another size. It comes between layout and paint: what is drawn is
    /// only put in its place now, and rows come and go in the next frame, or the browser would have
    /// to measure again.
    fn measured(self, measured: Measured) {
        self.state.update_value(|state| {
            if let Some(viewport) = measured.viewport {
                state.model.resize(viewport);
            }
            state.model.measure(&measured.rows);
        });
        self.place();
        self.draw_soon();
    }

    /// The person has turned to the rows themselves.
    fn touched(self) {
        self.state.update_value(|state| state.model.touched());
    }

    /// The focus is in this row, or in none.
    fn focused(self, key: Option<u64>) {
        self.state.update_value(|state| state.model.focus(key));
    }

    fn draw_soon(self) {
        let was_due = self.state.try_update_value(|state| std::mem::replace(&mut state.is_due, true));
        if was_due == Some(false) {
            request_animation_frame(move || {
                self.state.update_value(|state| state.is_due = false);
                self.draw();
            });
        }
    }

    fn draw(self) {
        let drawn = self.state.try_update_value(|state| {
            let stage = state.stage.as_mut()?;
            let frame = state.model.frame();
            let measured = stage.draw(&frame, state.model.outline().rows.len());
            state.model.measure(&measured);
            stage.place(&state.model.layout());
            let has_body = frame.slots.iter().any(|slot| slot.body.is_some());
            Some((state.model.top_row(), has_body, frame.is_more || !measured.is_empty()))
        });
        let Some((top_row, has_body, is_more)) = drawn.flatten() else { return };
        if self.top_row.get_untracked() != top_row {
            self.top_row.set(top_row);
        }
        if has_body && !self.is_drawn.get_untracked() {
            self.is_drawn.set(true);
        }
        // What was measured may have made room for more.
        if is_more {
            self.draw_soon();
        }
        self.ask();
    }

    fn place(self) {
        self.state.update_value(|state| {
            let frame = state.model.layout();
            if let Some(stage) = &mut state.stage {
                stage.place(&frame);
            }
        });
    }

    /// Asks for the rows that are missing, one window at a time: what has left the screen before
    /// its turn comes is never asked for.
    fn ask(self) {
        let wanted = self.state.try_update_value(|state| {
            let range = if state.is_asking { None } else { state.model.wanted() }?;
            state.is_asking = true;
            Some((state.session, state.model.outline().view, range))
        });
        let Some((session, view, range)) = wanted.flatten() else { return };
        spawn_local(async move {
            let answer = self.client.rows(view, range.start as u32, range.end as u32).await;
            self.answered(session, view, answer);
        });
    }

    fn answered(self, session: u32, view: u32, answer: Result<RowWindow, Lost>) {
        let is_useful = self.state.try_update_value(|state| {
            if state.session != session {
                return false;
            }
            state.is_asking = false;
            match answer {
                Ok(window) if !window.rows.is_empty() => {
                    state.model.insert(view, window.rows);
                    true
                }
                // A newer view is here, or it will be drawn when it comes.
                _ => state.model.outline().view != view,
            }
        });
        if is_useful == Some(true) {
            self.draw();
        }
    }

    /// Gives the focus to an element. That tells the list at once where the focus is, so the state
    /// must not be in use then.
    fn focus_element(self, find: impl FnOnce(&Stage) -> Option<HtmlElement>) {
        let element = self.state.with_value(|state| state.stage.as_ref().and_then(find));
        element.as_ref().map(stage::focus);
    }
}
