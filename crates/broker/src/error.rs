//! What can go wrong between a question and its answer.

use serde_json::Value;

/// A question that cannot be taken through.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An address that is none.
    #[error("`{url}` is no address of a sidecar; pass one like http://127.0.0.1:8787")]
    Url {
        /// The address.
        url: String,
    },
    /// A token that no header can carry.
    #[error(
        "the token of the sidecar is empty or has a character that no header can carry; check the variable that holds it"
    )]
    Token,
    /// The sidecar cannot be reached.
    #[error("the sidecar at {url} does not answer ({reason}); start it with `counsel serve`")]
    Unreachable {
        /// Its address.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// The sidecar answers, but not as one does.
    #[error("{url} answers with status {status} and no JSON; is it `counsel serve`?")]
    Foreign {
        /// Its address.
        url: String,
        /// The status of the answer.
        status: u16,
    },
    /// The sidecar's answer lacks a field.
    #[error("the sidecar's answer has no `{field}`; use a client and a sidecar of one version")]
    Missing {
        /// The field.
        field: &'static str,
    },
    /// A policy that cannot be read.
    #[error("the policy cannot be read: {reason}")]
    Policy {
        /// What is wrong.
        reason: String,
    },
    /// The file of a policy's questions cannot be used.
    #[error("{path}: {reason}")]
    Questions {
        /// The file.
        path: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// An endpoint that cannot be used.
    #[error("endpoints.{name}: {reason}")]
    Endpoint {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A question that is none.
    #[error("{0}")]
    Question(String),
    /// The sidecar refuses.
    #[error("{0}")]
    Refused(Denial),
}

/// A refusal of the sidecar: problem JSON (RFC 9457).
#[derive(Debug, Clone, PartialEq)]
pub struct Denial {
    /// The status, as in HTTP.
    pub status: u16,
    /// The problem.
    pub body: Value,
}

impl Denial {
    /// Whether it is of this kind: the last part of its `type`.
    pub fn is(&self, kind: &str) -> bool {
        self.body["type"].as_str().and_then(|of| of.rsplit(['/', ':', '#']).next()) == Some(kind)
    }
}

impl std::fmt::Display for Denial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.body["detail"].as_str().or_else(|| self.body["title"].as_str()) {
            Some(said) => f.write_str(said),
            None => write!(f, "the sidecar refuses with status {}", self.status),
        }
    }
}

impl From<Denial> for Error {
    fn from(problem: Denial) -> Self {
        Self::Refused(problem)
    }
}
