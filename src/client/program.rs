//! The worker's program, fetched and compiled once for all workers of the page.

use std::future::Future;

use gloo_net::http::Request;
use js_sys::{Promise, WebAssembly};
use leptos::prelude::*;
use palimpsest_protocol::BUILD_ID;
use thiserror::Error;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::Client;

/// There is no program to start a worker with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the program that reads logs could not be loaded: {0}")]
pub struct NoProgram(String);

impl Client {
    /// The compiled program. Where it could not be had, the next call tries again.
    pub(super) fn program(self) -> impl Future<Output = Result<JsValue, NoProgram>> {
        let known = self.program.get_value();
        let program = known.unwrap_or_else(|| future_to_promise(compile()));
        self.program.set_value(Some(program.clone()));
        async move {
            let compiled = JsFuture::from(program).await;
            compiled.map_err(|error| {
                self.program.set_value(None);
                NoProgram(error.as_string().unwrap_or_else(|| format!("{error:?}")))
            })
        }
    }
}

async fn compile() -> Result<JsValue, JsValue> {
    // The file keeps its name from build to build: the query keeps a cache from giving this page another's.
    let fetched = Request::get(&format!("./worker_bg.wasm?v={BUILD_ID}")).send().await;
    let response = fetched.map_err(|error| JsValue::from(error.to_string()))?;
    if !response.ok() {
        return Err(JsValue::from(format!("the server answered {}", response.status())));
    }
    let response = web_sys::Response::from(response);
    // Compiling while it loads needs the right media type, which not every server of static files knows.
    let spare = response.clone()?;
    match JsFuture::from(WebAssembly::compile_streaming(&Promise::resolve(&JsValue::from(response)))).await {
        Ok(program) => Ok(program),
        Err(_) => {
            let bytes = JsFuture::from(spare.array_buffer()?).await?;
            JsFuture::from(WebAssembly::compile(&bytes)).await
        }
    }
}
