//! `babyai-radius`: does the radius cover the error of the estimate, on every deployed decision?
//!
//! A decision is covered when |estimate - label| is within the radius, where the label comes from paired continuations. A
//! subgroup is a quarter of the horizon, with the estimate above zero or not.

use std::collections::BTreeMap;

use counsel_calibration::{Audited, CoverageAudit, Share};
use counsel_decision::Radius;

use super::block::Block;
use super::column::outcome;
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, Setting, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;
use crate::study::description::{Show, column};
use crate::study::measure::{CellLog, mean, share};

/// A subgroup with fewer decisions is not looked at.
const LEAST: usize = 20;
const RELEVANT: &str = "decision-relevant";

pub(super) fn layout() -> Layout {
    let mut columns = vec![
        column("marginal", Show::Interval(3), |log| audit(log)?.marginal.rate()),
        column("marginal, worst seed", Show::Least(3), |log| audit(log)?.marginal.rate()),
        column("marginal, pooled", Show::Pooled("decisions"), |log| Some(audit(log)?.marginal.count as f64)),
        column(RELEVANT, Show::Interval(3), |log| audit(log)?.decision_relevant.rate()),
        column("decision-relevant, worst seed", Show::Least(3), |log| audit(log)?.decision_relevant.rate()),
        column("decision-relevant, pooled", Show::Pooled("relevant decisions"), |log| {
            Some(audit(log)?.decision_relevant.count as f64)
        }),
        column("worst subgroup", Show::Mean(3), |log| worst_subgroup(&audit(log)?.by_group)),
        column("trajectory", Show::Interval(3), |log| audit(log)?.trajectory.rate()),
        column("median radius", Show::Median(4), |log| audit(log)?.median_radius.map(Radius::value)),
        column("mean residual", Show::Median(5), residual),
        column("asks", Show::Mean(4), |log| share(log.decisions.iter(), |decision| decision.record.asked())),
        column("decisions", Show::Hidden, |log| Some(audit(log)?.marginal.of as f64)),
        column("relevant decisions", Show::Hidden, |log| Some(audit(log)?.decision_relevant.of as f64)),
    ];
    columns.extend(outcome().into_iter().filter(|column| ["return", "calls"].contains(&column.heading)));
    let mondrian = Contrast { versus: Versus::Ours("mondrian-200"), heading: RELEVANT, families: &[&["constant-200"]] };
    let returned = Contrast { versus: Versus::Ours("mondrian-200"), heading: "return", families: &[&["constant-200"]] };
    Layout {
        settings: vec![TASK, ADVISOR, Setting { heading: "n_cal", path: &["calibration", "calibrate"] }],
        columns,
        rows: Rows::Arms { contrasts: vec![mondrian, returned], derived: Vec::new() },
        claims,
        remarks: vec![
            "coverage: share of deployed decisions with |estimate - label| within the radius; decision-relevant: of those \
             with an estimate above zero; trajectory: episodes on which every decision is covered; the target is 0.90"
                .into(),
            format!(
                "worst subgroup: quarters of the horizon, estimate above zero or not, of each seed, with {LEAST} decisions \
                 or more; median radius and mean residual: median over seeds"
            ),
        ],
    }
}

/// Audits all decisions of a cell; nothing where one has no label.
fn audit(log: &CellLog<'_>) -> Option<CoverageAudit> {
    let quarter = log.setting(&["horizon"]).unwrap_or(64.0) / 4.0;
    let audited = log.decisions.iter().map(|decision| {
        let record = &decision.record;
        let passed = (1..4).filter(|quarters| record.step_in_episode as f64 >= f64::from(*quarters) * quarter).count();
        Some(Audited {
            estimate: record.estimate,
            radius: record.evidence.radius,
            truth: decision.hindsight.proxy_value?,
            monte_carlo: 0.0,
            group: 2 * u32::try_from(passed).ok()? + u32::from(record.estimate > 0.0),
            trajectory: record.episode,
            price: record.price,
        })
    });
    Some(CoverageAudit::new(&audited.collect::<Option<Vec<_>>>()?))
}

