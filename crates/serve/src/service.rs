//! The service: one request in, one response out, without a socket.

use crate::problem::{Kind, Problem};
use crate::{Request, Response};

/// What answers requests. It is shared by all connections.
#[derive(Debug, Default)]
pub struct Service {}

impl Service {
    /// Answers one request. It returns when the answer may leave: what it says is on the disk.
    pub fn answer(&self, request: &Request) -> Response {
        match (request.method.as_str(), request.path()) {
            ("GET", "/healthz") => Response::json(200, r#"{"status":"ok"}"#),
            _ => Problem::new(Kind::Unknown, "there is no such resource; GET /openapi.json lists them").response(),
        }
    }
}
