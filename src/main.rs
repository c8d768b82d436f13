//! The page: a thin shell over the worker.
//!
//! It never parses a log, never learns which provider wrote it, and makes text nodes of whatever the
//! worker says. In reading order:
//! - [`app`]: the frame around every screen; [`store`]: what the page knows
//! - [`client`]: questions to the worker and its answers
//! - [`clock`], [`figures`]: times and numbers as people read them
//! - [`row`], [`panel`]: one row, and what opens beside the rows

#![expect(
    unreachable_pub,
    reason = "a program exports nothing: `pub` means that another part of the page uses it"
)]

mod app;
mod client;
mod clock;
mod figures;
mod panel;
mod row;
mod store;

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
