//! What happened, as the journal has it: requests that changed something, reduced to what they decide.
//!
//! Invariant: the state is a fold of events. The same events at the same times give the same state and the same answers.

use serde::{Deserialize, Serialize};

use crate::budget::BudgetSpec;
use crate::policy::PolicySpec;

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Event {
    /// A policy was declared, or another version of it.
    Policy { name: String, spec: Box<PolicySpec> },
    /// A budget was declared, or other limits of it.
    Budget { name: String, spec: BudgetSpec },
    /// A decision was made.
    Decide(Box<Decide>),
    /// A permit was resumed.
    Resume(Resume),
    /// What came of a decision was told.
    Outcome(Told),
    /// An episode ended.
    End(End),
    /// Time passed, and something ran out by it. Only servers that share a journal say so: each of them has to see it happen at one place.
    Passed,
}

/// A decision as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Decide {
    pub(crate) policy: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) episode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) child: Option<String>,
    /// The digest of the context.
    pub(crate) context: u64,
    /// The context itself, where texts are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) features: Vec<f64>,
    /// The action of the fallback, by its place.
    pub(crate) fallback: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input_tokens: Option<u64>,
}

/// A reply as it was handed in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Resume {
    pub(crate) decision: u64,
    pub(crate) permit: u64,
    /// The digest of the request, by which the same one is known again.
    pub(crate) request: String,
    /// The reply; none where it was lost. Where texts are not kept, the action that was read in it, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reply: Option<String>,
    /// The digest of the reply as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reply_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) latency_ms: Option<f64>,
}

/// What came of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Told {
    pub(crate) decision: u64,
    pub(crate) reward: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) last: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<bool>,
}

/// The end of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) episode: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) returned: Option<f64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) truncated: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// An idempotency key, and the digest of the request that it was sent with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyUse {
    pub(crate) key: String,
    pub(crate) request: String,
}
