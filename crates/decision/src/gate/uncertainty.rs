//! Asks where the value of the no-query action is uncertain (ASK): its standard deviation over the value samples.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};

/// A threshold on the standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncertainty {
    /// Asks from this standard deviation on.
    pub threshold: f64,
}

impl Uncertainty {
    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        let score = signals.evidence.advice.none().variance(signals.no_query).sqrt();
        Standing { score, threshold: self.threshold }
    }
}
