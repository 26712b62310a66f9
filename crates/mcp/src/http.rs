//! One POST of the streamable HTTP transport: a message in, one JSON answer out.
//!
//! There are no sessions and no streams, so the server may stand anywhere. A person can be asked by clients of 2026-07-28, whose calls
//! come in rounds; to an older client the server cannot send a form over HTTP.

use serde_json::{Map, Value};

use crate::McpServer;
use crate::era::{Era, HANDSHAKE, MODERN};
use crate::message::{
    HEADER_MISMATCH, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, RpcError, RpcMessage, UNSUPPORTED_VERSION, answer,
};
use crate::person::Person;

/// The headers of a POST that the protocol reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostHeaders {
    /// `MCP-Protocol-Version`.
    pub version: Option<String>,
    /// `Mcp-Method`.
    pub method: Option<String>,
}

/// What is sent back.
#[derive(Debug, Clone, PartialEq)]
pub struct PostReply {
    /// The status.
    pub status: u16,
    /// The answer; none for a message that is not answered.
    pub body: Option<Value>,
}

impl McpServer {
    /// Answers a POST. Who may send one (host, origin, token, length) is for the server in front to settle.
    pub fn post(&self, headers: &PostHeaders, body: &[u8]) -> PostReply {
        let refused = |id: &Value, error: RpcError| {
            let status = status(error.code);
            PostReply { status, body: Some(error.answer(id)) }
        };
        match RpcMessage::read(body) {
            Err((id, error)) => refused(&id, error),
            Ok(RpcMessage::Request { id, method, params }) => match agree(headers, &method, &params) {
                Err(error) => refused(&id, error),
                Ok(()) => match self.serve(&method, &params, &Person::Absent) {
                    Ok(result) => PostReply { status: 200, body: Some(answer(&id, &result)) },
                    Err(error) => refused(&id, error),
                },
            },
            Ok(RpcMessage::Notification { .. } | RpcMessage::Response { .. }) => PostReply { status: 202, body: None },
        }
    }
}

/// Whether headers and body say the same.
fn agree(headers: &PostHeaders, method: &str, params: &Map<String, Value>) -> Result<(), RpcError> {
    let mismatch = |name: &str| {
        Err(RpcError::new(HEADER_MISMATCH, format!("the header {name} is not what the body says; send both alike")))
    };
    let version = headers.version.as_deref();
    match Era::of(params)? {
        Era::Modern { .. } if version != Some(MODERN) => mismatch("MCP-Protocol-Version"),
        Era::Modern { .. } if headers.method.as_deref() != Some(method) => mismatch("Mcp-Method"),
        Era::Handshake if method != "initialize" && version.is_some_and(|version| !HANDSHAKE.contains(&version)) => {
            let known = HANDSHAKE.join(", ");
            Err(RpcError::new(
                INVALID_REQUEST,
                format!("the header MCP-Protocol-Version names no known version; send one of {known}"),
            ))
        }
        _ => Ok(()),
    }
}

fn status(code: i64) -> u16 {
    match code {
        METHOD_NOT_FOUND => 404,
        PARSE_ERROR | INVALID_REQUEST | HEADER_MISMATCH | UNSUPPORTED_VERSION | crate::message::INVALID_PARAMS => 400,
        _ => 200,
    }
}
