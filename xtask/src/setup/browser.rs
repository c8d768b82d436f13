//! What the browser journeys need: packages from npm, and Chromium.

use super::Need;
use crate::shell;
use anyhow::bail;

/// The names that Chromium and Chrome are installed under.
const CHROMIUM_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// `wasm-opt`, which makes the page smaller, is among them.
pub(super) const PACKAGES: Need = Need {
    name: "the packages of the browser tests",
    is_there: || {
        let mut npm = shell::command("npm");
        shell::output(npm.args(["ls", "--silent"]).current_dir(shell::e2e())).is_some()
    },
    get: || {
        if shell::find(&["npm"]).is_none() {
            bail!("Node.js 20.12 or newer, with npm, is not installed");
        }
        let mut npm = shell::command("npm");
        shell::run(npm.args(["ci", "--silent"]).current_dir(shell::e2e()))
    },
    by_hand: || "npm ci --prefix tests/e2e (with Node.js 20.12 or newer)".to_owned(),
};

pub(super) const CHROMIUM: Need = Need {
    name: "Chromium",
    is_there: || std::env::var_os("CHROMIUM").is_some() || shell::find(&CHROMIUM_NAMES).is_some(),
    get: || {
        if !shell::may_use_apt() {
            bail!("only root can install Debian's packages, and only on Debian");
        }
        shell::apt_install(&["chromium"])
    },
    by_hand: || {
        "sudo apt-get install chromium (or set CHROMIUM to the path of a Chromium or Chrome)".to_owned()
    },
};
