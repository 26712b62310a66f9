//! Tests against a margin: is a mean clearly above, below, or within it?
//!
//! With `t = (mean - bound) sqrt(n) / s` the p value against a bound is `P(T_{n-1} >= t)` for [`Tail::Above`], `P(T_{n-1} <=
//! t)` for [`Tail::Below`] and `P(|T_{n-1}| >= |t|)` for [`Tail::Both`]. Two one-sided tests (Schuirmann 1987) show that a
//! mean lies strictly between `-margin` and `margin`: the larger of the two p values is the p value of the claim, and it is
//! below 0.05 exactly when the 90 % Student interval lies within the margin. One of the two alone shows that nothing, or
//! not more than the margin, is lost.
//!
//! Not being clearly different is no evidence of being equal; these tests are. Conventions as in
//! [`PairedComparison`](crate::PairedComparison): one observation has no p value. If all are equal up to rounding, their
//! spread says nothing and only the signs count: `p` is that of the sign test, `1/2^n` on the right side of the bound
//! (`2/2^n` for [`Tail::Both`]), which is the least that `n` observations can say, and 1 on the wrong side or on the bound.

use crate::distribution::student_two_sided;
use crate::{Error, Moments};

/// On which side of a bound a mean is claimed to lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// On either side.
    Both,
}

/// The p value of the claim that the mean of `sample` lies on that side of `bound`; `None` below two observations.
pub fn bound_p_value(sample: &[f64], bound: f64, tail: Tail) -> Result<Option<f64>, Error> {
    let moments = Moments::of(sample)?;
    let Some(error) = moments.standard_error() else { return Ok(None) };
    let gap = moments.mean - bound;
    if is_rounding(error, gap) {
        let shown = match tail {
            Tail::Above => gap > 0.0,
            Tail::Below => gap < 0.0,
            Tail::Both => gap != 0.0,
        };
        let tails = if tail == Tail::Both { 2.0 } else { 1.0 };
        return Ok(Some(if shown { tails * (-(moments.n as f64)).exp2() } else { 1.0 }));
    }
    let statistic = gap / error;
    let both = student_two_sided(statistic, moments.n as f64 - 1.0);
    let beyond = |is_there: bool| if is_there { 0.5 * both } else { 1.0 - 0.5 * both };
    Ok(Some(match tail {
        Tail::Above => beyond(statistic > 0.0),
        Tail::Below => beyond(statistic < 0.0),
        Tail::Both => both,
    }))
}

/// Whether a standard error is nothing but rounding beside the distance of the mean from a bound: subtracting values of
/// ordinary size leaves relative errors far below this, and no spread of real observations comes near it.
pub(crate) fn is_rounding(standard_error: f64, distance: f64) -> bool {
    standard_error <= 1e-9 * distance.abs()
}

/// The p value of the claim that the mean of `sample` lies strictly within `margin` of zero: the larger of two one-sided
/// ones; `None` below two observations. A paired comparison passes its differences.
pub fn equivalence_p_value(sample: &[f64], margin: f64) -> Result<Option<f64>, Error> {
    let above = bound_p_value(sample, -margin, Tail::Above)?;
    let below = bound_p_value(sample, margin, Tail::Below)?;
    Ok(above.zip(below).map(|(above, below)| above.max(below)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mean_interval;

    /// With two observations the Student law is Cauchy's: P(T >= t) = 1/2 - atan(t) / pi.
    #[test]
    fn two_observations_follow_the_closed_form() {
        let sample = [0.01, 0.03];
        let (mean, error) = (0.02_f64, 0.01_f64);
        for bound in [-0.05, 0.0, 0.02, 0.05] {
            let above = 0.5 - ((mean - bound) / error).atan() / std::f64::consts::PI;
            let got = |tail| bound_p_value(&sample, bound, tail).unwrap().unwrap();
            assert!((got(Tail::Above) - above).abs() < 1e-12, "{bound}");
            assert!((got(Tail::Below) - (1.0 - above)).abs() < 1e-12, "{bound}");
            assert!((got(Tail::Both) - 2.0 * above.min(1.0 - above)).abs() < 1e-12, "{bound}");
        }
        let tost = 0.5 - (3.0f64).atan() / std::f64::consts::PI;
        assert!((equivalence_p_value(&sample, 0.05).unwrap().unwrap() - tost).abs() < 1e-12);
    }

    #[test]
    fn equal_observations_follow_the_convention() {
        let p = |value: f64, bound, tail| bound_p_value(&[value; 4], bound, tail).unwrap();
        let least = Some(1.0 / 16.0);
        assert_eq!((p(0.0, -0.05, Tail::Above), p(0.0, 0.05, Tail::Below)), (least, least));
        assert_eq!(p(0.0, 0.05, Tail::Both), Some(2.0 / 16.0));
        assert_eq!((p(0.1, 0.1, Tail::Above), p(0.1, 0.1, Tail::Both)), (Some(1.0), Some(1.0)));
        assert_eq!((p(0.0, 0.05, Tail::Above), p(0.0, -0.05, Tail::Below)), (Some(1.0), Some(1.0)));
        assert_eq!(equivalence_p_value(&[0.0; 4], 0.05).unwrap(), least);
        assert_eq!(equivalence_p_value(&[0.06; 4], 0.05).unwrap(), Some(1.0));
    }

    #[test]
    fn one_observation_shows_nothing() {
        assert_eq!(bound_p_value(&[0.3], 0.0, Tail::Above), Ok(None));
        assert_eq!(equivalence_p_value(&[0.3], 1.0), Ok(None));
        assert!(matches!(equivalence_p_value(&[], 1.0), Err(Error::Empty { .. })));
    }

    proptest! {
        /// Equivalence at 5 % is the 90 % interval within the margin.
        #[test]
        fn equivalence_is_an_interval_within_the_margin(
            sample in prop::collection::vec(-1.0..1.0f64, 2..20),
            margin in 0.01..1.0f64,
        ) {
            let interval = mean_interval(&sample, 0.9).unwrap().unwrap();
            let within = -margin < interval.low && interval.high < margin;
            // At the very edge rounding may decide either way.
            prop_assume!((interval.low + margin).abs() > 1e-9 && (interval.high - margin).abs() > 1e-9);
            prop_assert_eq!(equivalence_p_value(&sample, margin).unwrap().unwrap() < 0.05, within);
        }

        #[test]
        fn tails_mirror_each_other(sample in prop::collection::vec(-1.0..1.0f64, 2..20), bound in -1.0..1.0f64) {
            let mirrored: Vec<f64> = sample.iter().map(|value| -value).collect();
            let above = bound_p_value(&sample, bound, Tail::Above).unwrap();
            prop_assert_eq!(above, bound_p_value(&mirrored, -bound, Tail::Below).unwrap());
        }

        #[test]
        fn a_wider_margin_is_never_harder(sample in prop::collection::vec(-1.0..1.0f64, 2..20)) {
            let p = |margin| equivalence_p_value(&sample, margin).unwrap().unwrap();
            prop_assert!(p(0.2) <= p(0.1));
        }
    }
}
