//! How often a radius covered, overall, in the worst subgroup, and along whole trajectories.
//!
//! `covered / total` with the exact binomial (Clopper-Pearson) interval, whose ends are the `(1 - level)/2` quantile of
//! `Beta(k, n - k + 1)` and the `(1 + level)/2` quantile of `Beta(k + 1, n - k)`; 0 and 1 where those do not exist. The
//! interval supposes independent opportunities. Invariant: `low <= k/n <= high`; trajectory coverage is the share of
//! groups in which every opportunity is covered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::distribution::{beta_quantile, check_level};
use crate::{Error, Interval};

/// A fraction covered with its exact binomial interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Number of opportunities covered.
    pub covered: usize,
    /// Number of opportunities, at least one.
    pub total: usize,
    /// The fraction covered with its Clopper-Pearson interval.
    pub fraction: Interval,
}

impl Coverage {
    /// The coverage of opportunities that are each covered or not.
    pub fn of(covered: &[bool], level: f64) -> Result<Self, Error> {
        Self::from_counts(covered.iter().filter(|covered| **covered).count(), covered.len(), level)
    }

    /// The coverage of `covered` out of `total` opportunities.
    pub fn from_counts(covered: usize, total: usize, level: f64) -> Result<Self, Error> {
        Ok(Self { covered, total, fraction: clopper_pearson(covered, total, level)? })
    }
}

/// The group with the lowest fraction covered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstGroup<G> {
    /// Which group it is; the first in order among equals.
    pub group: G,
    /// Its coverage. The interval does not account for picking the worst.
    pub coverage: Coverage,
}

/// Coverage of opportunities that fall into groups: subgroups, or the trajectories they were met on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupedCoverage<G> {
    /// All opportunities pooled.
    pub marginal: Coverage,
    /// The least covered group.
    pub worst: WorstGroup<G>,
    /// Groups in which every opportunity is covered, out of all groups.
    pub trajectory: Coverage,
}

impl<G: Ord + Clone> GroupedCoverage<G> {
    /// Audits opportunities whose group stands at the same position of `groups`.
    pub fn of(covered: &[bool], groups: &[G], level: f64) -> Result<Self, Error> {
        let what = "a grouped coverage";
        if covered.len() != groups.len() {
            let remedy = "give the group of every opportunity";
            return Err(Error::UnequalLengths { what, left: covered.len(), right: groups.len(), remedy });
        }
        let mut counts = BTreeMap::<&G, (usize, usize)>::new();
        for (&covered, group) in covered.iter().zip(groups) {
            let (hits, total) = counts.entry(group).or_default();
            *hits += usize::from(covered);
            *total += 1;
        }
        let share = |&(hits, total): &(usize, usize)| hits as f64 / total as f64;
        let lowest = counts.iter().min_by(|a, b| share(a.1).total_cmp(&share(b.1)));
        let (&group, &(hits, total)) = lowest.ok_or(Error::Empty { what })?;
        let complete = counts.values().filter(|(hits, total)| hits == total).count();
        Ok(Self {
            marginal: Coverage::of(covered, level)?,
            worst: WorstGroup { group: group.clone(), coverage: Coverage::from_counts(hits, total, level)? },
            trajectory: Coverage::from_counts(complete, counts.len(), level)?,
        })
    }
}

/// The exact binomial interval of `successes` out of `trials`.
pub fn clopper_pearson(successes: usize, trials: usize, level: f64) -> Result<Interval, Error> {
    check_level(level)?;
    if trials == 0 {
        return Err(Error::Empty { what: "a fraction covered" });
    }
    let Some(failures) = trials.checked_sub(successes) else {
        return Err(Error::MoreSuccessesThanTrials { successes, trials });
    };
    let (k, m) = (successes as f64, failures as f64);
    let outside = 0.5 * (1.0 - level);
    let low = if successes == 0 { 0.0 } else { beta_quantile(outside, k, m + 1.0) };
    // The upper end by reflection, so that both ends are read from the accurate lower tail.
    let high = if failures == 0 { 1.0 } else { 1.0 - beta_quantile(outside, m, k + 1.0) };
    Ok(Interval::between(k / trials as f64, low, high))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn closed_forms_at_the_ends() {
        let none = clopper_pearson(0, 10, 0.95).unwrap();
        assert_eq!(none.low, 0.0);
        assert!((none.high - (1.0 - 0.025f64.powf(0.1))).abs() < 1e-13);
        let all = clopper_pearson(10, 10, 0.95).unwrap();
        assert!((all.low - 0.025f64.powf(0.1)).abs() < 1e-13);
        assert_eq!(all.high, 1.0);
    }

    #[test]
    fn impossible_counts_are_refused() {
        assert!(matches!(clopper_pearson(0, 0, 0.95), Err(Error::Empty { .. })));
        assert_eq!(
            clopper_pearson(3, 2, 0.95).unwrap_err().to_string(),
            "3 of 2 is no fraction; pass the successes first and the trials second"
        );
        assert!(matches!(GroupedCoverage::<u8>::of(&[], &[], 0.95), Err(Error::Empty { .. })));
        assert!(matches!(GroupedCoverage::of(&[true], &[1, 2], 0.95), Err(Error::UnequalLengths { .. })));
    }

    #[test]
    fn groups_by_hand() {
        let covered = [true, false, true, true, true, false];
        let audit = GroupedCoverage::of(&covered, &["a", "a", "b", "b", "c", "c"], 0.9).unwrap();
        assert_eq!((audit.marginal.covered, audit.marginal.total), (4, 6));
        assert_eq!((audit.worst.group, audit.worst.coverage.fraction.estimate), ("a", 0.5));
        assert_eq!((audit.trajectory.covered, audit.trajectory.total), (1, 3));
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_fraction(trials in 1..400_usize, share in 0.0..=1.0f64, level in 0.5..0.999f64) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let successes = (share * trials as f64) as usize;
            let interval = clopper_pearson(successes, trials, level).unwrap();
            prop_assert!(0.0 <= interval.low && interval.low <= interval.estimate);
            prop_assert!(interval.estimate <= interval.high && interval.high <= 1.0);
        }

        #[test]
        fn worst_is_at_most_marginal_and_one_group_agrees(
            pairs in prop::collection::vec((any::<bool>(), 0..5_u8), 1..60),
        ) {
            let (covered, groups): (Vec<bool>, Vec<u8>) = pairs.into_iter().unzip();
            let audit = GroupedCoverage::of(&covered, &groups, 0.95).unwrap();
            prop_assert!(audit.worst.coverage.fraction.estimate <= audit.marginal.fraction.estimate);
            let whole = GroupedCoverage::of(&covered, &vec![0; covered.len()], 0.95).unwrap();
            prop_assert_eq!(whole.worst.coverage, whole.marginal);
        }
    }
}
