//! The growth exponent of a curve: least squares on logarithms.
//!
//! `ln y = intercept + slope ln x`, with `slope = S_xy / S_xx` and standard error `sqrt(RSS / (m - 2) / S_xx)` over the
//! `m` points where both coordinates are positive. Invariant: the slope does not change when `x` or `y` is multiplied
//! by a positive constant; a curve without two distinct positive abscissas has no slope.
//!
//! DIFFERENCE: `scipy.stats.linregress` reports a standard error of 0 for two points; here it does not exist.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::moments::{check_finite, mean};

/// A fitted line through logarithms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// Growth exponent.
    pub slope: f64,
    /// Logarithm of the value at `x = 1`.
    pub intercept: f64,
    /// Standard error of the slope; `None` for two points.
    pub standard_error: Option<f64>,
    /// Number of points used, the positive ones.
    pub points: usize,
}

/// The slope of `ln y` against `ln x`; `None` without two distinct positive abscissas that have positive ordinates.
pub fn log_log_slope(x: &[f64], y: &[f64]) -> Result<Option<Slope>, Error> {
    if x.len() != y.len() {
        return Err(Error::UnequalLengths {
            what: "a log-log slope",
            left: x.len(),
            right: y.len(),
            remedy: "give one ordinate per abscissa",
        });
    }
    check_finite("a log-log slope", x)?;
    check_finite("a log-log slope", y)?;
    let positive = x.iter().zip(y).filter(|(x, y)| **x > 0.0 && **y > 0.0);
    let (xs, ys): (Vec<f64>, Vec<f64>) = positive.map(|(x, y)| (x.ln(), y.ln())).unzip();
    if xs.iter().all(|&value| value == xs[0]) {
        return Ok(None);
    }
    let (centre_x, centre_y) = (mean(&xs), mean(&ys));
    let points = || xs.iter().zip(&ys).map(|(x, y)| (x - centre_x, y - centre_y));
    let sum_xx: f64 = points().map(|(dx, _)| dx * dx).sum();
    let slope = points().map(|(dx, dy)| dx * dy).sum::<f64>() / sum_xx;
    let residual: f64 = points().map(|(dx, dy)| (dy - slope * dx).powi(2)).sum();
    let standard_error = (xs.len() > 2).then(|| (residual / (xs.len() as f64 - 2.0) / sum_xx).sqrt());
    Ok(Some(Slope { slope, intercept: centre_y - slope * centre_x, standard_error, points: xs.len() }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn recovers_a_power_law() {
        let x = [1.0, 2.0, 4.0, 8.0];
        let y = x.map(|x: f64| 3.0 * x.powf(0.75));
        let fit = log_log_slope(&x, &y).unwrap().unwrap();
        assert!((fit.slope - 0.75).abs() < 1e-12 && (fit.intercept - 3f64.ln()).abs() < 1e-12);
        assert!(fit.standard_error.unwrap() < 1e-12);
    }

    #[test]
    fn points_without_a_logarithm_are_left_out() {
        let fit = log_log_slope(&[0.0, 1.0, 2.0, 3.0, -1.0], &[1.0, 1.0, 4.0, 0.0, 2.0]).unwrap().unwrap();
        assert_eq!(fit.points, 2);
        assert!((fit.slope - 2.0).abs() < 1e-15);
        assert_eq!(fit.standard_error, None);
    }

    #[test]
    fn no_slope_without_two_abscissas() {
        assert_eq!(log_log_slope(&[], &[]), Ok(None));
        assert_eq!(log_log_slope(&[1.0, 2.0], &[1.0, 0.0]), Ok(None));
        assert_eq!(log_log_slope(&[2.0, 2.0], &[1.0, 3.0]), Ok(None));
    }

    #[test]
    fn bad_arrays_are_refused() {
        assert!(matches!(log_log_slope(&[1.0], &[]), Err(Error::UnequalLengths { .. })));
        assert!(matches!(log_log_slope(&[1.0], &[f64::NAN]), Err(Error::NotFinite { .. })));
    }

    proptest! {
        #[test]
        fn units_do_not_matter(
            points in prop::collection::vec((0.1..100.0f64, 0.1..100.0f64), 3..20),
            a in 0.01..100.0f64,
            b in 0.01..100.0f64,
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let scaled_x: Vec<f64> = x.iter().map(|x| a * x).collect();
            let scaled_y: Vec<f64> = y.iter().map(|y| b * y).collect();
            let raw = log_log_slope(&x, &y).unwrap().unwrap();
            let scaled = log_log_slope(&scaled_x, &scaled_y).unwrap().unwrap();
            prop_assert!((raw.slope - scaled.slope).abs() <= 1e-6 * (1.0 + raw.slope.abs()));
        }
    }
}
