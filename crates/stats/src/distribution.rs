//! The three reference distributions: normal, Student t and beta.
//!
//! Student: `P(|T| >= t) = I_{v/(v+t^2)}(v/2, 1/2)` for `v` degrees of freedom. Quantiles are found by bisection on the
//! bit pattern of the positive floats, which are ordered like the numbers themselves: at most 64 steps, no starting
//! value, no failure to converge. Invariant: a quantile is the float where the distribution function crosses the asked
//! probability.

use std::f64::consts::SQRT_2;

use statrs::function::erf::erfc_inv;

use crate::Error;
use crate::incomplete_beta::beta_tails;

/// `P(Z <= z)` for a standard normal `Z`, by inverting the quantile: statrs rounds `erfc_inv` to the last digits, but
/// `erfc` only to the tenth.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    let lower = crossing(0.5, |p| normal_quantile(p) >= -z.abs());
    if z > 0.0 { 1.0 - lower } else { lower }
}

/// The `z` with `P(Z <= z) = p`; infinite at 0 and 1.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p)
}

/// `P(|T| >= |t|)` for `degrees` degrees of freedom.
pub(crate) fn student_two_sided(t: f64, degrees: f64) -> f64 {
    let ratio = t * t / degrees;
    if ratio == 0.0 {
        return 1.0;
    }
    beta_tails(0.5 * degrees, 0.5, 1.0 / (1.0 + ratio), 1.0 / (1.0 + 1.0 / ratio)).0
}

/// The `t` with `P(|T| <= t) = level`: the factor of a two-sided interval.
pub(crate) fn student_factor(level: f64, degrees: f64) -> f64 {
    let outside = 1.0 - level;
    crossing(f64::MAX, |t| student_two_sided(t, degrees) <= outside)
}

/// The `x` with `I_x(a, b) = p`.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    crossing(1.0, |x| beta_tails(a, b, x, 1.0 - x).0 >= p)
}

/// Refuses a confidence level outside the open unit interval.
pub(crate) fn check_level(level: f64) -> Result<(), Error> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(Error::Level { value: level }) }
}

/// The smallest float in `[0, highest]` that has `reached`, for a condition that stays true once it is.
fn crossing(highest: f64, reached: impl Fn(f64) -> bool) -> f64 {
    let (mut below, mut at) = (0, highest.to_bits());
    while at - below > 1 {
        let middle = below + (at - below) / 2;
        if reached(f64::from_bits(middle)) {
            at = middle;
        } else {
            below = middle;
        }
    }
    f64::from_bits(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_landmarks() {
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
        assert_eq!(normal_cdf(0.0), 0.5);
        assert!((normal_cdf(-1.0) - 0.158_655_253_931_457_05).abs() < 1e-15);
        assert!((normal_cdf(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
        for p in [1e-9, 0.01, 0.3, 0.7, 0.999] {
            assert!((normal_cdf(normal_quantile(p)) / p - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn one_degree_of_freedom_is_cauchy() {
        for level in [0.1, 0.5, 0.95, 0.999] {
            let tangent = (std::f64::consts::FRAC_PI_2 * level).tan();
            assert!((student_factor(level, 1.0) / tangent - 1.0).abs() < 1e-12, "level {level}");
        }
    }

    #[test]
    fn student_tails() {
        assert_eq!(student_two_sided(0.0, 5.0), 1.0);
        assert_eq!(student_two_sided(f64::INFINITY, 5.0), 0.0);
        assert!((1.0 - student_two_sided(1e-6, 1.0) - 2e-6 / std::f64::consts::PI).abs() < 1e-15);
        assert!((student_factor(0.95, 1e6) - normal_quantile(0.975)).abs() < 1e-5);
    }

    #[test]
    fn beta_quantile_inverts() {
        assert!((beta_quantile(0.3, 1.0, 1.0) - 0.3).abs() < 1e-15);
        assert!((beta_quantile(0.025, 1.0, 20.0) - (1.0 - 0.975f64.powf(0.05))).abs() < 1e-14);
    }

    #[test]
    fn levels_are_checked() {
        for value in [0.0, 1.0, -0.1, 95.0, f64::NAN] {
            assert!(check_level(value).is_err());
        }
        let message = check_level(95.0).unwrap_err().to_string();
        assert_eq!(message, "a confidence level lies strictly between 0 and 1: got 95; write 95 % as 0.95");
    }
}
