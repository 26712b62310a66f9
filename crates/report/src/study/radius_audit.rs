//! `radius-audit`: does the radius cover the error it is there for?

use counsel_calibration::{Audited, CoverageAudit, Share};
use counsel_decision::Radius;

use super::claim::Claim;
use super::description::{Description, Show, column};
use super::measure::{CellLog, calls};
use super::results::Results;

pub(super) fn description() -> Description {
    Description {
        columns: vec![
            column("n_cal", Show::Mean(0), |log| log.setting(&["calibration", "calibrate"])),
            column("J", Show::Mean(0), |log| log.setting(&["calibration", "labels", "paired", "blocks"])),
            column("R", Show::Mean(0), |log| log.setting(&["calibration", "labels", "paired", "replicates"])),
            column("marginal", Show::Interval(3), |log| by_proxy(log)?.marginal.rate()),
            column("trajectory", Show::Interval(3), |log| by_proxy(log)?.trajectory.rate()),
            column("decision-relevant", Show::Interval(3), |log| by_proxy(log)?.decision_relevant.rate()),
            column("worst subgroup", Show::Mean(3), |log| {
                by_proxy(log)?.worst_group.and_then(|(_, share)| share.rate())
            }),
            column("marginal (exact)", Show::Interval(3), |log| exactly(log)?.marginal.rate()),
            column("trajectory (exact)", Show::Interval(3), |log| exactly(log)?.trajectory.rate()),
            column("median radius", Show::Mean(3), |log| exactly(log)?.median_radius.map(Radius::value)),
            column("abstain rate", Show::Mean(3), |log| exactly(log)?.abstained.rate()),
            column("surrogate loss", Show::Mean(3), surrogate_loss_per_opportunity),
            column("calls", Show::Mean(1), calls),
        ],
        comparison: None,
        claims,
    }
}

/// The conservative check of the paper: |estimate - proxy| + ρ within the radius.
fn by_proxy(log: &CellLog<'_>) -> Option<CoverageAudit> {
    audit(log, Truth::Proxy)
}

/// What the radius is for: |estimate - exact value| within the radius.
fn exactly(log: &CellLog<'_>) -> Option<CoverageAudit> {
    audit(log, Truth::Exact)
}

#[derive(Clone, Copy)]
enum Truth {
    Proxy,
    Exact,
}

/// Audits all decisions of a cell; nothing where one has no such truth. The subgroups are the stages of the episode.
fn audit(log: &CellLog<'_>, truth: Truth) -> Option<CoverageAudit> {
    let audited = log.decisions.iter().map(|decision| {
        let (record, hindsight) = (&decision.record, &decision.hindsight);
        let (truth, monte_carlo) = match truth {
            Truth::Proxy => (hindsight.proxy_value?, hindsight.proxy_radius?),
            Truth::Exact => (hindsight.exact_value?, 0.0),
        };
        Some(Audited {
            estimate: record.estimate,
            radius: record.evidence.radius,
            truth,
            monte_carlo,
            group: u32::try_from(record.step_in_episode).ok()?,
            trajectory: record.episode,
            price: record.price,
        })
    });
    Some(CoverageAudit::new(&audited.collect::<Option<Vec<_>>>()?))
}

fn surrogate_loss_per_opportunity(log: &CellLog<'_>) -> Option<f64> {
    let CoverageAudit { surrogate_loss, marginal: Share { of, .. }, .. } = exactly(log)?;
    surrogate_loss.map(|loss| loss / of as f64)
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
