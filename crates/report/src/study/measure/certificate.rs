//! What the certificate admits: an action whose lower bound reaches the highest upper bound minus the tolerance.

use counsel_decision::ExecutionRule;

use super::log::{CellLog, share};

/// Room for rounding when what is left to win is set against the tolerance.
const ROUNDING: f64 = 1e-9;

/// The certificate's tolerance, where the controller has a certificate.
fn tolerance(log: &CellLog<'_>) -> Option<f64> {
    match log.manifest.controller.execution {
        ExecutionRule::Certified { tolerance } => Some(tolerance),
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
