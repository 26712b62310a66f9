//! A query opportunity: what was estimated before the response, and the label found afterwards.

use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

/// One labelled opportunity. Everything but `label` and `monte_carlo` was known before the response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opportunity {
    /// Δ̂: the estimated value of the query.
    pub estimate: f64,
    /// Δ̃: the value by paired continuations, or Δ itself where it is exact.
    pub label: f64,
    /// ρ: how far Δ̃ may be from Δ; 0 for an exact label.
    pub monte_carlo: f64,
    /// x: what the scale model may look at.
    pub features: Vec<f64>,
    /// The stratum, for group-conditional radii.
    pub group: u32,
    /// The episode it belongs to.
    pub trajectory: u64,
    /// The decision of the run at which it came.
    pub step: u64,
}

impl Opportunity {
    /// |Δ̂ - Δ̃| + ρ: the error that a radius must cover.
    pub fn error(&self) -> f64 {
        (self.estimate - self.label).abs() + self.monte_carlo
    }

    /// Refuses numbers from which no score can be made.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let finite = "pass finite numbers";
        in_range(self.estimate.is_finite(), "an estimate", self.estimate, "the finite numbers", finite)?;
        in_range(self.label.is_finite(), "a label", self.label, "the finite numbers", finite)?;
        in_range(
            self.monte_carlo >= 0.0 && self.monte_carlo.is_finite(),
            "a Monte-Carlo term",
            self.monte_carlo,
            "[0, infinity)",
            "pass 0 for an exact label",
        )?;
        for &feature in &self.features {
            in_range(feature.is_finite(), "a feature", feature, "the finite numbers", finite)?;
        }
        Ok(())
    }
}
