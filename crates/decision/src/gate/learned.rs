//! Asks where the lower bound of the learned value reaches the price: w·x - z se(x) >= c. Whoever plays learns the value from
//! what earlier queries turned out to be worth, so the first calls are made at random; they count as any other call.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::policy::Progress;
use super::{Signals, Standing};
use crate::refusal::{Refusal, in_range};

/// How a learned value is acted upon.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `caution` | 0.5 | 0 or more |
/// | `first` | 24 | 0 or more |
/// | `chance` | 0.05 | above 0, at most 1 |
/// | `per_episode` | as many as the budget allows | 0 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Learned {
    /// z: how many standard errors are taken off the value.
    pub caution: f64,
    /// Calls that are made at random before the value counts.
    pub first: u64,
    /// The chance of each decision to be one of them.
    pub chance: f64,
    /// Calls at most in one episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_episode: Option<u64>,
}

impl Default for Learned {
    fn default() -> Self {
        Self { caution: 0.5, first: 24, chance: 0.05, per_episode: None }
    }
}

impl Learned {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let (caution, chance) = (self.caution, self.chance);
        let remedy = "pass how many standard errors are taken off";
        in_range(caution >= 0.0 && caution.is_finite(), "gate.caution", caution, "[0, infinity)", remedy)?;
        in_range(chance > 0.0 && chance <= 1.0, "gate.chance", chance, "(0, 1]", "pass the chance of a first call")
    }

    pub(super) fn weigh(&self, signals: &Signals<'_>, progress: &Progress, rng: &mut ChaCha8Rng) -> Standing {
        if self.per_episode.is_some_and(|most| progress.asked_in_episode >= most) {
            return Standing { score: f64::NEG_INFINITY, threshold: signals.paced_price };
        }
        if progress.asked < self.first {
            // A draw in (0, 1], so that a chance of 1 always asks.
            return Standing { score: self.chance, threshold: 1.0 - rng.random::<f64>() };
        }
        let bound = signals.evidence.forecast.map_or(f64::NEG_INFINITY, |f| f.value() - self.caution * f.error());
        Standing { score: bound, threshold: signals.paced_price }
    }
}
