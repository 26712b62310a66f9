//! The fallback's Bellman gap against its confidence width, at the steps where no advice was executed.

use counsel_stats::log_log_slope;

use super::log::{CellLog, at};

/// Points per factor of ten at which the cumulative gap is looked at.
const POINTS_PER_DECADE: f64 = 16.0;
/// The first step at which it is looked at.
const FIRST: f64 = 10.0;

/// Whether advice was executed, decision by decision.
fn advised(log: &CellLog<'_>) -> Vec<bool> {
    log.frame.words("certificate").iter().map(|certificate| certificate == Some("executed")).collect()
}

/// The gaps of the fallback's proposals, in order; zero where advice was executed in their place.
fn gaps(log: &CellLog<'_>) -> Vec<Option<f64>> {
    let gaps = log.frame.reals("base_gap").iter().zip(advised(log));
    gaps.map(|(gap, advised)| if advised { Some(0.0) } else { *gap }).collect()
}

pub(super) fn fallback_gap(log: &CellLog<'_>) -> Option<f64> {
    gaps(log).into_iter().sum()
}

/// The widths of the fallback's proposals at the same steps. The lemma is about an optimistic fallback, so the quantity
/// does not exist for another one.
pub(super) fn width_sum(log: &CellLog<'_>) -> Option<f64> {
    if at(&log.manifest.spec, "learner.kind")?.as_str()? != "optimistic" {
        return None;
    }
    let (lower, upper) = (log.frame.real_lists("lower_bounds"), log.frame.real_lists("upper_bounds"));
    let (base, advised) = (log.frame.ints("base"), advised(log));
    let width = |row: usize| {
        let action = usize::try_from(base[row]?).ok()?;
        Some(upper.row(row).get(action)? - lower.row(row).get(action)?)
    };
    (0..log.frame.rows()).filter(|row| !advised[*row]).map(width).sum()
}

/// 1 where the gap is at most the width sum.
pub(super) fn gap_within_width(log: &CellLog<'_>) -> Option<f64> {
    Some(if fallback_gap(log)? <= width_sum(log)? { 1.0 } else { 0.0 })
}

/// The slope of the cumulative gap against the number of steps on logarithmic axes, at points evenly spaced there.
pub(super) fn growth_slope(log: &CellLog<'_>) -> Option<f64> {
    let (mut steps, mut totals) = (Vec::new(), Vec::new());
    let (mut total, mut next) = (0.0, FIRST);
    for (row, gap) in gaps(log).into_iter().enumerate() {
        total += gap?;
        let step = (row + 1) as f64;
        if step >= next {
            steps.push(step);
            totals.push(total);
            next = step * 10f64.powf(1.0 / POINTS_PER_DECADE);
        }
    }
    log_log_slope(&steps, &totals).ok().flatten().map(|slope| slope.slope)
}
