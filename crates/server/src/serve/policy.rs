//! The security headers: what a browser may do with what it gets from here.
//!
//! The page shows logs that others wrote. Should markup of a log ever reach the page as markup, these headers leave it
//! nothing to do: no script but our own, no request but to this server, no frame, no form.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// Headers that do not depend on the page. The embedder and opener policies isolate the page from other sites' windows;
/// browsers give precise clocks and memory figures, which our measurements need, to isolated pages only.
const FIXED: [(HeaderName, &str); 6] = [
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// The headers of every response, for a page whose `index.html` is `html`.
pub(crate) fn headers(html: &str) -> HeaderMap {
    let mut headers: HeaderMap =
        FIXED.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    // The policy is made of fixed words and base64, which is always a header value; were it not, no script may run.
    let policy = HeaderValue::try_from(content_security_policy(html))
        .unwrap_or(HeaderValue::from_static("default-src 'none'"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers
}

fn content_security_policy(html: &str) -> String {
    let hashes: String =
        inline_scripts(html).iter().map(|script| format!(" 'sha256-{}'", hash(script))).collect();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; worker-src 'self'; style-src 'self'; \
         img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default"
    )
}

/// The text of each script element without a `src`. It reads our own built page, whose tags are written in lower case
/// and whose attribute values hold no `>`.
fn inline_scripts(html: &str) -> Vec<&str> {
    html.split("<script")
        .skip(1)
        .filter_map(|rest| rest.split_once('>'))
        .filter(|(attributes, _)| !attributes.contains("src="))
        .filter_map(|(_, rest)| rest.split_once("</script"))
        .map(|(text, _)| text)
        .collect()
}

fn hash(script: &str) -> String {
    // A browser reads every line end of a page as LF before it hashes.
    STANDARD.encode(Sha256::digest(script.replace("\r\n", "\n")))
}
