//! Several independent estimates of one effect as one: inverse-variance weights, with the spread between them.
//!
//! With estimates `y_i` and standard errors `s_i`: the fixed effect `sum w_i y_i / sum w_i` with `w_i = 1 / s_i^2`; Cochran's
//! `Q = sum w_i (y_i - fixed)^2`; the variance between studies by DerSimonian and Laird,
//! `tau^2 = max(0, (Q - (k - 1)) / (sum w_i - sum w_i^2 / sum w_i))`; and the random effect, the same mean with
//! `1 / (s_i^2 + tau^2)` for weights. The interval of the random effect is Student's with k - 1 degrees of freedom, and its
//! standard error the larger of `1 / sqrt(sum w_i)` and Hartung and Knapp's, so it is never narrower than its weights allow.
//!
//! | effect | is about |
//! |---|---|
//! | fixed | these studies: what they say together of one common effect |
//! | random | the mean over studies such as these, whose effects may differ |
//!
//! Invariant: equal estimates have `Q = 0`, no variance between them, and the same fixed and random effect. One estimate alone
//! is itself, and has no interval as a random effect. Two of the same study share its luck, so they are one before they come
//! here.

use serde::{Deserialize, Serialize};
use statrs::function::gamma::gamma_ur;

use crate::distribution::{check_level, normal_quantile, student_factor, student_two_sided};
use crate::moments::check_finite;
use crate::{Error, Interval};

const WHAT: &str = "a pooled effect";

/// An effect with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The weighted mean.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Its interval; none for a random effect from one study.
    pub interval: Option<Interval>,
    /// The two-sided p value of no effect, where there is an interval.
    pub p_value: Option<f64>,
}

/// What several studies say together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pooled {
    /// How many studies there are.
    pub studies: usize,
    /// One effect that all studies share.
    pub fixed: Effect,
    /// The mean of effects that may differ from study to study.
    pub random: Effect,
    /// Q, the weighted squares around the fixed effect.
    pub heterogeneity: f64,
    /// The probability of such a Q or a larger one if all studies share one effect; none for one study.
    pub heterogeneity_p: Option<f64>,
    /// The share of Q beyond what chance explains: (Q - (k - 1)) / Q, and 0 where that is negative.
    pub inconsistency: f64,
    /// tau, the standard deviation between the effects of the studies.
    pub between: f64,
}

impl Pooled {
    /// Pools estimates with their standard errors, at a confidence level.
    pub fn of(estimates: &[f64], standard_errors: &[f64], level: f64) -> Result<Self, Error> {
        check_level(level)?;
        check(estimates, standard_errors)?;
        let weights: Vec<f64> = standard_errors.iter().map(|error| error.powi(-2)).collect();
        let degrees = estimates.len() as f64 - 1.0;
        let (fixed, total) = weighted_mean(estimates, &weights);
        let heterogeneity = spread(estimates, &weights, fixed);
        let excess = heterogeneity - degrees;
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        let between_variance = if excess > 0.0 { excess / (total - squares / total) } else { 0.0 };
        let wider: Vec<f64> = standard_errors.iter().map(|error| (error * error + between_variance).recip()).collect();
        let (random, wider_total) = weighted_mean(estimates, &wider);
        let knapp = if degrees > 0.0 { spread(estimates, &wider, random) / degrees } else { 1.0 };
        let (fixed_error, random_error) = (total.recip().sqrt(), (knapp.max(1.0) / wider_total).sqrt());
        let normal = normal_quantile(0.5 + 0.5 * level);
        Ok(Self {
            studies: estimates.len(),
            fixed: Effect {
                estimate: fixed,
                standard_error: fixed_error,
                interval: Some(Interval::symmetric(fixed, normal * fixed_error)),
                p_value: Some(normal_two_sided(fixed / fixed_error)),
            },
            random: Effect {
                estimate: random,
                standard_error: random_error,
                interval: (degrees > 0.0)
                    .then(|| Interval::symmetric(random, student_factor(level, degrees) * random_error)),
                p_value: (degrees > 0.0).then(|| student_two_sided(random / random_error, degrees)),
            },
            heterogeneity,
            heterogeneity_p: (degrees > 0.0).then(|| chi_square_above(heterogeneity, degrees)),
            inconsistency: if excess > 0.0 { excess / heterogeneity } else { 0.0 },
            between: between_variance.sqrt(),
        })
    }
}

fn check(estimates: &[f64], standard_errors: &[f64]) -> Result<(), Error> {
    if estimates.is_empty() {
        return Err(Error::Empty { what: WHAT });
    }
    if estimates.len() != standard_errors.len() {
        return Err(Error::UnequalLengths {
            what: WHAT,
            left: estimates.len(),
            right: standard_errors.len(),
            remedy: "give every estimate its standard error",
        });
    }
    check_finite(WHAT, estimates)?;
    check_finite(WHAT, standard_errors)?;
    match standard_errors.iter().position(|error| error.powi(-2).is_infinite() || *error < 0.0) {
        Some(index) => Err(Error::StandardError { index, value: standard_errors[index] }),
        None => Ok(()),
    }
}

/// The mean under these weights, and their sum.
fn weighted_mean(values: &[f64], weights: &[f64]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    (values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total, total)
}

