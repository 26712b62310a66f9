//! A run that goes another way from one decision on: until then it is the run that was logged, and from then on a change of its settings
//! holds, as if it had been played so.
//!
//! Invariants: nothing before that decision is different, and a fork without a change is the run itself. The randomness of world and
//! advisor is that of the run, so what comes out differently is due to the change.

use counsel_controller::{Controller, Stretch};
use counsel_log::Change;

use crate::Error;

/// Where a run goes another way, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fork {
    /// The number of the first decision for which the change holds.
    pub step: u64,
    /// What is different.
    pub change: Change,
}

impl Fork {
    /// Changes a controller before its next decision.
    pub(crate) fn take(&self, controller: &mut Controller) -> Result<(), Error> {
        let Change { price, radius, trust, .. } = self.change;
        let factor = |of: Option<f64>| of.unwrap_or(1.0);
        let stretch = Stretch { price: factor(price), radius: factor(radius), trust: factor(trust) };
        let settings = self.change.settings(controller.settings().clone());
        Ok(controller.retune(&settings, stretch)?)
    }
}
