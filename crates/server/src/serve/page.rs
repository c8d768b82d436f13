//! The files of the built page: how they lie in the binary, and what a response says about each.

use axum::http::HeaderValue;

/// The file that starts the page.
pub(crate) const START: &str = "index.html";

/// What the build script found in `dist/`; empty where the page was not built.
const EMBEDDED: &[Asset] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// One file of the page.
pub(crate) struct Asset {
    /// Its path from the page's folder, with forward slashes: `worker_loader.js`.
    pub(crate) path: &'static str,
    /// Its bytes as they were built.
    pub(crate) identity: Form,
    /// Its bytes in Brotli, where that is smaller.
    pub(crate) brotli: Option<Form>,
}

/// One way to send a file.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// What is sent.
    pub(crate) bytes: &'static [u8],
    /// The entity tag, quotes included: another one for other bytes.
    pub(crate) etag: &'static str,
}

/// A page that can be served: it has a start.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    assets: &'static [Asset],
    start: &'static Asset,
}

impl Page {
    /// The page of this binary, if it was built in.
    pub(crate) fn embedded() -> Option<Self> {
        Self::new(EMBEDDED)
    }

    /// The page made of `assets`, if they have a start.
    pub(crate) fn new(assets: &'static [Asset]) -> Option<Self> {
        let start = assets.iter().find(|asset| asset.path == START)?;
        Some(Self { assets, start })
    }

    /// The text of the start.
    pub(crate) fn html(&self) -> String {
        String::from_utf8_lossy(self.start.identity.bytes).into_owned()
    }

    /// The file at a URL's path. A name of one segment without a dot is a place inside the page, which the page itself
    /// makes sense of; it is only one segment because the page names its files relative to where it is.
    pub(crate) fn at(&self, path: &str) -> Option<&'static Asset> {
        let path = path.strip_prefix('/').unwrap_or(path);
        if !path.contains(['.', '/']) {
            return Some(self.start);
        }
        self.assets.iter().find(|asset| asset.path == path)
    }
}

impl Asset {
    /// Its media type. WebAssembly is compiled while it arrives only if it is named as such.
    pub(crate) fn media_type(&self) -> HeaderValue {
        HeaderValue::from_static(match self.path.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "wasm" => "application/wasm",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "json" | "webmanifest" => "application/json",
            "jsonl" | "txt" => "text/plain; charset=utf-8",
            "woff2" => "font/woff2",
            _ => "application/octet-stream",
        })
    }

    /// How long a browser may use it without asking. Only a name with a hash of the content in it can never go stale:
    /// the worker's files have none, and an old worker does not understand a new page.
    pub(crate) fn cache_control(&self) -> HeaderValue {
        HeaderValue::from_static(if self.is_hashed() {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        })
    }

    /// Trunk writes the hash as up to 16 hexadecimal digits between a dash and a dot or an underscore. A hash that happens
    /// to be shorter than 12 digits is taken for a word, which costs a question to the server and nothing else.
    fn is_hashed(&self) -> bool {
        self.path.split(['.', '_']).any(|part| {
            part.rsplit_once('-').is_some_and(|(_, end)| {
                (12..=16).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_hexdigit())
            })
        })
    }
}
