//! `components`: what each part of the controller adds.

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{acceptance, calls, mean_return, surrogate_loss, unsafe_acceptance};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("return", Show::Interval(2), mean_return),
            column("calls", Show::Interval(1), calls),
            column("acceptance", Show::Mean(3), acceptance),
            column("unsafe accept", Show::Interval(3), unsafe_acceptance),
            column("allocation loss", Show::Interval(2), surrogate_loss),
        ],
        comparison: Some(Comparison { baseline: "raw-action", heading: "unsafe accept", decimals: 3 }),
        claims,
    }
}

fn claims(results: &Results) -> Vec<Claim> {
    let calls = |arm| results.mean(arm, "calls");
    let ratio = calls("response-contingent")
        .zip(calls("raw-action"))
        .filter(|(_, other)| *other > 0.0)
        .map(|(one, other)| one / other);
    vec![
        Claim::new(
            "valuing d(y) instead of the raw action lowers unsafe acceptance (paired, Holm-adjusted p < 0.05)",
            results
                .adjusted("response-contingent", "raw-action", "unsafe accept")
                .map(|(difference, p)| difference < 0.0 && p < 0.05),
        ),
        Claim::new(
            format!(
                "at about equal calls (ratio {}, within 10 %)",
                ratio.map_or("unknown".into(), |r| format!("{r:.2}"))
            ),
            ratio.map(|ratio| (ratio - 1.0).abs() <= 0.1),
        ),
        Claim::new(
            "the radius cuts calls (paired, 95 %)",
            results.clearly_above("with-certificate", "full-controller", "calls"),
        ),
    ]
}
