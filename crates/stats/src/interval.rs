//! Confidence intervals, and the Student interval of a mean.
//!
//! `mean +- t_{level, n-1} s / sqrt(n)`. Invariant: `low <= high`; the interval of fewer than two observations does not
//! exist and is `None`, and that of equal observations has width zero.

use serde::{Deserialize, Serialize};

use crate::distribution::{check_level, student_factor};
use crate::moments::check_finite;
use crate::{Error, Moments};

/// An estimate with the ends of its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The point estimate; it need not be the middle of the interval.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Half the width: the number after the plus-minus sign of a symmetric interval.
    pub half_width: f64,
}

impl Interval {
    /// `estimate - half_width ..= estimate + half_width`.
    pub(crate) fn symmetric(estimate: f64, half_width: f64) -> Self {
        Self { estimate, low: estimate - half_width, high: estimate + half_width, half_width }
    }

    /// An interval given by its ends.
    pub(crate) fn between(estimate: f64, low: f64, high: f64) -> Self {
        Self { estimate, low, high, half_width: 0.5 * high - 0.5 * low }
    }

    /// Whether `value` lies outside the interval; an end counts as inside.
    pub fn excludes(&self, value: f64) -> bool {
        value < self.low || value > self.high
    }
}

/// The Student interval of the mean of `sample` at confidence `level`; `None` below two observations.
pub fn mean_interval(sample: &[f64], level: f64) -> Result<Option<Interval>, Error> {
    check_level(level)?;
    check_finite("a mean interval", sample)?;
    if sample.len() < 2 {
        return Ok(None);
    }
    let moments = Moments::of(sample)?;
    let factor = student_factor(level, sample.len() as f64 - 1.0);
    Ok(moments.standard_error().map(|error| Interval::symmetric(moments.mean, factor * error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_interval() {
        // t_{0.975, 3} = 3.18244630528371, s = sqrt(5/3).
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0], 0.95).unwrap().unwrap();
        let half_width = 3.182_446_305_283_71 * (5.0f64 / 3.0).sqrt() / 2.0;
        assert!((interval.half_width - half_width).abs() < 1e-12);
        assert_eq!(interval.estimate, 2.5);
        assert!(interval.excludes(0.0) && !interval.excludes(interval.low));
    }

    #[test]
    fn too_few_observations_give_none() {
        assert_eq!(mean_interval(&[], 0.95), Ok(None));
        assert_eq!(mean_interval(&[1.0], 0.95), Ok(None));
    }

    #[test]
    fn equal_observations_have_zero_width() {
        let interval = mean_interval(&[0.1; 5], 0.95).unwrap().unwrap();
        assert_eq!((interval.low, interval.high, interval.half_width), (0.1, 0.1, 0.0));
    }

    #[test]
    fn a_bad_value_is_refused_even_alone() {
        assert!(matches!(mean_interval(&[f64::INFINITY], 0.95), Err(Error::NotFinite { index: 0, .. })));
    }
}
