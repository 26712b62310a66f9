//! Asks at every n-th decision of the run, from the first on.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};
use crate::refusal::{Refusal, in_range};

/// A fixed period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// n: from one call to the next, in decisions.
    pub every: u64,
}

impl Period {
    pub(super) fn check(self) -> Result<(), Refusal> {
        in_range(self.every > 0, "the period", self.every as f64, "[1, infinity)", "pass the decisions between calls")
    }

    pub(super) fn weigh(self, signals: &Signals<'_>) -> Standing {
        let due = signals.step.is_multiple_of(self.every);
        Standing { score: if due { 1.0 } else { 0.0 }, threshold: 1.0 }
    }
}
