//! `informative`: four ways to value the answer of an advisor whose likelihood is known.

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{CellLog, calls, mean, mean_return, query_value_error, surrogate_loss};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("query-value error", Show::Mean(3), query_value_error),
            column("posterior log score", Show::Mean(3), log_score),
            column("surrogate loss", Show::Mean(3), surrogate_loss_per_opportunity),
            column("return", Show::Interval(3), mean_return),
            column("calls", Show::Mean(1), calls),
        ],
        comparison: Some(Comparison { baseline: "no-query", heading: "return", decimals: 3 }),
        claims,
    }
}

/// The mean logarithm of the probability given to the true task after the decision.
fn log_score(log: &CellLog<'_>) -> Option<f64> {
    mean(log.decisions.iter().map(|decision| decision.hindsight.log_score))
}

/// The surrogate loss per decision at which a call was left.
fn surrogate_loss_per_opportunity(log: &CellLog<'_>) -> Option<f64> {
    let opportunities = log.decisions.iter().filter(|decision| decision.record.calls_left > 0).count();
    surrogate_loss(log).map(|loss| loss / opportunities.max(1) as f64)
}

fn claims(results: &Results) -> Vec<Claim> {
    let error = |arm| results.mean(arm, "query-value error");
    let exactly = |arm, value: f64| error(arm).map(|error| (error - value).abs() < 1e-9);
    let both = |one: Option<bool>, other: Option<bool>| Some(one? && other?);
    let above = |arm, other, heading| Some(results.mean(arm, heading)? > results.mean(other, heading)?);
    let score = "posterior log score";
    let same = results.values("no-query", "return").zip(results.values("marginal-factorization", "return"));
    vec![
        Claim::new(
            "the query-value error is 0.300 without a query and under marginal factorisation",
            both(exactly("no-query", 0.3), exactly("marginal-factorization", 0.3)),
        ),
        Claim::new(
            "it is 0.000 for the two estimators that use the joint law",
            both(exactly("candidate-only", 0.0), exactly("response-conditioned", 0.0)),
        ),
        Claim::new(
            "the log score improves only when the belief is conditioned",
            both(
                above("response-conditioned", "candidate-only", score),
                Some(results.mean("candidate-only", score) == results.mean("no-query", score)),
            ),
        ),
        Claim::new("no query and marginal factorisation return the same, seed by seed", same.map(|(a, b)| a == b)),
        Claim::new(
            "candidate-only returns more than no query, and the conditioned belief more than candidate-only (paired, 95 %)",
            both(
                results.clearly_above("candidate-only", "no-query", "return"),
                results.clearly_above("response-conditioned", "candidate-only", "return"),
            ),
        ),
    ]
}
