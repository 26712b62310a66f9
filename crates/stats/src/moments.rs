//! Mean and standard deviation of a sample of finite numbers.
//!
//! `mean = (1/n) sum x_i`, `s^2 = 1/(n-1) sum (x_i - mean)^2`. Invariant: `s` is zero exactly when all values are
//! equal, and then the mean is that value to the last bit; `s` does not exist for a single observation.

use serde::{Deserialize, Serialize};

use crate::Error;

/// Size, mean and standard deviation of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// Number of observations, at least one.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation with denominator `n - 1`; `None` for one observation.
    pub standard_deviation: Option<f64>,
}

impl Moments {
    /// The moments of `sample`, which must hold at least one number and only finite ones.
    pub fn of(sample: &[f64]) -> Result<Self, Error> {
        check_finite("a sample mean", sample)?;
        let (&first, rest) = sample.split_first().ok_or(Error::Empty { what: "a sample mean" })?;
        let n = sample.len();
        if rest.iter().all(|&x| x == first) {
            return Ok(Self { n, mean: first, standard_deviation: (n > 1).then_some(0.0) });
        }
        let mean = mean(sample);
        // Deviations are scaled before squaring: tiny spreads must not vanish, large ones must not overflow.
        let scale = sample.iter().map(|x| (x - mean).abs()).fold(0.0, f64::max);
        let squares: f64 = sample.iter().map(|x| ((x - mean) / scale).powi(2)).sum();
        let deviation = scale * (squares / (n as f64 - 1.0)).sqrt();
        if !deviation.is_finite() {
            return Err(Error::Overflow { what: "a standard deviation", largest: largest_magnitude(sample) });
        }
        Ok(Self { n, mean, standard_deviation: Some(deviation) })
    }

    /// Standard error of the mean, `s / sqrt(n)`.
    pub fn standard_error(&self) -> Option<f64> {
        self.standard_deviation.map(|s| s / (self.n as f64).sqrt())
    }
}

/// Arithmetic mean of a non-empty slice; finite for finite values, even if their sum is not.
pub(crate) fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let total: f64 = values.iter().sum();
    if total.is_finite() { total / n } else { values.iter().map(|x| x / n).sum() }
}

/// Refuses a slice that holds a `NaN` or an infinity.
pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NotFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}

fn largest_magnitude(values: &[f64]) -> f64 {
    values.iter().map(|x| x.abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sample() {
        let moments = Moments::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(moments.mean, 5.0);
        assert!((moments.standard_deviation.unwrap() - (32.0f64 / 7.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn equal_values_have_no_spread_and_an_exact_mean() {
        let moments = Moments::of(&[0.1; 3]).unwrap();
        assert_eq!((moments.mean, moments.standard_deviation), (0.1, Some(0.0)));
    }

    #[test]
    fn one_value_has_no_deviation() {
        assert_eq!(Moments::of(&[3.0]).unwrap().standard_deviation, None);
    }

    #[test]
    fn tiny_spread_survives() {
        assert!(Moments::of(&[1e-200, 3e-200]).unwrap().standard_deviation.unwrap() > 0.0);
    }

    #[test]
    fn bad_samples_are_named() {
        assert_eq!(
            Moments::of(&[]).unwrap_err().to_string(),
            "a sample mean needs at least one value: got an empty array; check that the filter before it kept some rows"
        );
        assert_eq!(
            Moments::of(&[1.0, f64::NAN]).unwrap_err().to_string(),
            "a sample mean needs finite numbers: value 1 is NaN; repair or drop that row first"
        );
        assert!(matches!(Moments::of(&[-1.7e308, 1.7e308]), Err(Error::Overflow { largest: 1.7e308, .. })));
    }
}
