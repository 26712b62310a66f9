//! What a call costs: c = λ κ, with a fixed λ or the online dual update
//! λ' = [λ + ρ (q - B/T)]₊ of the section "Hard budgets and prices".

use serde::{Deserialize, Serialize};

use crate::Error;
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

/// The price as declared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceSpec {
    /// The multiplier λ, or its first value under the dual update.
    pub lambda: f64,
    /// How λ moves; absent, it is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dual: Option<DualUpdate>,
}

impl Default for PriceSpec {
    fn default() -> Self {
        Self { lambda: 1.0, dual: None }
    }
}

/// The price in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    spec: PriceSpec,
    lambda: f64,
    decisions: u64,
}

impl Price {
    /// The price at the start of a run.
    pub fn new(spec: PriceSpec) -> Result<Self, Error> {
        let finite = "[0, infinity)";
        in_range(spec.lambda >= 0.0 && spec.lambda.is_finite(), "lambda", spec.lambda, finite, "pass lambda >= 0")?;
        if let Some(DualUpdate { step_size, target_rate }) = spec.dual {
            let (StepSize::Constant(rho) | StepSize::InverseSqrt(rho)) = step_size;
            in_range(rho >= 0.0 && rho.is_finite(), "the dual step size", rho, finite, "pass rho >= 0")?;
            in_range((0.0..=1.0).contains(&target_rate), "the target call rate", target_rate, "[0, 1]", "pass B/T")?;
        }
        Ok(Self { spec, lambda: spec.lambda, decisions: 0 })
    }

    /// The multiplier λ now.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// The price c = λ κ of a call whose cost is κ.
    pub fn of(&self, kappa: f64) -> f64 {
        self.lambda * kappa
    }

    /// Moves λ after a decision that asked (q = 1) or did not (q = 0).
    pub fn settle(&mut self, asked: bool) {
        self.decisions += 1;
        if let Some(dual) = self.spec.dual {
            let q = if asked { 1.0 } else { 0.0 };
            self.lambda = (self.lambda + dual.step_size.at(self.decisions) * (q - dual.target_rate)).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dual_update_moves_towards_the_rate() {
        let dual = DualUpdate { step_size: StepSize::Constant(0.5), target_rate: 0.2 };
        let mut price = Price::new(PriceSpec { lambda: 0.1, dual: Some(dual) }).unwrap();
        price.settle(true);
        assert!((price.lambda() - 0.5).abs() < 1e-12);
        for _ in 0..10 {
            price.settle(false);
        }
        assert_eq!(price.lambda(), 0.0, "lambda stops at zero");
        let mut fixed = Price::new(PriceSpec { lambda: 2.0, dual: None }).unwrap();
        fixed.settle(true);
        assert_eq!(fixed.of(0.25), 0.5);
        assert!(Price::new(PriceSpec { lambda: -1.0, dual: None }).is_err());
    }
}
