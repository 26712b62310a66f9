//! `radius-audit`: does the radius cover the error it is there for?

use std::collections::BTreeMap;

use counsel_audit::Decision;

use super::claim::Claim;
use super::description::{Description, Show, column};
use super::measure::{CellLog, calls, share, surrogate_loss};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("n_cal", Show::Mean(0), |log| log.setting(&["calibration", "calibrate"])),
            column("J", Show::Mean(0), |log| log.setting(&["calibration", "labels", "paired", "blocks"])),
            column("R", Show::Mean(0), |log| log.setting(&["calibration", "labels", "paired", "replicates"])),
            column("marginal", Show::Interval(3), marginal),
            column("trajectory", Show::Interval(3), trajectory),
            column("decision-relevant", Show::Interval(3), decision_relevant),
            column("marginal (exact)", Show::Interval(3), marginal_exact),
            column("trajectory (exact)", Show::Interval(3), trajectory_exact),
            column("median radius", Show::Mean(3), median_radius),
            column("abstain rate", Show::Mean(3), abstain_rate),
            column("surrogate loss", Show::Mean(3), surrogate_loss_per_decision),
            column("calls", Show::Mean(1), calls),
        ],
        comparison: None,
        claims,
    }
}

/// Whether |estimate - proxy| + ρ is within the radius: the conservative check of the paper.
fn covered(decision: &Decision) -> bool {
    let (record, hindsight) = (&decision.record, &decision.hindsight);
    let error =
        hindsight.proxy_value.map(|proxy| (record.estimate - proxy).abs() + hindsight.proxy_radius.unwrap_or(0.0));
    error.is_some_and(|error| error <= record.evidence.radius.value())
}

/// Whether |estimate - exact value| is within the radius: what the radius is for.
fn covered_exactly(decision: &Decision) -> bool {
    let error = decision.hindsight.exact_value.map(|exact| (decision.record.estimate - exact).abs());
    error.is_some_and(|error| error <= decision.record.evidence.radius.value())
}

fn marginal(log: &CellLog<'_>) -> Option<f64> {
    share(log.decisions.iter(), covered)
}

fn marginal_exact(log: &CellLog<'_>) -> Option<f64> {
    share(log.decisions.iter(), covered_exactly)
}

/// Coverage where the estimate says that asking could pay.
fn decision_relevant(log: &CellLog<'_>) -> Option<f64> {
    share(log.decisions.iter().filter(|decision| decision.record.estimate > 0.0), covered)
}

fn trajectory(log: &CellLog<'_>) -> Option<f64> {
    whole_episodes(log, covered)
}

fn trajectory_exact(log: &CellLog<'_>) -> Option<f64> {
    whole_episodes(log, covered_exactly)
}

/// The share of episodes whose every opportunity is covered.
fn whole_episodes(log: &CellLog<'_>, covered: fn(&Decision) -> bool) -> Option<f64> {
    let mut episodes: BTreeMap<u64, bool> = BTreeMap::new();
    for decision in log.decisions {
        *episodes.entry(decision.record.episode).or_insert(true) &= covered(decision);
    }
    let whole = episodes.values().filter(|whole| **whole).count();
    (!episodes.is_empty()).then(|| whole as f64 / episodes.len() as f64)
}

fn median_radius(log: &CellLog<'_>) -> Option<f64> {
    let mut radii: Vec<f64> = log.decisions.iter().map(|decision| decision.record.evidence.radius.value()).collect();
    radii.sort_by(f64::total_cmp);
    radii.get(radii.len() / 2).copied()
}

/// The share of opportunities at which only the radius kept the gate silent.
fn abstain_rate(log: &CellLog<'_>) -> Option<f64> {
    share(log.decisions.iter(), |d| d.record.estimate >= d.record.price && d.record.score < d.record.threshold)
}

fn surrogate_loss_per_decision(log: &CellLog<'_>) -> Option<f64> {
    surrogate_loss(log).map(|loss| loss / log.decisions.len().max(1) as f64)
}

fn claims(results: &Results) -> Vec<Claim> {
    let mean = |arm, heading| results.mean(arm, heading);
    let at_least = |arm, heading, least: f64| mean(arm, heading).map(|coverage| coverage >= least);
    let above = |arm, other, heading| mean(arm, heading).zip(mean(other, heading)).map(|(one, two)| one > two);
    let both = |one: Option<bool>, other: Option<bool>| Some(one? && other?);
    vec![
        Claim::new(
            "marginal coverage is ordered: none < constant and scaled < Bonferroni",
            both(
                both(above("constant", "no-radius", "marginal"), above("scaled", "no-radius", "marginal")),
                both(above("bonferroni", "constant", "marginal"), above("bonferroni", "scaled", "marginal")),
            ),
        ),
        Claim::new(
            "without a radius, marginal coverage misses 0.90",
            at_least("no-radius", "marginal", 0.9).map(|it| !it),
        ),
        Claim::new(
            "the constant radius covers marginally at 0.90 (its interval reaches it)",
            results.interval("constant", "marginal").map(|coverage| coverage.high >= 0.9),
        ),
        Claim::new("it does not cover trajectories at 0.90", at_least("constant", "trajectory", 0.9).map(|it| !it)),
        Claim::new(
            "the Bonferroni radius covers trajectories at 0.90 or more",
            at_least("bonferroni", "trajectory", 0.9),
        ),
        Claim::new(
            "the formal radius with the range-based Monte-Carlo term never asks",
            mean("formal", "calls").map(|calls| calls == 0.0),
        ),
    ]
}
