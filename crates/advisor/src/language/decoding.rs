//! How an answer is taken out of a model.

use serde::{Deserialize, Serialize};

/// How an answer is taken out of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decoding {
    /// The model writes freely.
    Generate {
        /// At most so many tokens.
        max_tokens: u32,
        /// 0 takes the likeliest token at every step.
        temperature: f64,
        /// The seed of the draws; without influence at temperature 0.
        seed: u64,
    },
    /// The model's probability of every word of a declared set, normalised over the set. The answer is the likeliest word,
    /// the first of equals.
    Scored {
        /// The words.
        words: Vec<String>,
    },
}

impl Decoding {
    /// Free and greedy.
    pub fn greedy(max_tokens: u32) -> Self {
        Self::Generate { max_tokens, temperature: 0.0, seed: 0 }
    }

    /// Scored over these words.
    pub fn scored(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::Scored { words: words.into_iter().map(Into::into).collect() }
    }

    /// Its name in an advisor's name: `generate` or `scored`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Generate { .. } => "generate",
            Self::Scored { .. } => "scored",
        }
    }
}
