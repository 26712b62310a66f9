//! Errors as RFC 9457 wants them: a type that programs read, a title, and the detail with the offending value and the remedy.
//!
//! Invariant: a problem holds no path, key or text of a prompt. What it repeats of a request are names and numbers that were checked.

use std::fmt::Display;

use serde::Serialize;

use crate::Response;

/// What kind of problem it is: the last part of its `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The body is no JSON of the expected form.
    Body,
    /// A value is out of its range.
    Value,
    /// A decision needs an idempotency key.
    KeyMissing,
    /// The key was used for another request.
    KeyReused,
    /// Nothing has this name here.
    Unknown,
    /// The resource is there, and does not bear this method.
    Method,
    /// The permit was resumed with another reply.
    AlreadyResumed,
    /// The permit ran out before the reply came.
    Expired,
    /// The decision waits for a reply.
    Open,
    /// The name is taken by something else.
    Taken,
    /// The token is missing or wrong.
    Token,
    /// The request comes from a page of another site, or names another host.
    Foreign,
    /// The body is too large.
    TooLarge,
    /// The body did not come in time.
    TooSlow,
    /// Too many requests are under way.
    Busy,
    /// The journal cannot be written, so nothing is acknowledged.
    Journal,
    /// A fault of the server.
    Fault,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::Body,
        Self::Value,
        Self::KeyMissing,
        Self::KeyReused,
        Self::Unknown,
        Self::Method,
        Self::AlreadyResumed,
        Self::Expired,
        Self::Open,
        Self::Taken,
        Self::Token,
        Self::Foreign,
        Self::TooLarge,
        Self::TooSlow,
        Self::Busy,
        Self::Journal,
        Self::Fault,
    ];

    /// Its status, the last part of its type, and its title.
    pub fn declared(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Body => (400, "body", "The body cannot be read"),
            Self::Value => (422, "value", "A value is out of range"),
            Self::KeyMissing => (400, "key-missing", "An Idempotency-Key is needed"),
            Self::KeyReused => (409, "key-reused", "The Idempotency-Key belongs to another request"),
            Self::Unknown => (404, "unknown", "There is nothing of this name"),
            Self::Method => (405, "method", "The resource has no such method"),
            Self::AlreadyResumed => (409, "already-resumed", "The permit was used with another reply"),
            Self::Expired => (410, "expired", "The permit has expired"),
            Self::Open => (409, "open", "The decision waits for its reply"),
            Self::Taken => (409, "taken", "The name is taken"),
            Self::Token => (401, "token", "The token is missing or wrong"),
            Self::Foreign => (403, "foreign", "The request comes from elsewhere"),
            Self::TooLarge => (413, "too-large", "The body is too large"),
            Self::TooSlow => (408, "too-slow", "The body did not come in time"),
            Self::Busy => (503, "busy", "Too many requests are under way"),
            Self::Journal => (503, "journal", "The journal cannot be written"),
            Self::Fault => (500, "fault", "The server failed"),
        }
    }
}

/// A problem, before it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What kind it is.
    pub kind: Kind,
    /// The offending value and the remedy.
    pub detail: String,
    /// What was settled instead, where something was.
    pub settled: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct Sent<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settled: Option<&'a serde_json::Value>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(kind: Kind, detail: impl Display) -> Self {
        Self { kind, detail: detail.to_string(), settled: None }
    }

    /// A value out of its range.
    pub fn value(detail: impl Display) -> Self {
        Self::new(Kind::Value, detail)
    }

    /// The response that says it.
    pub fn response(&self) -> Response {
        let (status, name, title) = self.kind.declared();
        let sent = Sent {
            r#type: format!("urn:counsel:problem:{name}"),
            title,
            status,
            detail: &self.detail,
            settled: self.settled.as_ref(),
        };
        let body = serde_json::to_vec(&sent).unwrap_or_default();
        Response { status, content_type: "application/problem+json", replayed: false, body }
    }
}
