//! A request and its response without a socket: what the core answers, whoever carries it.

use crate::onlooker::TraceContext;

/// What a client asks for. Only the parts of HTTP that matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// `GET`, `PUT` or `POST`.
    pub method: String,
    /// The path, with what follows a question mark.
    pub target: String,
    /// The `Idempotency-Key`, where one was sent.
    pub idempotency_key: Option<String>,
    /// `MCP-Protocol-Version` and `Mcp-Method`, where they were sent.
    pub mcp: [Option<String>; 2],
    /// Where it stands in a trace, where somebody looks on.
    pub trace: Option<TraceContext>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A request with a body; an empty one where there is none.
    pub fn new(method: impl Into<String>, target: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self {
            method: method.into(),
            target: target.into(),
            idempotency_key: None,
            mcp: [None, None],
            trace: None,
            body: body.into(),
        }
    }

    /// The same under an idempotency key.
    #[must_use]
    pub fn keyed(self, key: impl Into<String>) -> Self {
        Self { idempotency_key: Some(key.into()), ..self }
    }

    /// The path alone.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or("")
    }

    /// A parameter of the query, where it is there; `%20` and its like are read.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let query = self.target.split_once('?')?.1;
        let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.find(|(key, _)| *key == name).and_then(|(_, value)| unescaped(value))
    }
}

/// A part of a path or a query without its escapes; none where it is no text.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The type of the body.
    pub content_type: &'static str,
    /// Whether this is the answer to an earlier request with the same key, sent again (`Idempotent-Replayed: true`).
    pub replayed: bool,
    /// The body.
    pub body: Vec<u8>,
}

/// The type of JSON bodies.
pub(crate) const JSON: &str = "application/json";

impl Response {
    /// A body of JSON.
    pub fn json(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, content_type: JSON, replayed: false, body: body.into() }
    }

    /// A body of plain text.
    pub fn text(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", replayed: false, body: body.into() }
    }
}
