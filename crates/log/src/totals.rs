//! The sums of a cell that a reader wants at a glance. The audit adds them up again from the log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Decision;

/// What was spent before the first logged decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Before {
    /// Calls, to fit the predictor and to calibrate.
    pub calls: u64,
    /// World steps that were simulated to label opportunities.
    pub steps: u64,
}

/// The sums of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Decisions made.
    pub decisions: u64,
    /// Episodes run.
    pub episodes: u64,
    /// Calls made by the controller.
    pub calls: u64,
    /// Calls made before deployment, to fit the predictor and to calibrate.
    pub calibration_calls: u64,
    /// World steps simulated before deployment, to label opportunities.
    pub calibration_steps: u64,
    /// The sum of all rewards.
    pub reward: f64,
}

impl Totals {
    /// The sums over the decisions of a cell, with what was spent before them.
    pub fn of(decisions: &[Decision], before: Before) -> Self {
        Self {
            decisions: decisions.len() as u64,
            episodes: episodes_by_place(decisions).values().sum(),
            calls: decisions.iter().filter(|decision| is_call(decision)).count() as u64,
            calibration_calls: before.calls,
            calibration_steps: before.steps,
            reward: decisions.iter().map(|decision| decision.hindsight.reward).sum(),
        }
    }

    /// The first of these sums that the decisions do not add up to, in words. What was spent before them is in no log.
    pub fn difference(&self, decisions: &[Decision]) -> Option<String> {
        let before = Before { calls: self.calibration_calls, steps: self.calibration_steps };
        let found = Self::of(decisions, before);
        let sums = |totals: &Self| {
            [
                ("decisions", totals.decisions.to_string()),
                ("episodes", totals.episodes.to_string()),
                ("calls", totals.calls.to_string()),
                ("reward", format!("{:?}", totals.reward)),
            ]
        };
        let different = sums(self).into_iter().zip(sums(&found)).find(|(said, found)| said != found);
        different.map(|((name, said), (_, found))| {
            format!("the total of {name} is {found} in the log, its manifest says {said}")
        })
    }
}

/// Whether somebody was paid: the engine asked, or another advisor answered than the first, which is the answer without a call.
fn is_call(decision: &Decision) -> bool {
    decision.record.asked() || decision.route.as_ref().is_some_and(|route| route.chosen > 0)
}

/// How many episodes each place has had.
fn episodes_by_place(decisions: &[Decision]) -> BTreeMap<u64, u64> {
    let last = decisions.iter().map(|decision| (decision.record.place, decision.record.episode + 1));
    last.collect()
}
