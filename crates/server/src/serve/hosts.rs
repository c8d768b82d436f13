//! Which names this server answers to.
//!
//! A web page can point a name of its own at 127.0.0.1 (DNS rebinding) and then read this server as if it were its
//! own. The browser still sends the page's name in `Host`, so answering only to the names below closes that door.

use std::net::{IpAddr, Ipv6Addr};

/// The names that every server bound to this machine may be called by.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The names in `Host` that are answered.
#[derive(Clone)]
pub(crate) struct Hosts {
    given: String,
    /// Bound to every address of the machine, so called by any of them. An address cannot be rebound: only names can.
    any_address: bool,
}

impl Hosts {
    /// For a server that was told to listen on `host`: an address, or a name.
    pub(crate) fn new(host: &str) -> Self {
        let any_address = bare(host).parse().is_ok_and(|address: IpAddr| address.is_unspecified());
        Self { given: bracketed(host), any_address }
    }

    /// Whether a request whose `Host` header is `header` (`name`, `name:port`, `[v6]:port`) is answered.
    pub(crate) fn allow(&self, header: &str) -> bool {
        let name = without_port(header).to_ascii_lowercase();
        LOOPBACK.contains(&name.as_str())
            || name == self.given
            || (self.any_address && bare(&name).parse::<IpAddr>().is_ok())
    }
}

/// `host:port` as a URL has it. A server on every address is named by the loopback one.
pub(crate) fn authority(host: &str, port: u16) -> String {
    match bare(host).parse::<IpAddr>() {
        Ok(address) if address.is_unspecified() => format!("127.0.0.1:{port}"),
        _ => format!("{}:{port}", bracketed(host)),
    }
}

/// The host without the brackets of an IPv6 address, as the system's resolver takes it.
pub(crate) fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

fn bracketed(host: &str) -> String {
    let host = bare(host).to_ascii_lowercase();
    if host.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host }
}

fn without_port(header: &str) -> &str {
    match header.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => header,
    }
}
