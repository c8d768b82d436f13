//! The page: a thin shell over the worker.
//!
//! It never parses a log, never learns which provider wrote it, and makes text nodes of whatever the
//! worker says. In reading order:
//! - [`app`]: the frame around every screen; [`store`]: what the page knows; [`settings`]: what is kept
//! - [`intake`]: files come in; [`open`]: from files to a session; [`client`]: the line to the worker
//! - [`home`], [`opening`], [`sessions`], [`failed`], [`reader`], [`help`]: the screens
//! - [`feed`]: the virtual list; [`row`]: one row in it; [`panel`]: what opens beside the rows
//! - [`go`], [`link`]: getting to a message; [`keys`], [`commands`]: by keys
//! - [`clock`], [`figures`]: times and numbers as people read them

#![expect(
    unreachable_pub,
    reason = "a program exports nothing: `pub` means that another part of the page uses it"
)]

mod app;
mod client;
mod clock;
mod commands;
mod failed;
mod feed;
mod figures;
mod go;
mod help;
mod home;
mod intake;
mod keys;
mod link;
mod open;
mod opening;
mod panel;
mod reader;
mod row;
mod sessions;
mod settings;
mod store;

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
