//! `predictor`: which response predictor finds the reliable contexts.

use counsel_stats::{brier_score, expected_calibration_error};

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{CellLog, calls};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("predictor error", Show::Mean(3), predictor_error),
            column("Brier", Show::Mean(3), brier),
            column("ECE", Show::Mean(3), calibration_error),
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

/// The predicted laws of the paid responses, and which response each was.
fn forecasts(log: &CellLog<'_>) -> (Vec<Vec<f64>>, Vec<usize>) {
    log.asked()
        .filter_map(|decision| {
            let law = decision.record.evidence.advice.law();
            let response = decision.record.answer()?.response;
            Some((law.as_slice().to_vec(), response.index(law.actions())))
        })
        .unzip()
}

/// The Brier score of the predictions at the queries.
fn brier(log: &CellLog<'_>) -> Option<f64> {
    let (laws, responses) = forecasts(log);
    brier_score(&laws, &responses).ok()
}

/// The expected calibration error of the predictions at the queries, over ten bins.
fn calibration_error(log: &CellLog<'_>) -> Option<f64> {
    let (laws, responses) = forecasts(log);
    expected_calibration_error(&laws, &responses, 10).ok()
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
