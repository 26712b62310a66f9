//! Asks where the value of the no-query action is uncertain (ASK): its standard deviation over the value samples.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};
use crate::{Action, Evidence};

/// A threshold on the standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncertainty {
    /// Asks from this standard deviation on.
    pub threshold: f64,
}

impl Uncertainty {
    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        Standing { score: of(signals.evidence, signals.no_query), threshold: self.threshold }
    }
}

/// The standard deviation of an action's value over the samples.
pub fn of(evidence: &Evidence, action: Action) -> f64 {
    evidence.advice.none().variance(action).sqrt()
}
