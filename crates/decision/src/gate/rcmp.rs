//! Asks where the variance of the value samples, averaged over the actions, is high (in the style of RCMP).

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};

/// A threshold on the mean variance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rcmp {
    /// Asks from this variance on.
    pub threshold: f64,
}

impl Rcmp {
    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        Standing { score: signals.evidence.advice.none().epistemic_variance(), threshold: self.threshold }
    }
}
