//! The regularised incomplete beta function, both tails.
//!
//! `I_x(a, b) = 1/B(a, b) * integral_0^x t^(a-1) (1-t)^(b-1) dt` by its continued fraction (modified Lentz), evaluated
//! on the side where it converges fast. Invariant: the smaller tail keeps its relative accuracy, because the caller
//! passes `x` and `1 - x` separately and neither tail is formed by subtraction unless it is the larger one.

use statrs::function::gamma::ln_gamma;

/// Terms after which the fraction stops; it needs a multiple of `sqrt(max(a, b))`, so this serves parameters beyond
/// 1e7.
const MAX_TERMS: u32 = 20_000;

/// Smallest magnitude a Lentz factor may take.
const TINY: f64 = 1e-300;

/// `(I_x(a, b), 1 - I_x(a, b))` for `a, b > 0` and `x + y = 1`, both in `[0, 1]`.
pub(crate) fn beta_tails(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if y <= 0.0 {
        return (1.0, 0.0);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * y.ln()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = (front * continued_fraction(a, b, x) / a).clamp(0.0, 1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (front * continued_fraction(b, a, y) / b).clamp(0.0, 1.0);
        (1.0 - upper, upper)
    }
}

fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for term in 1..=MAX_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + coefficient * d);
            c = away_from_zero(1.0 + coefficient / c);
            change = c * d;
            value *= change;
        }
        if (change - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(a: f64, b: f64, x: f64) -> f64 {
        beta_tails(a, b, x, 1.0 - x).0
    }

    #[test]
    fn closed_forms() {
        for x in [1e-9, 0.1, 0.25, 0.5, 0.9, 0.999] {
            assert!((lower(1.0, 1.0, x) - x).abs() < 1e-15);
            assert!((lower(3.0, 1.0, x) / x.powi(3) - 1.0).abs() < 1e-13);
            assert!((lower(0.5, 0.5, x) - 2.0 / std::f64::consts::PI * x.sqrt().asin()).abs() < 1e-14);
        }
    }

    #[test]
    fn ends_and_symmetry() {
        assert_eq!(beta_tails(2.0, 3.0, 0.0, 1.0), (0.0, 1.0));
        assert_eq!(beta_tails(2.0, 3.0, 1.0, 0.0), (1.0, 0.0));
        assert!((lower(12.0, 30.5, 0.3) - (1.0 - lower(30.5, 12.0, 0.7))).abs() < 1e-14);
        assert!((lower(5e4, 5e4, 0.5) - 0.5).abs() < 1e-9);
    }
}
