//! A running sidecar behind a URL.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;
use ureq::{Body, SendBody};

use crate::Error;
use crate::sidecar::{Call, Replied, Sidecar, Verb};

/// An answer of the sidecar is not longer.
const LONGEST: u64 = 4 << 20;
/// A sidecar that asks for us may wait this long for its advisor.
const PATIENCE: Duration = Duration::from_secs(300);

/// A sidecar that is reached by HTTP.
#[derive(Debug)]
pub struct RemoteSidecar {
    agent: Agent,
    base: String,
    bearer: Option<String>,
}

impl RemoteSidecar {
    /// The sidecar at this address, such as `http://127.0.0.1:8787`; with the token that it asks for, if it asks for one.
    pub fn new(url: &str, token: Option<&str>) -> Result<Self, Error> {
        let base = url.trim().trim_end_matches('/');
        let host = base.strip_prefix("http://").or_else(|| base.strip_prefix("https://"));
        if !host.is_some_and(|host| !host.is_empty() && !host.contains(['@', '?', '#', ' '])) {
            // What stands before an @ may be a password.
            let shown = if url.contains('@') { "***" } else { url };
            return Err(Error::Url { url: shown.to_owned() });
        }
        let bearer = match token.map(str::trim) {
            Some(token) if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) => {
                return Err(Error::Token);
            }
            token => token.map(|token| format!("Bearer {token}")),
        };
        // A redirect could carry the token elsewhere, and no proxy stands between neighbours.
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .timeout_connect(Some(Duration::from_secs(5)))
            .proxy(None)
            .build()
            .new_agent();
        Ok(Self { agent, base: base.to_owned(), bearer })
    }

    fn send(&self, call: &Call) -> Result<Response<Body>, ureq::Error> {
        let url = format!("{}{}", self.base, call.path);
        let build = |verb: &str| {
            let mut request = ureq::http::Request::builder().method(verb).uri(&url);
            if let Some(bearer) = &self.bearer {
                request = request.header("authorization", bearer);
            }
            if let Some(key) = &call.key {
                request = request.header("idempotency-key", key);
            }
            request
        };
        match call.verb {
            Verb::Get => self.agent.run(build("GET").body(SendBody::none())?),
            Verb::Post => {
                let text = call.body.to_string();
                self.agent.run(build("POST").header("content-type", "application/json").body(text)?)
            }
        }
    }
}

impl Sidecar for RemoteSidecar {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        let unreachable = |error: ureq::Error| Error::Unreachable { url: self.base.clone(), reason: error.to_string() };
        let response = self.send(call).map_err(unreachable)?;
        let status = response.status().as_u16();
        let replayed = response.headers().get("idempotent-replayed").is_some_and(|value| value == "true");
        let text = response.into_body().into_with_config().limit(LONGEST).read_to_string().map_err(unreachable)?;
        let body: Value = serde_json::from_str(&text).map_err(|_| Error::Foreign { url: self.base.clone(), status })?;
        Ok(Replied { status, body, replayed })
    }
}
