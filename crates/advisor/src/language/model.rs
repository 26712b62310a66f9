//! Anything that answers prompts.

use serde::{Deserialize, Serialize};

use crate::{Decoding, Prompt, Utterance};

/// A prompt, and how the answer is to be taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What is said.
    pub prompt: Prompt,
    /// How the answer is taken.
    pub decoding: Decoding,
}

/// Which model answers. Answers of different identities are never mixed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The name by which people know it, as `qwen2.5-coder-0.5b`.
    pub model: String,
    /// The digest of its weights, or what an endpoint tells of itself.
    pub version: String,
    /// What runs it: engine, its version, number format and CPU features, or the endpoint's kind.
    pub engine: String,
}

/// What an outage says of the questions that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Nothing: the next question, or the same one later, may well be answered.
    Passing,
    /// They would end the same way until something is mended: a wrong address, key, certificate or name.
    Systematic,
    /// They may not be asked: the budget of calls or money is spent or reserved.
    Spent,
}

/// Why no answer came. The attempt was paid for all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct Outage {
    /// The reason, in one line without secrets.
    pub reason: String,
    /// What it says of the questions that follow.
    pub fault: Fault,
}

impl Outage {
    /// A passing outage for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), fault: Fault::Passing }
    }

    /// An outage that every further question would meet, for this reason.
    pub fn systematic(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), fault: Fault::Systematic }
    }

    /// An outage because nothing more may be spent.
    pub fn spent(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), fault: Fault::Spent }
    }
}

/// Anything that answers prompts: a model in this process, an endpoint, a transcript.
pub trait LanguageModel {
    /// Which model it is.
    fn identity(&self) -> &Identity;

    /// The answers to these requests, in their order. What is answered to one does not depend on the others.
    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>>;

    /// The answer to this one request.
    fn answer_one(&mut self, request: &Request) -> Result<Utterance, Outage> {
        let answer = self.answer(std::slice::from_ref(request)).into_iter().next();
        answer.unwrap_or_else(|| Err(Outage::new("the model gave no answer")))
    }
}
