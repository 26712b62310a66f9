//! What a model said.

use serde::{Deserialize, Serialize};

/// One word of a declared set, and its probability within the set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordScore {
    /// The word.
    pub word: String,
    /// Its probability; those of a set add up to 1.
    pub probability: f64,
}

/// What a model said, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Utterance {
    /// The text as it came; the likeliest word if words were scored.
    pub text: String,
    /// The probability of every declared word, in the order of the request, where they were scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<WordScore>>,
    /// Tokens sent, where the model counts them.
    pub request_tokens: Option<u32>,
    /// Tokens received, where the model counts them.
    pub response_tokens: Option<u32>,
    /// Time from request to answer, where it was measured.
    pub latency_ms: Option<f64>,
}
