//! One arm against another on shared seeds.
//!
//! With `d_i = treatment_i - control_i`: the mean of `d`, its Student interval, the two-sided paired t test `p =
//! P(|T_{n-1}| >= |mean| sqrt(n) / s)`, and the BCa bootstrap interval of the mean. Invariant: swapping the arms
//! changes the sign of the difference and leaves the t half width and `p` alone.
//!
//! Conventions where the formulas are silent: one pair has neither interval nor `p` (`None`). If all differences are
//! equal, both intervals have width zero at that difference. Where they are equal up to rounding, a spread of zero is no
//! evidence, so `p` is that of the sign test: `2/2^n`, the least that `n` pairs can say, and 1 if they are all zero.

use serde::{Deserialize, Serialize};

use crate::margin::is_rounding;
use crate::moments::mean;
use crate::{Bootstrap, Error, Interval, Moments, Tail, bound_p_value, mean_interval};

/// A paired difference with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairedComparison {
    /// Number of pairs.
    pub n: usize,
    /// Mean of treatment minus control.
    pub mean_difference: f64,
    /// Student interval of the mean difference.
    pub t_interval: Option<Interval>,
    /// Two-sided p value of the paired t test, or of the sign test where the differences are equal.
    pub p_value: Option<f64>,
    /// Whether two or more differences are all equal up to rounding, so that `p_value` rests on their signs alone.
    pub equal_differences: bool,
    /// BCa bootstrap interval of the mean difference.
    pub bca_interval: Option<Interval>,
}

impl PairedComparison {
    /// Compares two arms whose values at one position share a seed.
    pub fn new(treatment: &[f64], control: &[f64], bootstrap: &Bootstrap) -> Result<Self, Error> {
        if treatment.len() != control.len() {
            return Err(Error::UnequalLengths {
                what: "a paired comparison",
                left: treatment.len(),
                right: control.len(),
                remedy: "pair the arms by seed",
            });
        }
        let differences: Vec<f64> = treatment.iter().zip(control).map(|(a, b)| a - b).collect();
        Self::from_differences(&differences, bootstrap)
    }

    /// The comparison whose paired differences are given. Both intervals have the level of `bootstrap`.
    pub fn from_differences(differences: &[f64], bootstrap: &Bootstrap) -> Result<Self, Error> {
        let moments = Moments::of(differences)?;
        let t_interval = mean_interval(differences, bootstrap.level)?;
        let bca_interval = match moments.standard_deviation {
            Some(0.0) => Some(Interval::symmetric(moments.mean, 0.0)),
            _ => bootstrap.bca(differences, mean)?,
        };
        let p_value = bound_p_value(differences, 0.0, Tail::Both)?;
        let equal_differences = moments.standard_error().is_some_and(|error| is_rounding(error, moments.mean));
        let (n, mean_difference) = (moments.n, moments.mean);
        Ok(Self { n, mean_difference, t_interval, p_value, equal_differences, bca_interval })
    }

    /// The number after the plus-minus sign.
    pub fn half_width(&self) -> Option<f64> {
        self.t_interval.map(|interval| interval.half_width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(differences: &[f64]) -> PairedComparison {
        PairedComparison::from_differences(differences, &Bootstrap::seeded(1)).unwrap()
    }

    #[test]
    fn one_pair_has_no_uncertainty_statement() {
        let comparison = compare(&[0.4]);
        assert_eq!((comparison.n, comparison.mean_difference), (1, 0.4));
        assert_eq!((comparison.t_interval, comparison.p_value, comparison.bca_interval), (None, None, None));
        assert_eq!(comparison.half_width(), None);
    }

    #[test]
    fn equal_differences_follow_the_convention() {
        for (difference, p) in [(0.0, 1.0), (0.1, 2.0 / 64.0), (-3.0, 2.0 / 64.0)] {
            let comparison = compare(&[difference; 6]);
            assert_eq!(comparison.mean_difference, difference);
            assert_eq!(comparison.half_width(), Some(0.0));
            assert_eq!(comparison.bca_interval.map(|i| (i.low, i.high)), Some((difference, difference)));
            assert_eq!(comparison.p_value, Some(p));
            assert!(comparison.equal_differences);
        }
    }

    /// 0.3 - 0.2 and 1.1 - 1.0 differ in their last bits only.
    #[test]
    fn no_p_value_is_below_what_the_number_of_pairs_can_say() {
        let rounded = PairedComparison::new(&[0.3, 1.1, 3.1], &[0.2, 1.0, 3.0], &Bootstrap::seeded(1)).unwrap();
        assert!(rounded.half_width().unwrap() > 0.0);
        assert_eq!((rounded.p_value, rounded.equal_differences), (Some(0.25), true));
        let apart = compare(&[0.1, 0.1, 0.100_001]);
        assert!(apart.p_value.unwrap() < 1e-9 && !apart.equal_differences);
    }

    #[test]
    fn arms_must_be_paired() {
        let error = PairedComparison::new(&[1.0; 5], &[1.0; 4], &Bootstrap::seeded(1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a paired comparison needs arrays of equal length: got 5 and 4; pair the arms by seed"
        );
    }

    #[test]
    fn no_pairs_is_an_error() {
        assert!(matches!(PairedComparison::new(&[], &[], &Bootstrap::seeded(1)), Err(Error::Empty { .. })));
    }

    #[test]
    fn swapping_the_arms_flips_the_sign() {
        let (a, b) = ([1.0, 2.0, 4.0, 3.0], [0.5, 2.5, 3.0, 3.25]);
        let there = PairedComparison::new(&a, &b, &Bootstrap::seeded(3)).unwrap();
        let back = PairedComparison::new(&b, &a, &Bootstrap::seeded(3)).unwrap();
        assert_eq!(there.mean_difference, -back.mean_difference);
        assert_eq!((there.half_width(), there.p_value), (back.half_width(), back.p_value));
    }
}
