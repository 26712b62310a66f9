//! Where the answers of language models come from. A study in a folder has one source: cells of two are never put into one table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where the answers of language models come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswersFrom {
    /// Transcripts.
    #[default]
    Recorded,
    /// The models themselves, asked at this place.
    Live(String),
}

impl fmt::Display for AnswersFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recorded => f.write_str("recorded answers"),
            Self::Live(place) => write!(f, "live answers from {place}"),
        }
    }
}
