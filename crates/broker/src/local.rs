//! The decision service of this process.

use std::sync::Arc;

use counsel_serve::{Request, Service};
use serde_json::Value;

use crate::Error;
use crate::sidecar::{Call, Replied, Sidecar, Verb};

/// The service, without a socket between.
#[derive(Clone)]
pub struct LocalSidecar(pub Arc<Service>);

impl std::fmt::Debug for LocalSidecar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LocalSidecar")
    }
}

impl Sidecar for LocalSidecar {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        let body = match call.verb {
            Verb::Get => Vec::new(),
            Verb::Post => call.body.to_string().into_bytes(),
        };
        let mut request = Request::new(call.verb.method(), call.path.as_str(), body);
        request.idempotency_key.clone_from(&call.key);
        request.trace = call.trace;
        let response = self.0.answer(&request);
        let body: Value = serde_json::from_slice(&response.body)
            .map_err(|_| Error::Foreign { url: call.path.clone(), status: response.status })?;
        Ok(Replied { status: response.status, body, replayed: response.replayed })
    }
}
