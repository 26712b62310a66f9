//! What the certificate admits: an action whose lower bound reaches the highest upper bound minus the tolerance.

use counsel_decision::Execution;

use super::log::{CellLog, mean, share};

/// Room for rounding when what is left to win is set against the tolerance.
const ROUNDING: f64 = 1e-9;

/// The certificate's tolerance, where the controller has a certificate.
fn tolerance(log: &CellLog<'_>) -> Option<f64> {
    match log.manifest.settings.execution {
        Execution::Certified { tolerance } => Some(tolerance),
        _ => None,
    }
}

/// Whether the bounds of a row certify an action.
fn certifies<'a>(log: &'a CellLog<'_>, tolerance: f64) -> impl Fn(usize, i64) -> bool + 'a {
    let (lower, upper) = (log.frame.real_lists("lower_bounds"), log.frame.real_lists("upper_bounds"));
    move |row, action| {
        let ceiling = upper.row(row).iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let floor = usize::try_from(action).ok().and_then(|action| lower.row(row).get(action).copied());
        floor.is_some_and(|floor| floor >= ceiling - tolerance)
    }
}

pub(super) fn executed_and_certified(log: &CellLog<'_>) -> Option<f64> {
    let certifies = certifies(log, tolerance(log)?);
    let (answers, executed) = (log.answers(), log.frame.ints("executed"));
    answers.share(|row| answers.executed(row), |row| executed[row].is_some_and(|action| certifies(row, action)))
}

/// Whether each action's optimal value lies within its bounds, decision by decision, where it is known: the premise of
/// Lemma `lem:certified`.
fn covered(log: &CellLog<'_>) -> Vec<Vec<bool>> {
    let (lower, upper) = (log.frame.real_lists("lower_bounds"), log.frame.real_lists("upper_bounds"));
    let optimal = log.frame.real_lists("optimal_values");
    let within = |row: usize| {
        let bounds = lower.row(row).iter().zip(upper.row(row));
        let truths = optimal.row(row).iter().zip(bounds);
        truths.map(|(truth, (lower, upper))| (lower - ROUNDING..=upper + ROUNDING).contains(truth)).collect()
    };
    (0..log.frame.rows()).filter(|row| !optimal.row(*row).is_empty()).map(within).collect()
}

pub(super) fn optimum_covered(log: &CellLog<'_>) -> Option<f64> {
    mean(covered(log).into_iter().flatten().map(|within| Some(f64::from(u8::from(within)))))
}

pub(super) fn optima_covered(log: &CellLog<'_>) -> Option<f64> {
    let covered = covered(log);
    share(0..covered.len(), |at| covered[at].iter().all(|within| *within))
}

/// The mean of an action's upper bound minus its lower one.
pub(super) fn width(log: &CellLog<'_>) -> Option<f64> {
    let (lower, upper) = (log.frame.real_lists("lower_bounds"), log.frame.real_lists("upper_bounds"));
    let widths = |row: usize| lower.row(row).iter().zip(upper.row(row)).map(|(lower, upper)| Some(upper - lower));
    mean((0..log.frame.rows()).flat_map(widths))
}

pub(super) fn right_certified(log: &CellLog<'_>) -> Option<f64> {
    certified_among(log, |_, _| true)
}

/// Only over decisions at which more value is left to win than the tolerance: elsewhere any bounds certify.
pub(super) fn certified_in_range(log: &CellLog<'_>) -> Option<f64> {
    let horizon = log.setting("world.horizon")?;
    certified_among(log, |stage, tolerance| (horizon - stage) / horizon > tolerance + ROUNDING)
}

fn certified_among(log: &CellLog<'_>, counts: impl Fn(f64, f64) -> bool) -> Option<f64> {
    let tolerance = tolerance(log)?;
    let (certifies, right, stage) =
        (certifies(log, tolerance), log.frame.ints("right_action"), log.counts("step_in_episode"));
    let among = (0..log.frame.rows()).filter(|row| counts(stage[*row] as f64, tolerance));
    share(among, |row| right[row].is_some_and(|action| certifies(row, action)))
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{cell, episode};
    use super::*;

    #[test]
    fn optimal_values_are_held_against_the_bounds_where_they_are_known() {
        // The bounds of a specimen are 0 and 1 for both actions.
        let mut decisions = episode(0, 3, 1.0);
        decisions[0].hindsight.optimal_values = vec![0.4, 1.0];
        decisions[1].hindsight.optimal_values = vec![-0.1, 0.5];
        let cell = cell(&decisions);
        assert_eq!(width(&cell.log()), Some(1.0));
        assert_eq!((optimum_covered(&cell.log()), optima_covered(&cell.log())), (Some(0.75), Some(0.5)));
    }

    #[test]
    fn without_optimal_values_nothing_is_said_of_the_bounds() {
        let cell = cell(&episode(0, 3, 1.0));
        assert_eq!((optimum_covered(&cell.log()), optima_covered(&cell.log())), (None, None));
    }
}
