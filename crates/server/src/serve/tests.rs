//! The server without a socket: requests are handed to the app, and what a browser would see is compared.

use super::answer::app;
use super::hosts::{Hosts, authority};
use super::page::{Asset, Form, Page};
use axum::body::Body;
use axum::http::{Request, Response};
use expect_test::{Expect, expect};
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

const fn form(bytes: &'static [u8], etag: &'static str) -> Form {
    Form { bytes, etag }
}

const PAGE: &[Asset] = &[
    Asset {
        path: "index.html",
        identity: form(
            b"<script>one()</script><script src=\"./boot.js\"></script>\n<script type=\"module\">\r\ntwo()\r\n</script>",
            "\"html\"",
        ),
        brotli: None,
    },
    Asset {
        path: "palimpsest-web-0123456789abcdef_bg.wasm",
        identity: form(b"long wasm", "\"wasm\""),
        brotli: Some(form(b"br", "\"wasm-br\"")),
    },
    Asset { path: "tokens-123456789abcde.css", identity: form(b"css", "\"css\""), brotli: None },
    Asset { path: "worker_loader.js", identity: form(b"worker", "\"worker\""), brotli: None },
    Asset { path: "assets/deadbeef.svg", identity: form(b"svg", "\"svg\""), brotli: None },
];

async fn ask(request: Request<Body>, host: &str) -> Response<Body> {
    let page = Page::new(PAGE).expect("the fixture has a start");
    app(page, Hosts::new(host)).oneshot(request).await.expect("the app cannot fail")
}

/// Sends `METHOD path` with `headers` and compares status, body and the headers that differ from file to file.
async fn check(method_and_path: &str, headers: &[(&str, &str)], expected: &Expect) {
    let (method, path) = method_and_path.split_once(' ').expect("METHOD path");
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost:7410");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = ask(request.body(Body::empty()).expect("a request"), "127.0.0.1").await;

    let mut seen = format!("{}\n", response.status());
    for name in
        ["content-type", "content-length", "content-encoding", "cache-control", "etag", "vary", "allow"]
    {
        if let Some(value) = response.headers().get(name) {
            seen += &format!("{name}: {}\n", value.to_str().expect("text"));
        }
    }
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    seen += &String::from_utf8_lossy(&body);
    expected.assert_eq(&seen);
}

