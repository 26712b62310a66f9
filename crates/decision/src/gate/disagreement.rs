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
        let samples = signals.evidence.advice.samples();
        let mut votes = vec![0.0; samples.actions()];
        for row in samples.rows() {
            votes[argmax(row).index()] += 1.0;
        }
        let most = votes[argmax(&votes).index()];
        Standing { score: 1.0 - most / samples.count() as f64, threshold: self.threshold }
    }
}
