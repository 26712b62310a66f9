//! Numbers of one cell, computed from its decisions. A measure that the log does not support is absent.

use counsel_decision::{Response, Verdict};
use counsel_log::{Decision, Manifest};

/// One cell's log.
pub(super) struct CellLog<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) decisions: &'a [Decision],
}

impl CellLog<'_> {
    /// The decisions at which a call was made.
    pub(super) fn asked(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|decision| decision.record.asked())
    }

    /// A number of the cell's specification, by its path.
    pub(super) fn setting(&self, path: &[&str]) -> Option<f64> {
        path.iter().try_fold(&self.manifest.spec, |value, key| value.get(key))?.as_f64()
    }
}

/// Whether the answer of this decision was executed.
pub(super) fn executed_advice(decision: &Decision) -> bool {
    decision.record.answer().is_some_and(|answer| answer.verdict == Verdict::Executed)
}

/// Whether the answer of this decision named an action that is worse than the best.
pub(super) fn wrong_advice(decision: &Decision) -> bool {
    decision.hindsight.advice_gap.is_some_and(|gap| gap > 1e-9)
}

/// Whether the answer of this decision named a best action.
fn right_advice(decision: &Decision) -> bool {
    decision.hindsight.advice_gap.is_some_and(|gap| gap <= 1e-9)
}

/// The share of `items` that `has`; nothing if there are none.
pub(super) fn share<'a>(items: impl Iterator<Item = &'a Decision>, has: impl Fn(&Decision) -> bool) -> Option<f64> {
    let (mut count, mut of) = (0u64, 0u64);
    for item in items {
        count += u64::from(has(item));
        of += 1;
    }
    (of > 0).then(|| count as f64 / of as f64)
}

/// The mean of the numbers that are there; nothing if none is.
pub(super) fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0u64);
    for value in values.flatten() {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

fn episodes(log: &CellLog<'_>) -> Option<f64> {
    log.decisions.last().map(|last| (last.record.episode + 1) as f64)
}

/// The mean undiscounted return of an episode.
pub(super) fn mean_return(log: &CellLog<'_>) -> Option<f64> {
    let total: f64 = log.decisions.iter().map(|decision| decision.hindsight.reward).sum();
    episodes(log).map(|episodes| total / episodes)
}

/// The undiscounted return of every episode.
pub(super) fn returns(log: &CellLog<'_>) -> Vec<f64> {
    let by_episode = log.decisions.chunk_by(|one, next| one.record.episode == next.record.episode);
    by_episode.map(|episode| episode.iter().map(|decision| decision.hindsight.reward).sum()).collect()
}

/// Calls in the run.
pub(super) fn calls(log: &CellLog<'_>) -> Option<f64> {
    Some(log.asked().count() as f64)
}

/// Calls per episode.
pub(super) fn calls_per_episode(log: &CellLog<'_>) -> Option<f64> {
    episodes(log).map(|episodes| log.asked().count() as f64 / episodes)
}

/// The mean return of an episode minus the cost of its calls.
pub(super) fn cost_adjusted_return(log: &CellLog<'_>) -> Option<f64> {
    let cost: f64 = log.asked().map(|decision| decision.record.evidence.kappa).sum();
    Some(mean_return(log)? - cost / episodes(log)?)
}

/// The share of answers that were executed.
pub(super) fn acceptance(log: &CellLog<'_>) -> Option<f64> {
    share(log.asked(), executed_advice)
}

/// The share of answers that were wrong and executed.
pub(super) fn unsafe_acceptance(log: &CellLog<'_>) -> Option<f64> {
    share(log.asked(), |decision| executed_advice(decision) && wrong_advice(decision))
}

/// The share of wrong answers that were executed.
pub(super) fn wrong_acceptance(log: &CellLog<'_>) -> Option<f64> {
    share(log.asked().filter(|decision| wrong_advice(decision)), executed_advice)
}

/// The share of right answers that were not executed.
pub(super) fn right_rejection(log: &CellLog<'_>) -> Option<f64> {
    share(log.asked().filter(|decision| right_advice(decision)), |decision| !executed_advice(decision))
}

/// The share of answers that could not be understood.
pub(super) fn unusable(log: &CellLog<'_>) -> Option<f64> {
    share(log.asked(), |d| d.record.answer().is_some_and(|answer| answer.response == Response::Unusable))
}

/// The loss in the myopic surrogate against the oracle, over decisions with a call left.
pub(super) fn surrogate_loss(log: &CellLog<'_>) -> Option<f64> {
    let mut loss = 0.0;
    for decision in log.decisions.iter().filter(|decision| decision.record.calls_left > 0) {
        let net = decision.hindsight.exact_value? - decision.record.price;
        loss += net.max(0.0) - if decision.record.asked() { net } else { 0.0 };
    }
    Some(loss)
}

/// The mean of |estimate - exact value|.
pub(super) fn query_value_error(log: &CellLog<'_>) -> Option<f64> {
    mean(log.decisions.iter().map(|d| d.hindsight.exact_value.map(|exact| (d.record.estimate - exact).abs())))
}
