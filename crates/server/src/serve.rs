//! `palimpsest serve`: the built page over HTTP, for the browsers of this machine.
//!
//! - `page`: the files of the page as they lie in the binary
//! - `answer`: one request to one response
//! - `policy`: the security headers
//! - `hosts`: which names this server answers to

use crate::cli::ServeArgs;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use tokio::net::TcpListener;

mod answer;
mod hosts;
mod page;
mod policy;
#[cfg(test)]
mod tests;

/// Tried first, so that the address of the page, and what a browser keeps for it, is the same every day.
const USUAL_PORT: u16 = 7410;

/// Serves until Ctrl-C.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let page = page::Page::embedded().context(
        "this binary was built without the page: `cargo xtask run` builds the page and starts it; \
         `cargo xtask dist` only builds the page and the binary",
    )?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(async {
        let listener = listen(args).await?;
        let port = listener.local_addr().context("cannot tell the port")?.port();
        let url = format!("http://{}/", hosts::authority(&args.host, port));
        announce(&url).context("cannot write the address to standard output")?;
        if args.open {
            open_in_browser(&url);
        }
        let app = answer::app(page, hosts::Hosts::new(&args.host));
        axum::serve(listener, app).with_graceful_shutdown(ctrl_c()).await.context("the server stopped")
    })
}

async fn listen(args: &ServeArgs) -> anyhow::Result<TcpListener> {
    let host = hosts::bare(&args.host);
    let wanted = args.port.unwrap_or(USUAL_PORT);
    match TcpListener::bind((host, wanted)).await {
        Err(error) if args.port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
            eprintln!("Port {USUAL_PORT} is taken, so this is another one.");
            TcpListener::bind((host, 0)).await
        }
        outcome => outcome,
    }
    .with_context(|| format!("cannot listen on {}", hosts::authority(&args.host, wanted)))
}

fn announce(url: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{url}")?;
    out.flush()?;
    eprintln!("Palimpsest is at {url}");
    eprintln!("A sample session is at {url}?sample");
    eprintln!("Ctrl-C ends it.");
    Ok(())
}

async fn ctrl_c() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        // Without the signal handler the system's own Ctrl-C still ends the process.
        eprintln!("palimpsest: cannot listen for Ctrl-C: {error}");
        std::future::pending::<()>().await;
    }
}

fn open_in_browser(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        eprintln!("palimpsest: cannot start a browser with {program}: {error}");
    }
}
