//! The paper's gate, Eq. `main:gate`: asks when Δ̂ - β >= c. With an infinite radius it is silent.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing};
use crate::Valuation;

/// The predictive gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predictive {
    /// The action by which a response is valued.
    #[serde(default)]
    pub valuation: Valuation,
}

pub(super) fn weigh(signals: &Signals<'_>) -> Standing {
    Standing { score: signals.estimate - signals.evidence.radius.value(), threshold: signals.paced_price }
}
