//! What was asked: the prompt itself, or only its digest where prompts must not be kept.

use counsel_advisor::{Digest, Prompt};
use serde::{Deserialize, Serialize};

/// Whether prompts are kept as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prompts {
    /// The text is kept: a transcript can be read, and sampled without its template.
    Kept,
    /// Only the digest is kept.
    Digested,
}

/// The prompt of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordedPrompt {
    /// The prompt itself.
    Prompt(Prompt),
    /// Its digest.
    Digest(Digest),
}

impl RecordedPrompt {
    /// A prompt, kept or not.
    pub fn new(prompt: &Prompt, prompts: Prompts) -> Self {
        match prompts {
            Prompts::Kept => Self::Prompt(Prompt::new(prompt.messages().to_vec(), 0)),
            Prompts::Digested => Self::Digest(prompt.digest()),
        }
    }

    /// The digest of the prompt.
    pub fn digest(&self) -> Digest {
        match self {
            Self::Prompt(prompt) => prompt.digest(),
            Self::Digest(digest) => *digest,
        }
    }

    /// The prompt, where it was kept.
    pub fn prompt(&self) -> Option<&Prompt> {
        match self {
            Self::Prompt(prompt) => Some(prompt),
            Self::Digest(_) => None,
        }
    }

    /// The same without the text.
    #[must_use]
    pub fn digested(&self) -> Self {
        Self::Digest(self.digest())
    }
}