/// The weighted squares around a centre.
fn spread(values: &[f64], weights: &[f64], centre: f64) -> f64 {
    values.iter().zip(weights).map(|(value, weight)| weight * (value - centre).powi(2)).sum()
}

/// `P(|Z| >= |z|)` for a standard normal `Z`: `Z^2` has one degree of freedom.
fn normal_two_sided(z: f64) -> f64 {
    chi_square_above(z * z, 1.0)
}

/// `P(X >= x)` for a chi-square `X`.
fn chi_square_above(x: f64, degrees: f64) -> f64 {
    if x > 0.0 { gamma_ur(0.5 * degrees, 0.5 * x) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_studies_by_hand() {
        // Weights 100 and 25: (0.1 * 100 + 0.3 * 25) / 125; Q = 100 * 0.04^2 + 25 * 0.16^2 = 0.8 is below one degree.
        let pooled = Pooled::of(&[0.1, 0.3], &[0.1, 0.2], 0.95).unwrap();
        assert!((pooled.fixed.estimate - 0.14).abs() < 1e-12);
        assert!((pooled.fixed.standard_error - (1.0f64 / 125.0).sqrt()).abs() < 1e-12);
        assert!((pooled.heterogeneity - 0.8).abs() < 1e-12);
        assert_eq!((pooled.between, pooled.inconsistency), (0.0, 0.0));
        assert!((pooled.random.estimate - 0.14).abs() < 1e-12);
        assert!(
            (pooled.random.standard_error - pooled.fixed.standard_error).abs() < 1e-12,
            "the floor of Knapp's factor"
        );
        assert!(pooled.random.interval.unwrap().half_width > 6.0 * pooled.fixed.interval.unwrap().half_width);
    }

    #[test]
    fn studies_that_contradict_each_other_are_weighted_alike() {
        let pooled = Pooled::of(&[1.0, -1.0], &[0.1, 0.01], 0.95).unwrap();
        assert!(pooled.fixed.estimate < -0.97 && pooled.random.estimate.abs() < 0.01, "{pooled:?}");
        assert!(pooled.inconsistency > 0.99 && pooled.between > 1.0 && pooled.heterogeneity_p.unwrap() < 1e-9);
    }

    #[test]
    fn one_study_is_itself() {
        let pooled = Pooled::of(&[0.2], &[0.05], 0.95).unwrap();
        assert_eq!(pooled.studies, 1);
        assert!((pooled.fixed.estimate - 0.2).abs() < 1e-15 && (pooled.random.estimate - 0.2).abs() < 1e-15);
        assert!((pooled.fixed.standard_error - 0.05).abs() < 1e-15);
        assert_eq!((pooled.random.interval, pooled.random.p_value, pooled.heterogeneity_p), (None, None, None));
    }

    #[test]
    fn bad_input_is_named() {
        assert!(matches!(Pooled::of(&[], &[], 0.95), Err(Error::Empty { .. })));
        assert!(matches!(Pooled::of(&[0.1], &[], 0.95), Err(Error::UnequalLengths { left: 1, right: 0, .. })));
        assert!(matches!(Pooled::of(&[0.1], &[0.1], 1.0), Err(Error::Level { .. })));
        assert!(matches!(Pooled::of(&[f64::NAN], &[0.1], 0.95), Err(Error::NotFinite { .. })));
        assert_eq!(
            Pooled::of(&[0.1, 0.2], &[0.1, 0.0], 0.95).unwrap_err().to_string(),
            "a pooled effect needs standard errors above zero: study 1 has 0; leave out a study whose differences are all equal"
        );
        assert!(Pooled::of(&[0.1], &[-0.1], 0.95).is_err());
    }

    proptest! {
        /// What is equal does not differ, whatever the weights.
        #[test]
        fn equal_estimates_have_no_heterogeneity(value in -2.0..2.0, errors in prop::collection::vec(0.01..1.0, 2..6)) {
            let pooled = Pooled::of(&vec![value; errors.len()], &errors, 0.9).unwrap();
            prop_assert!(pooled.heterogeneity < 1e-9 && pooled.between == 0.0);
            prop_assert!((pooled.fixed.estimate - value).abs() < 1e-9);
            prop_assert!((pooled.random.estimate - value).abs() < 1e-9);
        }

        /// A mean lies among what it is the mean of, and the interval of the random effect is no narrower.
        #[test]
        fn an_effect_lies_among_its_studies(studies in prop::collection::vec((-1.0..1.0, 0.01..1.0), 2..8)) {
            let (estimates, errors): (Vec<f64>, Vec<f64>) = studies.into_iter().unzip();
            let pooled = Pooled::of(&estimates, &errors, 0.95).unwrap();
            let (low, high) = (estimates.iter().copied().fold(1.0, f64::min), estimates.iter().copied().fold(-1.0, f64::max));
            for effect in [pooled.fixed, pooled.random] {
                prop_assert!((low - 1e-12..=high + 1e-12).contains(&effect.estimate));
            }
            prop_assert!(pooled.random.standard_error >= pooled.fixed.standard_error * (1.0 - 1e-12));
        }
    }
}
