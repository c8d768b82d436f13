//! One request to one response: who may ask, for what, and in which form they get it.

use super::hosts::Hosts;
use super::page::{Asset, Page};
use super::policy;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;

struct App {
    page: Page,
    hosts: Hosts,
    /// Sent with every response, refusals included.
    headers: HeaderMap,
}

/// The whole server: every path is answered from `page`, for the names in `hosts`.
pub(crate) fn app(page: Page, hosts: Hosts) -> Router {
    let headers = policy::headers(&page.html());
    Router::new().fallback(answer).with_state(Arc::new(App { page, hosts, headers }))
}

async fn answer(State(app): State<Arc<App>>, request: Request) -> Response {
    let mut response = match check(&app, &request) {
        Ok(asset) => send(asset, request.headers()),
        Err(refusal) => *refusal,
    };
    response.headers_mut().extend(app.headers.clone());
    if request.method() == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    response
}

/// The file that is asked for, or why it is not sent.
fn check(app: &App, request: &Request) -> Result<&'static Asset, Box<Response>> {
    let host = text(request.headers(), header::HOST);
    if !app.hosts.allow(host) {
        let why = "This server does not answer to that name: use the address it printed when it started.\n";
        return Err(Box::new((StatusCode::FORBIDDEN, why).into_response()));
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let allow = [(header::ALLOW, "GET, HEAD")];
        let refusal = (StatusCode::METHOD_NOT_ALLOWED, allow, "This server only reads.\n");
        return Err(Box::new(refusal.into_response()));
    }
    let found = app.page.at(request.uri().path());
    let nothing = (StatusCode::NOT_FOUND, "There is nothing at this address.\n");
    found.ok_or_else(|| Box::new(nothing.into_response()))
}

fn send(asset: &'static Asset, asked: &HeaderMap) -> Response {
    let (form, encoding) = match asset.brotli {
        Some(brotli) if accepts_brotli(text(asked, header::ACCEPT_ENCODING)) => (brotli, Some("br")),
        _ => (asset.identity, None),
    };
    let fresh = is_fresh(text(asked, header::IF_NONE_MATCH), form.etag);

    let mut response = if fresh {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut full = Response::new(Body::from(form.bytes));
        let headers = full.headers_mut();
        headers.insert(header::CONTENT_TYPE, asset.media_type());
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        full
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(form.bytes.len()));
    headers.insert(header::CACHE_CONTROL, asset.cache_control());
    headers.insert(header::ETAG, HeaderValue::from_static(form.etag));
    if asset.brotli.is_some() {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}

/// A header as text; one that is missing or not text is empty, which allows and matches nothing.
fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether `Accept-Encoding` names Brotli without forbidding it by a weight of zero.
fn accepts_brotli(header: &str) -> bool {
    header.split(',').any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let is_brotli = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br"));
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        is_brotli && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}

/// Whether `If-None-Match` names the form that would be sent.
fn is_fresh(header: &str, etag: &str) -> bool {
    header.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == etag)
}