#[tokio::test]
async fn a_hashed_file_is_kept_for_good_and_sent_compressed() {
    let path = "GET /palimpsest-web-0123456789abcdef_bg.wasm";
    check(
        path,
        &[("accept-encoding", "gzip, deflate, br, zstd")],
        &expect![[r#"
            200 OK
            content-type: application/wasm
            content-length: 2
            content-encoding: br
            cache-control: public, max-age=31536000, immutable
            etag: "wasm-br"
            vary: accept-encoding
            br"#]],
    )
    .await;
    let identity = expect![[r#"
        200 OK
        content-type: application/wasm
        content-length: 9
        cache-control: public, max-age=31536000, immutable
        etag: "wasm"
        vary: accept-encoding
        long wasm"#]];
    check(path, &[], &identity).await;
    check(path, &[("accept-encoding", "gzip, br;q=0")], &identity).await;
    check(
        "GET /tokens-123456789abcde.css",
        &[("accept-encoding", "br")],
        &expect![[r#"
            200 OK
            content-type: text/css; charset=utf-8
            content-length: 3
            cache-control: public, max-age=31536000, immutable
            etag: "css"
            css"#]],
    )
    .await;
}

#[tokio::test]
async fn a_file_without_a_hash_is_asked_for_again() {
    check(
        "GET /worker_loader.js?build=1",
        &[],
        &expect![[r#"
            200 OK
            content-type: text/javascript; charset=utf-8
            content-length: 6
            cache-control: no-cache
            etag: "worker"
            worker"#]],
    )
    .await;
    check(
        "GET /assets/deadbeef.svg",
        &[],
        &expect![[r#"
            200 OK
            content-type: image/svg+xml
            content-length: 3
            cache-control: no-cache
            etag: "svg"
            svg"#]],
    )
    .await;
}

#[tokio::test]
async fn a_browser_that_has_it_is_told_so() {
    let unchanged = expect![[r#"
        304 Not Modified
        content-length: 6
        cache-control: no-cache
        etag: "worker"
    "#]];
    check("GET /worker_loader.js", &[("if-none-match", "\"worker\"")], &unchanged).await;
    check("GET /worker_loader.js", &[("if-none-match", "\"old\", W/\"worker\"")], &unchanged).await;
    check(
        "GET /worker_loader.js",
        &[("if-none-match", "\"old\"")],
        &expect![[r#"
            200 OK
            content-type: text/javascript; charset=utf-8
            content-length: 6
            cache-control: no-cache
            etag: "worker"
            worker"#]],
    )
    .await;
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    check(
        "HEAD /worker_loader.js",
        &[],
        &expect![[r#"
            200 OK
            content-type: text/javascript; charset=utf-8
            content-length: 6
            cache-control: no-cache
            etag: "worker"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_name_without_a_dot_is_a_place_inside_the_page() {
    for (path, expected) in [
        ("/", Some("text/html; charset=utf-8")),
        ("/index.html", Some("text/html; charset=utf-8")),
        ("/?sample", Some("text/html; charset=utf-8")),
        ("/sessions", Some("text/html; charset=utf-8")),
        ("/favicon.ico", None),
        ("/sessions/1", None),
        ("/../Cargo.toml", None),
    ] {
        let request = Request::get(path).header("host", "localhost").body(Body::empty()).expect("a request");
        let response = ask(request, "127.0.0.1").await;
        let media_type = response.headers().get("content-type").and_then(|value| value.to_str().ok());
        let found = response.status().is_success().then_some(media_type).flatten();
        assert_eq!(found, expected, "{path}");
    }
}

#[tokio::test]
async fn only_reading_is_answered() {
    check(
        "POST /",
        &[],
        &expect![[r#"
            405 Method Not Allowed
            content-type: text/plain; charset=utf-8
            content-length: 24
            allow: GET, HEAD
            This server only reads.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn every_response_carries_the_security_headers() {
    // The two hashes are what `printf 'one()' | openssl dgst -sha256 -binary | base64` prints, and the same for the module
    // with its line ends as LF. The script with a `src` has none.
    let expected = expect![[r#"
        content-security-policy: default-src 'none'
          script-src 'self' 'wasm-unsafe-eval' 'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4=' 'sha256-CO+FkcwFIluZ98XczjkmxJwzME+ATnUpm+699SF3auo='
          worker-src 'self'
          style-src 'self'
          img-src 'self' blob: data:
          font-src 'self'
          connect-src 'self'
          manifest-src 'self'
          base-uri 'none'
          form-action 'none'
          frame-ancestors 'none'
          require-trusted-types-for 'script'
          trusted-types default
        referrer-policy: no-referrer
        x-content-type-options: nosniff
        cross-origin-opener-policy: same-origin
        cross-origin-embedder-policy: require-corp
        cross-origin-resource-policy: same-origin
        permissions-policy: camera=(), microphone=(), geolocation=()
    "#]];
    let refused = Request::get("/").header("host", "evil.example").body(Body::empty()).expect("a request");
    let missing = Request::get("/no.js").header("host", "localhost").body(Body::empty()).expect("a request");
    let found = Request::get("/").header("host", "localhost").body(Body::empty()).expect("a request");
    for request in [refused, missing, found] {
        let response = ask(request, "127.0.0.1").await;
        let mut seen = String::new();
        for name in [
            "content-security-policy",
            "referrer-policy",
            "x-content-type-options",
            "cross-origin-opener-policy",
            "cross-origin-embedder-policy",
            "cross-origin-resource-policy",
            "permissions-policy",
        ] {
            let value =
                response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or("missing");
            seen += &format!("{name}: {}\n", value.replace("; ", "\n  "));
        }
        expected.assert_eq(&seen);
    }
}

#[tokio::test]
async fn only_known_names_are_answered() {
    for (listening_on, host, answered) in [
        ("127.0.0.1", "localhost", true),
        ("127.0.0.1", "LOCALHOST:7410", true),
        ("127.0.0.1", "127.0.0.1:7410", true),
        ("127.0.0.1", "[::1]:7410", true),
        ("127.0.0.1", "evil.example", false),
        ("127.0.0.1", "evil.example:7410", false),
        ("127.0.0.1", "localhost.evil.example", false),
        ("127.0.0.1", "127.0.0.1.evil.example", false),
        ("127.0.0.1", "192.168.1.5:7410", false),
        ("127.0.0.1", "", false),
        ("desk.local", "desk.local:7410", true),
        ("desk.local", "lamp.local:7410", false),
        ("fe80::1", "[fe80::1]:7410", true),
        ("0.0.0.0", "192.168.1.5:7410", true),
        ("::", "[fe80::1]:7410", true),
        ("0.0.0.0", "evil.example", false),
    ] {
        let request = Request::get("/").header("host", host).body(Body::empty()).expect("a request");
        let expected = if answered { 200 } else { 403 };
        let status = ask(request, listening_on).await.status().as_u16();
        assert_eq!(status, expected, "listening on {listening_on}, called {host:?}");
    }
    let nameless = Request::get("/").body(Body::empty()).expect("a request");
    assert_eq!(ask(nameless, "127.0.0.1").await.status().as_u16(), 403);
}

#[test]
fn the_address_can_be_opened() {
    for (host, expected) in [
        ("127.0.0.1", "127.0.0.1:80"),
        ("0.0.0.0", "127.0.0.1:80"),
        ("::1", "[::1]:80"),
        ("[::1]", "[::1]:80"),
        ("Desk.local", "desk.local:80"),
    ] {
        assert_eq!(authority(host, 80), expected);
    }
}

#[test]
fn files_without_a_start_are_no_page() {
    assert!(Page::new(&[]).is_none());
}
