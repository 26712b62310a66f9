//! `predictor`: which response predictor finds the reliable contexts.

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{CellLog, calls};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("predictor error", Show::Mean(3), predictor_error),
            column("resolutions", Show::Interval(2), resolutions),
            column("queries", Show::Mean(1), calls),
        ],
        comparison: Some(Comparison { baseline: "uniform", heading: "resolutions", decimals: 2 }),
        claims,
    }
}

/// The mean absolute error of the predicted laws over all contexts, at the last query.
fn predictor_error(log: &CellLog<'_>) -> Option<f64> {
    log.decisions.last()?.hindsight.law_error
}

/// Contexts whose right action was found.
fn resolutions(log: &CellLog<'_>) -> Option<f64> {
    Some(log.decisions.iter().map(|decision| decision.hindsight.reward).sum())
}

fn claims(results: &Results) -> Vec<Claim> {
    const ORDER: [&str; 5] = ["uniform", "global-frequency", "per-context", "feature-generalising", "replay-oracle"];
    let error = |arm: &str| results.mean(arm, "predictor error");
    let ordered = ORDER
        .windows(2)
        .map(|pair| error(pair[0]).zip(error(pair[1])).map(|(worse, better)| worse > better))
        .collect::<Option<Vec<bool>>>();
    let beats = ORDER[..3]
        .iter()
        .map(|arm| results.clearly_above("feature-generalising", arm, "resolutions"))
        .collect::<Option<Vec<bool>>>();
    let tied = results.mean("per-context", "resolutions").zip(results.mean("uniform", "resolutions"));
    vec![
        Claim::new(
            "predictor error ranks uniform > global frequency > per-context > feature-generalising > oracle",
            ordered.map(|pairs| pairs.iter().all(|pair| *pair)),
        ),
        Claim::new(
            "the feature-generalising predictor resolves more than each of the other deployable ones (paired, 95 %)",
            beats.map(|pairs| pairs.iter().all(|pair| *pair)),
        ),
        Claim::new(
            "a per-context predictor resolves no more than a uniform one",
            tied.map(|(per, uniform)| per <= uniform),
        ),
        Claim::new(
            "the oracle resolves the most (paired, 95 %)",
            results.clearly_above("replay-oracle", "feature-generalising", "resolutions"),
        ),
    ]
}
