//! The worker: a message loop around [`palimpsest_worker`].

#[cfg(target_arch = "wasm32")]
mod browser;

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    browser::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
