//! Asks in contexts that are new: 1 / √(1 + visits).

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};

/// A threshold on novelty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Novelty {
    /// Asks from this novelty on; 1 is a context never seen.
    pub threshold: f64,
}

impl Novelty {
    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        let score = 1.0 / (1.0 + signals.evidence.visits as f64).sqrt();
        Standing { score, threshold: self.threshold }
    }
}
