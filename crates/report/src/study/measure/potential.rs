//! The potential of the query-accounting proposition: the advice value that can still be realised.

use super::log::{CellLog, mean};

/// Φ before the first decision.
pub(super) fn initial(log: &CellLog<'_>) -> Option<f64> {
    log.frame.reals("potential").first().copied().flatten()
}

/// What each query took of Φ.
fn decreases(log: &CellLog<'_>) -> Vec<Option<f64>> {
    let (before, after) = (log.frame.reals("potential"), log.frame.reals("potential_after"));
    let decrease = |row: usize| before[row].zip(after[row]).map(|(before, after)| before - after);
    log.answers().rows.into_iter().map(decrease).collect()
}

/// The mean decrease of Φ at a query, the measured d.
pub(super) fn decrease_per_query(log: &CellLog<'_>) -> Option<f64> {
    mean(decreases(log).into_iter())
}

/// Φ₀ minus what the queries took: N d <= Φ₀ for the N queries of a run and their mean decrease d.
pub(super) fn left(log: &CellLog<'_>) -> Option<f64> {
    Some(initial(log)? - decreases(log).into_iter().sum::<Option<f64>>()?)
}

/// The total change of Φ outside queries: at decisions without one, and between decisions.
pub(super) fn change_elsewhere(log: &CellLog<'_>) -> Option<f64> {
    let (before, after) = (log.frame.reals("potential"), log.frame.reals("potential_after"));
    let asked = log.asked();
    let mut change = 0.0;
    for row in (0..asked.len()).filter(|row| !asked[*row]) {
        change += after[row]? - before[row]?;
    }
    for next in 1..asked.len() {
        change += before[next]? - after[next - 1]?;
    }
    Some(change)
}
