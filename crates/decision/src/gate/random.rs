//! Asks at exactly k of N declared decisions, every choice of k equally likely: with m calls to go and r decisions to go,
//! it asks with probability m / r (selection sampling).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::policy::Progress;
use super::{Signals, Standing};

/// A number of calls, spread at random over the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    /// k: calls to make.
    pub calls: u64,
    /// N: decisions in the run.
    pub decisions: u64,
}

impl Random {
    pub(super) fn weigh(self, signals: &Signals<'_>, progress: &Progress, rng: &mut ChaCha8Rng) -> Standing {
        let calls_to_go = self.calls.saturating_sub(progress.asked);
        let decisions_to_go = self.decisions.saturating_sub(signals.step);
        select(calls_to_go, decisions_to_go, rng)
    }
}

/// Asks with probability m / r. The draw lies in (0, 1], so that m = 0 never asks and m >= r always does.
pub(super) fn select(calls_to_go: u64, decisions_to_go: u64, rng: &mut ChaCha8Rng) -> Standing {
    let draw = 1.0 - rng.random::<f64>();
    let score = if decisions_to_go == 0 { 0.0 } else { calls_to_go as f64 / decisions_to_go as f64 };
    Standing { score, threshold: draw }
}
