//! `lock`: the full controller on the combination lock.

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::drawing::Drawing;
use super::measure::{CellLog, acceptance, calls_per_episode, mean_return, query_value_error, returns, surrogate_loss};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("return", Show::Interval(3), mean_return),
            column("calls per episode", Show::Mean(2), calls_per_episode),
            column("acceptance", Show::Mean(3), acceptance),
            column("residual", Show::Mean(4), query_value_error),
            column("radius", Show::Mean(4), radius),
            column("surrogate loss", Show::Interval(3), surrogate_loss),
        ],
        comparison: Some(Comparison { baseline: "never", heading: "return", decimals: 4 }),
        claims,
    }
}

pub(super) fn drawings() -> Vec<Drawing> {
    vec![
        Drawing::Curve { quantity: "return", measure: returns, arms: &[] },
        Drawing::Frontier { paid: "calls per episode", gained: "return" },
    ]
}

/// The largest finite radius in force.
pub(super) fn radius(log: &CellLog<'_>) -> Option<f64> {
    let radii = log.decisions.iter().map(|decision| decision.record.evidence.radius.value());
    Some(radii.fold(0.0, f64::max)).filter(|radius| radius.is_finite())
}

fn claims(results: &Results) -> Vec<Claim> {
    let gain = results.paired("controller", "never", "return");
    let calls = |arm| results.mean(arm, "calls per episode");
    let fraction = calls("controller")
        .zip(calls("always"))
        .filter(|(_, always)| *always > 0.0)
        .map(|(ours, always)| ours / always);
    let closed = |reference: &str| {
        let to = results.paired(reference, "never", "return")?.mean_difference;
        (to > 0.0).then_some(100.0 * gain.as_ref()?.mean_difference / to)
    };
    let words = |share: Option<f64>| share.map_or_else(|| "an unknown share".into(), |share| format!("{share:.0} %"));
    vec![
        Claim::new(
            "the controller's paired gain over never-query excludes zero (95 %, and after Holm's adjustment)",
            results
                .clearly_above("controller", "never", "return")
                .zip(results.adjusted("controller", "never", "return"))
                .map(|(above, (_, p))| above && p < 0.05),
        ),
        Claim::new(
            format!(
                "it makes {} of always-advice's calls, a tenth or less",
                words(fraction.map(|share| 100.0 * share))
            ),
            fraction.map(|share| share <= 0.1),
        ),
        Claim::new(
            format!(
                "it closes {} of the gap to the oracle gate and {} of the gap to perfect advice; both are above zero",
                words(closed("oracle-gate")),
                words(closed("perfect-advice"))
            ),
            closed("oracle-gate").zip(closed("perfect-advice")).map(|(gate, advice)| gate > 0.0 && advice > 0.0),
        ),
    ]
}
