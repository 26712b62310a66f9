//! `limits`: how acquisition and execution behave where price or reliability become extreme.

use counsel_decision::ExecutionRule;

use super::claim::Claim;
use super::description::{Comparison, Description, Show, column};
use super::measure::{CellLog, acceptance, calls, executed_advice, mean_return, share};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("return", Show::Interval(2), mean_return),
            column("calls", Show::Mean(1), calls),
            column("asked", Show::Mean(3), asked),
            column("asked where the lower bound paid", Show::Mean(3), asked_where_it_paid),
            column("acceptance", Show::Mean(3), acceptance),
            column("executed and certified", Show::Mean(3), executed_is_certified),
        ],
        comparison: Some(Comparison { baseline: "never", heading: "return", decimals: 3 }),
        claims,
    }
}

/// The share of decisions at which a call was made.
fn asked(log: &CellLog<'_>) -> Option<f64> {
    share(log.decisions.iter(), |decision| decision.record.asked())
}

/// Of the decisions where the lower confidence bound reached the price and a call was left, the share that asked.
fn asked_where_it_paid(log: &CellLog<'_>) -> Option<f64> {
    let paid = log.decisions.iter().filter(|decision| {
        let record = &decision.record;
        record.estimate - record.evidence.radius.value() >= record.price && record.calls_left > 0
    });
    share(paid, |decision| decision.record.asked())
}

/// Of the executed answers, the share that satisfies the certificate.
fn executed_is_certified(log: &CellLog<'_>) -> Option<f64> {
    let ExecutionRule::Certified { tolerance } = log.manifest.controller.execution else { return None };
    share(log.asked().filter(|decision| executed_advice(decision)), |decision| {
        let bounds = decision.record.evidence.advice.none().bounds();
        bounds.lower()[decision.record.executed.index()] >= bounds.ceiling() - tolerance
    })
}

fn claims(results: &Results) -> Vec<Claim> {
    let mean = |arm, heading| results.mean(arm, heading);
    let one = |arm, heading| mean(arm, heading).map(|share| share == 1.0);
    let both = |one: Option<bool>, other: Option<bool>| Some(one? && other?);
    let same = results.values("price-to-infinity", "return").zip(results.values("never", "return"));
    vec![
        Claim::new(
            "price to zero: it asks wherever the lower bound is not negative, and executes only what is certified",
            both(
                one("price-to-zero", "asked where the lower bound paid"),
                one("price-to-zero", "executed and certified"),
            ),
        ),
        Claim::new(
            "price to infinity: no call, and the fallback's return exactly, seed by seed",
            both(mean("price-to-infinity", "calls").map(|calls| calls == 0.0), same.map(|(one, other)| one == other)),
        ),
        Claim::new(
            "reliable advisor: it asks at fewer than a tenth of the decisions and accepts more than half of the answers",
            both(
                mean("reliable", "asked").map(|share| share < 0.1),
                mean("reliable", "acceptance").map(|share| share > 0.5),
            ),
        ),
        Claim::new(
            "repeatedly wrong advisor: fewer calls than with the reliable one (paired, 95 %), and every executed answer certified",
            both(
                results.clearly_above("reliable", "correlated-wrong", "calls"),
                one("correlated-wrong", "executed and certified"),
            ),
        ),
        Claim::new(
            "repeatedly wrong advisor: a predictor that learns asks less than one that cannot (paired, 95 %)",
            results.clearly_above("correlated-wrong-blind", "correlated-wrong", "calls"),
        ),
    ]
}
