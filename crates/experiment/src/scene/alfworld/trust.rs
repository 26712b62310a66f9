//! What the advisor's word is worth: how much more its answers bring than the learner thinks, found on games of training.
//!
//! An answer that only proposes an action leaves values as they are, and no answer beats the greedy command by the learner's own
//! values: without more, nothing would ever act. So in the prefix, states with an answer are continued on copies of the game,
//! once with the answer and once with the learner's own command, and the learner goes on in both. The mean of what that gains
//! beyond what the learner's values say is the credit that the advisor's word adds to the value and the bounds of a command.

use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

/// How the worth of the advisor's word is found.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `states` | 8 | answered states of each episode of the prefix that are continued, 1 to 64 |
/// | `replicates` | 2 | pairs of continuations of each, 1 to 64 |
/// | `caution` | 1 | standard errors that are taken off, 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrustSpec {
    /// Answered states of each episode that are continued.
    pub states: usize,
    /// Pairs of continuations of each.
    pub replicates: usize,
    /// Standard errors that are taken off.
    pub caution: f64,
}

impl Default for TrustSpec {
    fn default() -> Self {
        Self { states: 8, replicates: 2, caution: 1.0 }
    }
}

impl TrustSpec {
    /// Refuses what is outside its range.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let remedy = "the defaults are 8, 2 and 1";
        for (what, value) in [("trust.states", self.states), ("trust.replicates", self.replicates)] {
            in_range((1..=64).contains(&value), what, value as f64, "1 to 64", remedy)?;
        }
        let Self { caution, .. } = *self;
        in_range(caution >= 0.0 && caution.is_finite(), "trust.caution", caution, "[0, infinity)", remedy)
    }

    /// The credit after these surpluses; none without two of them.
    pub(super) fn credit(&self, surpluses: &[f64]) -> f64 {
        let count = surpluses.len() as f64;
        if count < 2.0 {
            return 0.0;
        }
        let mean = surpluses.iter().sum::<f64>() / count;
        let variance = surpluses.iter().map(|surplus| (surplus - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean - self.caution * (variance / count).sqrt()).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credit_is_the_mean_surplus_less_its_error_and_never_below_zero() {
        let trust = TrustSpec::default();
        assert_eq!(trust.credit(&[0.7]), 0.0);
        assert!((trust.credit(&[0.2, 0.4]) - 0.2).abs() < 1e-12);
        assert_eq!(trust.credit(&[-0.2, -0.4]), 0.0);
    }
}
