//! Asks where the uncertainty of the fallback, calibrated to what advice has been worth, reaches the price (the rule of UCCI).
//!
//! Benefit is a non-decreasing function of uncertainty: an isotonic regression of labelled benefits on the standard deviation
//! of the no-query action, the signal of [`uncertainty`]. Calibration fits it; until then there are no
//! steps, and the gate is silent.

use serde::{Deserialize, Serialize};

use super::{Signals, Standing, uncertainty};

/// The fitted benefit of advice.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibratedUncertainty {
    /// From each uncertainty on, the benefit of advice, both rising. Studies leave it out; calibration fills it in.
    #[serde(default)]
    pub steps: Vec<(f64, f64)>,
}

impl CalibratedUncertainty {
    /// The benefit at an uncertainty; that of the first step below it. Nothing before calibration.
    fn benefit(&self, uncertainty: f64) -> Option<f64> {
        let below = self.steps.partition_point(|(from, _)| *from <= uncertainty);
        self.steps.get(below.max(1) - 1).map(|(_, benefit)| *benefit)
    }

    pub(super) fn weigh(&self, signals: &Signals<'_>) -> Standing {
        let uncertainty = uncertainty::of(signals.evidence, signals.no_query);
        Standing { score: self.benefit(uncertainty).unwrap_or(f64::NEG_INFINITY), threshold: signals.paced_price }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_benefit_is_that_of_the_last_step_reached() {
        let gate = CalibratedUncertainty { steps: vec![(0.1, -0.2), (0.5, 0.3)] };
        let benefits = [0.0, 0.1, 0.4, 0.5, 9.0].map(|uncertainty| gate.benefit(uncertainty));
        assert_eq!(benefits, [-0.2, -0.2, -0.2, 0.3, 0.3].map(Some));
        assert_eq!(CalibratedUncertainty::default().benefit(0.5), None);
    }
}
