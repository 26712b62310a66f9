//! Asks where the ensemble disagrees: the share of value samples whose best action is not the most voted one.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};
use crate::argmax;

/// A threshold on the share of dissenting samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disagreement {
    /// Asks from this share on.
    pub threshold: f64,
}

impl Disagreement {
    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        let advice = &signals.evidence.advice;
        let mut votes = vec![0.0; advice.samples().actions()];
        for (weight, row) in advice.weighted_rows() {
            votes[argmax(row).index()] += weight;
        }
        Standing { score: 1.0 - votes[argmax(&votes).index()], threshold: self.threshold }
    }
}
