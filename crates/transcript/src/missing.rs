//! A request that a transcript cannot answer.

use std::fmt::{self, Display, Formatter};

use counsel_advisor::{AdvisorName, Digest, Request};

use crate::RecordedAdvisor;

/// A request that a transcript cannot answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Whose answer it would be.
    pub advisor: AdvisorName,
    /// The template's version.
    pub version: String,
    /// The digest of the prompt.
    pub prompt: Digest,
    /// How the answer was to be taken, as data.
    pub decoding: String,
}

impl Missing {
    pub(crate) fn of(advisor: &RecordedAdvisor, request: &Request) -> Self {
        Self {
            advisor: advisor.name(),
            version: advisor.template.version.clone(),
            prompt: request.prompt.digest(),
            // A decoding always has a JSON form; should it not, its name still says the most.
            decoding: serde_json::to_string(&request.decoding).unwrap_or_else(|_| request.decoding.name().to_owned()),
        }
    }
}

impl Display for Missing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { advisor, version, prompt, decoding } = self;
        let AdvisorName { template, .. } = advisor;
        write!(
            f,
            "the transcript of {advisor} has no answer to prompt {prompt} of template {template} version {version} with \
             decoding {decoding}; record it with `counsel advisor record {advisor}`"
        )
    }
}
