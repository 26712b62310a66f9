//! `stability`: the fallback's Bellman gap against its confidence width, standalone and wrapped.

use counsel_stats::log_log_slope;

use super::claim::Claim;
use super::description::{Description, Show, column};
use super::measure::{CellLog, calls, executed_advice, mean_return};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("fallback gap", Show::Interval(1), fallback_gap),
            column("width sum", Show::Interval(1), width_sum),
            column("gap <= width sum", Show::Holds, bound_holds),
            column("growth slope", Show::Interval(3), growth_slope),
            column("return", Show::Interval(3), mean_return),
            column("calls", Show::Mean(1), calls),
        ],
        comparison: None,
        claims,
    }
}

/// The gaps of the fallback's proposals at the steps where no advice was executed, in order.
fn fallback_gaps<'a>(log: &'a CellLog<'_>) -> impl Iterator<Item = Option<f64>> + 'a {
    log.decisions.iter().map(|d| if executed_advice(d) { Some(0.0) } else { d.hindsight.base_gap })
}

fn fallback_gap(log: &CellLog<'_>) -> Option<f64> {
    fallback_gaps(log).sum()
}

/// The widths of the fallback's proposals at the same steps. The lemma is about an optimistic fallback, so the quantity
/// does not exist for another one.
fn width_sum(log: &CellLog<'_>) -> Option<f64> {
    if log.manifest.spec.pointer("/learner/kind")?.as_str()? != "optimistic" {
        return None;
    }
    let fallback_steps = log.decisions.iter().filter(|decision| !executed_advice(decision));
    Some(
        fallback_steps
            .map(|decision| {
                let branch = decision.record.evidence.advice.none();
                branch.bounds().width(branch.base())
            })
            .sum(),
    )
}

fn bound_holds(log: &CellLog<'_>) -> Option<f64> {
    Some(if fallback_gap(log)? <= width_sum(log)? { 1.0 } else { 0.0 })
}

/// The slope of the cumulative gap against the number of steps on logarithmic axes, at points evenly spaced there.
fn growth_slope(log: &CellLog<'_>) -> Option<f64> {
    let mut total = 0.0;
    let cumulative: Vec<f64> = fallback_gaps(log)
        .map(|gap| {
            total += gap?;
            Some(total)
        })
        .collect::<Option<_>>()?;
    let (mut steps, mut gaps) = (Vec::new(), Vec::new());
    let mut next = 10.0;
    for (index, gap) in cumulative.iter().enumerate() {
        let step = (index + 1) as f64;
        if step >= next {
            steps.push(step);
            gaps.push(*gap);
            next = step * 10f64.powf(1.0 / 16.0);
        }
    }
    log_log_slope(&steps, &gaps).ok().flatten().map(|slope| slope.slope)
}

fn claims(results: &Results) -> Vec<Claim> {
    let holds = |arm: &str| results.values(arm, "gap <= width sum").map(|seeds| seeds.iter().all(|held| *held == 1.0));
    let slope = |arm: &str| results.interval(arm, "growth slope").map(|slope| slope.high < 1.0);
    vec![
        Claim::new(
            "standalone, the optimistic fallback's gap is at most its width sum on every seed",
            holds("optimistic-standalone"),
        ),
        Claim::new("wrapped, it is too", holds("optimistic-wrapped")),
        Claim::new("the wrapped optimistic gap grows more slowly than linearly (95 %)", slope("optimistic-wrapped")),
        Claim::new("the wrapped posterior-sampling gap grows more slowly than linearly (95 %)", slope("psrl-wrapped")),
    ]
}
