//! How well a query was valued, and what a wrong value cost.

use super::log::{CellLog, mean, median, share};

/// The mean of |estimate - truth|, where the truth is in this column.
fn error_against(log: &CellLog<'_>, truth: &'static str) -> Option<f64> {
    let estimate = log.full("estimate");
    let truths = log.frame.reals(truth).iter().zip(estimate);
    mean(truths.map(|(truth, estimate)| truth.map(|truth| (estimate - truth).abs())))
}

pub(super) fn query_value_error(log: &CellLog<'_>) -> Option<f64> {
    error_against(log, "exact_value")
}

pub(super) fn residual(log: &CellLog<'_>) -> Option<f64> {
    error_against(log, "proxy_value")
}

/// What the myopic oracle gains over the gate, Eq. `eq:myopic-surrogate`, summed over the decisions with a call left, and
/// how many those are; `None` if one of them has no exact value.
fn surrogate(log: &CellLog<'_>) -> Option<(f64, usize)> {
    let (asked, left) = (log.asked(), log.counts("calls_left"));
    let (exact, price) = (log.frame.reals("exact_value"), log.full("paced_price"));
    let (mut loss, mut opportunities) = (0.0, 0);
    for row in (0..asked.len()).filter(|row| left[*row] > 0) {
        let net = exact[row]? - price[row];
        loss += net.max(0.0) - if asked[row] { net } else { 0.0 };
        opportunities += 1;
    }
    Some((loss, opportunities))
}

pub(super) fn surrogate_loss(log: &CellLog<'_>) -> Option<f64> {
    surrogate(log).map(|(loss, _)| loss)
}

pub(super) fn surrogate_loss_per_opportunity(log: &CellLog<'_>) -> Option<f64> {
    surrogate(log).map(|(loss, opportunities)| loss / opportunities.max(1) as f64)
}

/// The median radius over all decisions; it may be infinite.
pub(super) fn median_radius(log: &CellLog<'_>) -> Option<f64> {
    median(log.full("radius"))
}

/// The share of decisions at which the estimate reaches the price, and the radius keeps the conservative gate silent.
pub(super) fn abstained(log: &CellLog<'_>) -> Option<f64> {
    let (estimate, radius, price) = (log.full("estimate"), log.full("radius"), log.full("paced_price"));
    share(0..estimate.len(), |row| estimate[row] >= price[row] && estimate[row] - radius[row] < price[row])
}

/// The largest radius in force, where it is finite.
pub(super) fn largest_radius(log: &CellLog<'_>) -> Option<f64> {
    Some(log.full("radius").into_iter().fold(0.0, f64::max)).filter(|radius| radius.is_finite())
}

pub(super) fn log_score(log: &CellLog<'_>) -> Option<f64> {
    mean(log.frame.reals("log_score").iter().copied())
}
