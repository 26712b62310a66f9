//! The factor λ that spreads a budget over time: a call at price κ counts c = λ κ, with a fixed λ or the online dual update
//! λ' = [λ + ρ (q - B/T)]₊ of the section "Hard budgets and prices".

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::rationing::{Rationing, Rations};
use crate::refusal::in_range;

/// How the step size ρ of the dual update changes with the decision count t = 1, 2, ….
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepSize {
    /// ρ at every decision.
    Constant(f64),
    /// ρ / √t at decision t.
    InverseSqrt(f64),
}

impl StepSize {
    fn at(self, decision: u64) -> f64 {
        match self {
            Self::Constant(rho) => rho,
            Self::InverseSqrt(rho) => rho / (decision as f64).sqrt(),
        }
    }
}

/// The online update of λ towards a declared call rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DualUpdate {
    /// The schedule ρ, declared before evaluation.
    pub step_size: StepSize,
    /// The declared call rate B/T, in calls per decision.
    pub target_rate: f64,
}

/// Pacing as declared.
///
/// ```
/// use counsel_decision::{Budget, DualUpdate, Execution, Gate, Pacing, Settings, StepSize};
///
/// // The factor rises while more than one decision in twenty asks, and falls while fewer do.
/// let dual = DualUpdate { step_size: StepSize::Constant(0.1), target_rate: 0.05 };
/// let pacing = Pacing { dual: Some(dual), ..Pacing::default() };
/// let settings = Settings { pacing, ..Settings::new(Gate::Value, Execution::Improving, Budget::calls(500)) };
/// assert_eq!(settings.pacing.factor, 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pacing {
    /// The multiplier λ: fixed, or its first value under the dual update.
    pub factor: f64,
    /// How λ moves; absent, it is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dual: Option<DualUpdate>,
    /// How the calls of an episode are spread over its steps; absent, whoever comes first is served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationing: Option<Rationing>,
}

impl Default for Pacing {
    fn default() -> Self {
        Self { factor: 1.0, dual: None, rationing: None }
    }
}

/// The pacing in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PacingAtWork {
    spec: Pacing,
    factor: f64,
    decisions: u64,
    rations: Option<Rations>,
}

impl PacingAtWork {
    /// Pacing at the start of a run.
    pub(crate) fn new(spec: Pacing) -> Result<Self, Error> {
        let finite = "[0, infinity)";
        in_range(
            spec.factor >= 0.0 && spec.factor.is_finite(),
            "pacing.factor",
            spec.factor,
            finite,
            "pass a factor of 0 or more",
        )?;
        if let Some(DualUpdate { step_size, target_rate }) = spec.dual {
            let (StepSize::Constant(rho) | StepSize::InverseSqrt(rho)) = step_size;
            in_range(rho >= 0.0 && rho.is_finite(), "the dual step size", rho, finite, "pass rho >= 0")?;
            in_range((0.0..=1.0).contains(&target_rate), "the target call rate", target_rate, "[0, 1]", "pass B/T")?;
        }
        let rations = spec.rationing.map(Rations::new).transpose()?;
        Ok(Self { spec, factor: spec.factor, decisions: 0, rations })
    }

    /// Pacing as declared.
    pub(crate) fn spec(&self) -> Pacing {
        self.spec
    }

    /// The multiplier λ now.
    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// The paced price c = λ κ of a call at price κ.
    pub(crate) fn of(&self, price: f64) -> f64 {
        self.factor * price
    }

    /// Ends an episode after this many steps.
    pub(crate) fn end_episode(&mut self, steps: u64) {
        if let Some(rations) = &mut self.rations {
            rations.end_episode(steps);
        }
    }

    /// The score below which no call is spared for a decision, with these calls left and after these steps of the episode.
    pub(crate) fn least_score(&self, calls_left: u64, steps: u64) -> f64 {
        self.rations.as_ref().map_or(f64::NEG_INFINITY, |rations| rations.least_score(calls_left, steps))
    }

    /// Moves λ after a decision with this score that asked (q = 1) or did not (q = 0).
    pub(crate) fn settle(&mut self, score: f64, asked: bool) {
        if let Some(rations) = &mut self.rations {
            rations.note(score);
        }
        self.decisions += 1;
        if let Some(dual) = self.spec.dual {
            let q = if asked { 1.0 } else { 0.0 };
            self.factor = (self.factor + dual.step_size.at(self.decisions) * (q - dual.target_rate)).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dual_update_moves_towards_the_rate() {
        let dual = DualUpdate { step_size: StepSize::Constant(0.5), target_rate: 0.2 };
        let mut pacing = PacingAtWork::new(Pacing { factor: 0.1, dual: Some(dual), rationing: None }).unwrap();
        pacing.settle(0.0, true);
        assert!((pacing.factor() - 0.5).abs() < 1e-12);
        for _ in 0..10 {
            pacing.settle(0.0, false);
        }
        assert_eq!(pacing.factor(), 0.0, "factor stops at zero");
        let mut fixed = PacingAtWork::new(Pacing { factor: 2.0, ..Pacing::default() }).unwrap();
        fixed.settle(0.0, true);
        assert_eq!(fixed.of(0.25), 0.5);
        assert!(PacingAtWork::new(Pacing { factor: -1.0, ..Pacing::default() }).is_err());
    }
}
