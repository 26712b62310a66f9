//! Where decisions are made. One function is all that is needed of it, so the same code stands on a sidecar in its own process and on one
//! behind a URL.

use counsel_serve::TraceContext;
use serde_json::Value;

use crate::{Denial, Error};

/// What is done to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Read it.
    Get,
    /// Send a body to it.
    Post,
}

impl Verb {
    /// As HTTP has it.
    pub fn method(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// One call of the sidecar's interface.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What is done.
    pub verb: Verb,
    /// The path, such as `/v1/decisions`.
    pub path: String,
    /// The idempotency key: the same key and body are decided once.
    pub key: Option<String>,
    /// The body of a POST.
    pub body: Value,
    /// Where it stands in a trace, where somebody looks on.
    pub trace: Option<TraceContext>,
}

impl Call {
    /// A read.
    pub fn get(path: impl Into<String>) -> Self {
        Self { verb: Verb::Get, path: path.into(), key: None, body: Value::Null, trace: None }
    }

    /// A POST.
    pub fn post(path: impl Into<String>, body: Value) -> Self {
        Self { verb: Verb::Post, path: path.into(), key: None, body, trace: None }
    }

    /// The same under an idempotency key.
    #[must_use]
    pub fn keyed(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }
}

/// What the sidecar replied.
#[derive(Debug, Clone, PartialEq)]
pub struct Replied {
    /// The status, as in HTTP.
    pub status: u16,
    /// The body; problem JSON (RFC 9457) for a status of 400 or more.
    pub body: Value,
    /// Whether it is the reply to an earlier request with the same key.
    pub replayed: bool,
}

impl Replied {
    /// The body of a success.
    pub fn success(self) -> Result<Value, Denial> {
        if self.status < 400 { Ok(self.body) } else { Err(Denial { status: self.status, body: self.body }) }
    }
}

/// Where decisions are made.
pub trait Sidecar: std::fmt::Debug + Send + Sync {
    /// One call. An error means that the sidecar could not be asked at all.
    fn call(&self, call: &Call) -> Result<Replied, Error>;
}
