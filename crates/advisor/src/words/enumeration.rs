//! Every prompt that a template can make for a task, where there are finitely many worth listing.

use serde::Deserialize;

use crate::Prompt;

/// Every prompt of a template and a task, or that they cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enumeration {
    /// All of them, each once.
    Closed(Vec<Prompt>),
    /// They tell of everything in view: far too many to list.
    Open,
}

impl Enumeration {
    /// The prompts, if they can be listed.
    pub fn prompts(self) -> Option<Vec<Prompt>> {
        match self {
            Self::Closed(prompts) => Some(prompts),
            Self::Open => None,
        }
    }
}

/// How a template asks again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// In the same words.
    Identical,
    /// In other words; a declared index says in which.
    Paraphrase,
    /// With the answer that did not help.
    Repair,
}
