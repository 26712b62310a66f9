//! `query-count`: queries against reliability, and the measured potential of the query-accounting proposition.

use super::claim::Claim;
use super::description::{Description, Show, column};
use super::drawing::Drawing;
use super::measure::{CellLog, calls, mean, mean_return};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("queries", Show::Interval(1), calls),
            column("initial potential", Show::Mean(2), initial_potential),
            column("decrease per query", Show::Interval(3), decrease_per_query),
            column("change elsewhere", Show::Interval(3), change_elsewhere),
            column("return", Show::Interval(3), mean_return),
        ],
        comparison: None,
        claims,
    }
}

pub(super) fn drawings() -> Vec<Drawing> {
    const RELIABILITY: &[&str] = &["advisor", "reliability", "constant"];
    vec![
        Drawing::Frontier { paid: "queries", gained: "return" },
        Drawing::Sweep { setting: "the advisor's reliability", path: RELIABILITY, measured: "queries" },
    ]
}

/// Φ before the first decision.
fn initial_potential(log: &CellLog<'_>) -> Option<f64> {
    log.decisions.first()?.hindsight.potential
}

/// The mean decrease of Φ at a query, the measured d.
fn decrease_per_query(log: &CellLog<'_>) -> Option<f64> {
    mean(
        log.asked()
            .map(|d| d.hindsight.potential.zip(d.hindsight.potential_after).map(|(before, after)| before - after)),
    )
}

/// The total change of Φ outside queries: at decisions without one, and between decisions.
fn change_elsewhere(log: &CellLog<'_>) -> Option<f64> {
    let mut change = 0.0;
    for decision in log.decisions.iter().filter(|decision| !decision.record.asked()) {
        change += decision.hindsight.potential_after? - decision.hindsight.potential?;
    }
    for pair in log.decisions.windows(2) {
        change += pair[1].hindsight.potential? - pair[0].hindsight.potential_after?;
    }
    Some(change)
}

fn claims(results: &Results) -> Vec<Claim> {
    let arms: Vec<&str> = results.arms.iter().map(|arm| arm.name.as_str()).collect();
    let queries = |arm: &str| results.mean(arm, "queries");
    let falling = |pair: &[&str]| queries(pair[0]).zip(queries(pair[1])).map(|(less, more)| less > more);
    let all = |truths: Vec<Option<bool>>| truths.into_iter().collect::<Option<Vec<_>>>().map(|t| t.iter().all(|x| *x));
    // N <= Φ₀ / d, written without the division so that d = 0 makes no claim.
    let bounded = |arm: &str| {
        let decrease = results.mean(arm, "decrease per query")?;
        Some(queries(arm)? * decrease <= results.mean(arm, "initial potential")? + 1e-9)
    };
    let no_increase = |arm: &str| results.mean(arm, "change elsewhere").map(|change| change <= 1e-9);
    let positive = |arm: &str| results.mean(arm, "decrease per query").map(|decrease| decrease > 0.0);
    vec![
        Claim::new("queries fall strictly as reliability rises", all(arms.windows(2).map(falling).collect())),
        Claim::new(
            "each query lowers the potential on average, at every reliability",
            all(arms.iter().map(|a| positive(a)).collect()),
        ),
        Claim::new(
            "outside queries the potential does not rise on average",
            all(arms.iter().map(|a| no_increase(a)).collect()),
        ),
        Claim::new(
            "queries are at most the initial potential over the measured decrease per query",
            all(arms.iter().map(|a| bounded(a)).collect()),
        ),
    ]
}
