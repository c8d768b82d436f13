//! What has to be on the machine beside Rust: what is there is left alone, what can be got is got, and what cannot is named with
//! the command that gets it.
//!
//! - `wasm_target`: a compiler for the browser
//! - `page_tools`: what builds the page
//! - `browser`: what the browser journeys need

use anyhow::Context as _;

mod browser;
mod page_tools;
mod wasm_target;

pub(crate) use wasm_target::{Compiler, default_compiler_has_wasm, use_debian_compiler};

/// One thing that has to be there, and how it gets there.
struct Need {
    /// What a person calls it.
    name: &'static str,
    /// Whether it is there, in the version that we need.
    is_there: fn() -> bool,
    /// Tries to get it.
    get: fn() -> anyhow::Result<()>,
    /// What a person types to get it.
    by_hand: fn() -> String,
}

/// What builds the page. The compiler is what it was found with.
pub(crate) fn for_page() -> anyhow::Result<Compiler> {
    for need in [&wasm_target::NEED, &page_tools::TRUNK, &page_tools::WASM_BINDGEN] {
        provide(need)?;
    }
    // An optimisation: without it the build says so and goes on.
    if let Err(error) = provide(&browser::PACKAGES) {
        eprintln!("  {error:#}");
    }
    wasm_target::compiler().context("no compiler for the browser was found")
}

/// What builds the page and checks it.
pub(crate) fn everything() -> anyhow::Result<()> {
    for_page()?;
    provide(&browser::PACKAGES)?;
    provide(&browser::CHROMIUM)?;
    eprintln!("  Everything is here.");
    Ok(())
}

fn provide(need: &Need) -> anyhow::Result<()> {
    if (need.is_there)() {
        return Ok(());
    }
    let missing = || format!("{} is missing; this gets it: {}", need.name, (need.by_hand)());
    eprintln!("  Getting {}", need.name);
    (need.get)().with_context(missing)?;
    if (need.is_there)() { Ok(()) } else { Err(anyhow::Error::msg(missing())) }
}
