//! Does the radius cover the error of the estimate, on every decision of a cell?
//!
//! A decision is covered when |estimate - truth| + ρ is within the radius. The truth is a label from paired continuations,
//! taken as it is (ρ = 0) or with its own Monte-Carlo radius (the paper's conservative check), or the exact value.

use std::collections::BTreeMap;

use counsel_calibration::{Audited, CoverageAudit, Share};
use counsel_decision::Radius;

use super::log::CellLog;

/// A subgroup with fewer decisions is not looked at.
const LEAST: usize = 20;
/// The horizon of a world that does not say it.
const HORIZON: f64 = 64.0;

/// What the estimate is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// The label, taken as it is.
    Label,
    /// The label with its own radius.
    Conservative,
    /// The exact value.
    Exact,
}

/// Audits all decisions of a cell; `None` if one has no such truth. The groups are the steps of an episode.
pub(super) fn by_stage(log: &CellLog<'_>, truth: Truth) -> Option<CoverageAudit> {
    audit(log, truth, |stage, _| u32::try_from(stage).unwrap_or(u32::MAX))
}

/// The same, where a group is a quarter of the horizon with the estimate above zero or not.
pub(super) fn by_quarter(log: &CellLog<'_>, truth: Truth) -> Option<CoverageAudit> {
    let quarter = log.setting("horizon").unwrap_or(HORIZON) / 4.0;
    audit(log, truth, |stage, estimate| {
        let passed: u32 = (1..4).map(|quarters| u32::from(stage as f64 >= f64::from(quarters) * quarter)).sum();
        2 * passed + u32::from(estimate > 0.0)
    })
}

fn audit(log: &CellLog<'_>, truth: Truth, group: impl Fn(u64, f64) -> u32) -> Option<CoverageAudit> {
    let (estimate, radius, price) = (log.full("estimate"), log.full("radius"), log.full("paced_price"));
    let (stage, episode) = (log.counts("step_in_episode"), log.counts("episode"));
    let truths = log.frame.reals(if truth == Truth::Exact { "exact_value" } else { "proxy_value" });
    let own_radius = (truth == Truth::Conservative).then(|| log.frame.reals("proxy_radius"));
    let audited = (0..log.frame.rows()).map(|row| {
        Some(Audited {
            estimate: estimate[row],
            radius: Radius::new(radius[row]).ok()?,
            truth: truths[row]?,
            monte_carlo: own_radius.map_or(Some(0.0), |column| column[row])?,
            group: group(stage[row], estimate[row]),
            trajectory: episode[row],
            price: price[row],
        })
    });
    Some(CoverageAudit::new(&audited.collect::<Option<Vec<_>>>()?))
}

/// The lowest coverage of a subgroup that is large enough.
pub(super) fn worst_subgroup(groups: &BTreeMap<u32, Share>) -> Option<f64> {
    groups.values().filter(|share| share.of >= LEAST).filter_map(|share| share.rate()).reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{cell, labelled};
    use super::*;

    #[test]
    fn coverage_is_counted_by_kind_and_by_episode() {
        // Episode 0: both covered; episode 1: the second is off by 0.3 at a radius of 0.1.
        let cell = cell(&[
            labelled(0, 0, 0.0, 0.0),
            labelled(0, 1, 0.2, 0.15),
            labelled(1, 0, 0.0, 0.05),
            labelled(1, 1, 0.4, 0.1),
        ]);
        let audit = by_quarter(&cell.log(), Truth::Label).unwrap();
        assert_eq!(audit.marginal, Share { count: 3, of: 4 });
        assert_eq!(audit.decision_relevant, Share { count: 1, of: 2 });
        assert_eq!(audit.trajectory, Share { count: 1, of: 2 });
        assert_eq!(worst_subgroup(&audit.by_group), None);
        assert_eq!(by_quarter(&cell.log(), Truth::Exact), None);
    }

    #[test]
    fn the_conservative_check_adds_the_radius_of_the_label() {
        let mut decision = labelled(0, 0, 0.2, 0.15);
        decision.hindsight.proxy_radius = Some(0.06);
        let cell = cell(&[decision]);
        let covered = |truth| by_stage(&cell.log(), truth).unwrap().marginal.count;
        assert_eq!((covered(Truth::Label), covered(Truth::Conservative)), (1, 0));
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
        assert!(by_quarter(&cell(&decisions).log(), Truth::Label).is_none());
    }
}
