//! What came of playing a cell: the decisions, and what a reader needs to compute them again.

use counsel_audit::{Calibration, Decision, Totals};
use counsel_decision::{Seed, Settings};

/// A played cell.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) settings: Settings,
    pub(crate) words: Vec<String>,
    pub(crate) engine_seed: Seed,
    pub(crate) calibration: Option<Calibration>,
    pub(crate) totals: Totals,
    pub(crate) decisions: Vec<Decision>,
}

/// The sums over the decisions of a cell.
pub(super) fn totals(decisions: &[Decision], calibration_calls: u64) -> Totals {
    Totals {
        decisions: decisions.len() as u64,
        episodes: decisions.last().map_or(0, |last| last.record.episode + 1),
        calls: decisions.iter().filter(|decision| decision.record.asked()).count() as u64,
        calibration_calls,
        reward: decisions.iter().map(|decision| decision.hindsight.reward).sum(),
    }
}
