//! Quantiles by linear interpolation between order statistics.
//!
//! With `h = q (n - 1)` the quantile is `x_(floor h) + (h - floor h) (x_(floor h + 1) - x_(floor h))`, numpy's default
//! rule. Invariant: a quantile lies between the smallest and the largest value and does not decrease with `q`.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::moments::check_finite;

/// The three cuts that quarter a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quartiles {
    /// The 25 % quantile.
    pub low: f64,
    /// The 50 % quantile.
    pub median: f64,
    /// The 75 % quantile.
    pub high: f64,
}

impl Quartiles {
    /// The quartiles of a non-empty sample of finite numbers.
    pub fn of(values: &[f64]) -> Result<Self, Error> {
        let sorted = sorted("a quantile", values)?;
        let at = |fraction| sorted_quantile(&sorted, fraction);
        Ok(Self { low: at(0.25), median: at(0.5), high: at(0.75) })
    }
}

/// The quantile of `values` at `fraction`, which lies in `[0, 1]`.
pub fn quantile(values: &[f64], fraction: f64) -> Result<f64, Error> {
    if !(0.0..=1.0).contains(&fraction) {
        return Err(Error::NotAProbability { what: "a quantile fraction", index: 0, value: fraction });
    }
    Ok(sorted_quantile(&sorted("a quantile", values)?, fraction))
}

/// The median of `values`.
pub fn median(values: &[f64]) -> Result<f64, Error> {
    quantile(values, 0.5)
}

/// A sorted copy of a non-empty slice of finite numbers.
pub(crate) fn sorted(what: &'static str, values: &[f64]) -> Result<Vec<f64>, Error> {
    check_finite(what, values)?;
    if values.is_empty() {
        return Err(Error::Empty { what });
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

/// The quantile of a non-empty ascending slice; `fraction` lies in `[0, 1]`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn sorted_quantile(sorted: &[f64], fraction: f64) -> f64 {
    let last = sorted.len() - 1;
    let position = fraction * last as f64;
    let below = (position.floor() as usize).min(last);
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    let share = position - below as f64;
    if share <= 0.0 || a == b {
        return a;
    }
    // Interpolating from the nearer end keeps the result monotone in `fraction` under rounding.
    let value = if share < 0.5 { a + (b - a) * share } else { b - (b - a) * (1.0 - share) };
    value.clamp(a, b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn interpolates_like_numpy() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(Quartiles::of(&values), Ok(Quartiles { low: 1.75, median: 2.5, high: 3.25 }));
        assert_eq!(quantile(&values, 0.0), Ok(1.0));
        assert_eq!(quantile(&values, 1.0), Ok(4.0));
        assert_eq!(median(&[7.0]), Ok(7.0));
    }

    #[test]
    fn refuses_bad_input() {
        assert!(matches!(median(&[]), Err(Error::Empty { .. })));
        assert!(matches!(quantile(&[1.0], 1.5), Err(Error::NotAProbability { .. })));
        assert!(matches!(quantile(&[1.0], f64::NAN), Err(Error::NotAProbability { .. })));
    }

    proptest! {
        #[test]
        fn bounded_and_monotone(
            values in prop::collection::vec(-1e6..1e6f64, 1..40), p in 0.0..=1.0f64, q in 0.0..=1.0f64,
        ) {
            let low = quantile(&values, p.min(q)).unwrap();
            let high = quantile(&values, p.max(q)).unwrap();
            prop_assert!(quantile(&values, 0.0).unwrap() <= low && low <= high);
            prop_assert!(high <= quantile(&values, 1.0).unwrap());
        }
    }
}
