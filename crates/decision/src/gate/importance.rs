//! Importance advising (Torrey and Taylor): asks where actions differ much in value, max_a μ - min_a μ.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};
use crate::Response;

/// Which of the three heuristics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "heuristic", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Importance {
    /// Early advising: every state, as long as calls are left.
    Early,
    /// Importance advising: states at least this important.
    Important {
        /// Asks from this difference on.
        threshold: f64,
    },
    /// Mistake correcting: states at least this important where the likeliest answer differs from what would be done.
    Mistake {
        /// Asks from this difference on.
        threshold: f64,
    },
}

impl Importance {
    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        let advice = &signals.evidence.advice;
        let means = advice.none().means();
        let highest = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = means.iter().copied().fold(f64::INFINITY, f64::min);
        let importance = highest - lowest;
        match self {
            Self::Early => Standing { score: importance, threshold: f64::NEG_INFINITY },
            Self::Important { threshold } => Standing { score: importance, threshold },
            Self::Mistake { threshold } => {
                let mistaken = advice.law().mode() != Response::Recommends(signals.no_query);
                Standing { score: if mistaken { importance } else { f64::NEG_INFINITY }, threshold }
            }
        }
    }
}