/// The lowest coverage of a subgroup that is large enough.
fn worst_subgroup(groups: &BTreeMap<u32, Share>) -> Option<f64> {
    groups.values().filter(|share| share.of >= LEAST).filter_map(|share| share.rate()).reduce(f64::min)
}

/// The mean of |estimate - label|.
fn residual(log: &CellLog<'_>) -> Option<f64> {
    mean(log.decisions.iter().map(|d| d.hindsight.proxy_value.map(|label| (d.record.estimate - label).abs())))
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let rate = |arm: &'static str, heading: &'static str, truth: fn(f64) -> bool| {
        blocks.iter().filter_map(move |block| {
            let rate = block.mean(arm, heading)?;
            Some((format!("{} ({})", block.label(), fixed(rate, 3)), Some(truth(rate))))
        })
    };
    let raised = Family::of(blocks, &[("mondrian-200", "constant-200")], RELEVANT);
    let returned = Family::of(blocks, &[("mondrian-200", "constant-200")], "return");
    let mut claims = vec![
        everywhere("constant-48 covers 0.90 of all decisions", rate("constant-48", "marginal", |rate| rate >= 0.9)),
        everywhere(
            "it covers less than 0.90 of the decision-relevant ones",
            rate("constant-48", RELEVANT, |rate| rate < 0.9),
        ),
        raised.claim(
            "the Mondrian radius raises decision-relevant coverage over constant-200",
            |_| true,
            Member::above,
        ),
        everywhere("the Mondrian radius stays below 0.90 there", rate("mondrian-200", RELEVANT, |rate| rate < 0.9)),
        returned.claim("the Mondrian radius makes no clear difference to return", |_| true, Member::unclear),
        everywhere(
            "the formal radius exceeds every value, so the gate never asks",
            rate("formal-48", "asks", |share| share == 0.0),
        ),
    ];
    for arm in ["constant-48", "constant-200", "mondrian-200"] {
        let words = format!("{arm} covers trajectories at 0.90 (the paper did not log it)");
        claims.push(everywhere(&words, rate(arm, "trajectory", |rate| rate >= 0.9)));
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{cell, labelled};
    use super::*;

    #[test]
    fn coverage_is_counted_by_kind_and_by_episode() {
        // Episode 0: both covered; episode 1: the second is off by 0.3 at a radius of 0.1.
        let cell = cell(vec![
            labelled(0, 0, 0.0, 0.0),
            labelled(0, 1, 0.2, 0.15),
            labelled(1, 0, 0.0, 0.05),
            labelled(1, 1, 0.4, 0.1),
        ]);
        let audit = audit(&cell.log()).unwrap();
        assert_eq!(audit.marginal, Share { count: 3, of: 4 });
        assert_eq!(audit.decision_relevant, Share { count: 1, of: 2 });
        assert_eq!(audit.trajectory, Share { count: 1, of: 2 });
        assert_eq!(worst_subgroup(&audit.by_group), None);
        assert!((residual(&cell.log()).unwrap() - 0.1).abs() < 1e-12);
    }

    #[test]
    fn small_subgroups_do_not_count() {
        let share = |count, of| Share { count, of };
        let groups = BTreeMap::from([(0, share(0, 19)), (1, share(15, 20)), (2, share(40, 50))]);
        assert_eq!(worst_subgroup(&groups), Some(0.75));
    }

    #[test]
    fn a_decision_without_a_label_leaves_nothing_to_audit() {
        let mut decisions = vec![labelled(0, 0, 0.0, 0.0), labelled(0, 1, 0.0, 0.0)];
        decisions[1].hindsight.proxy_value = None;
        assert!(audit(&cell(decisions).log()).is_none());
    }
}
