//! The finite-sample rank ⌈(n + 1)(1 - α)⌉ and the conformal quantile.
//!
//! Invariant: the rank is that of the decimal number a person wrote for α, not of its binary neighbour: nine scores at
//! α = 0.1 have rank 9. The quantile is infinite exactly when the rank exceeds n.

use counsel_decision::Radius;
use counsel_decision::refusal::{Refusal, in_range};

use crate::{Alpha, Error};

/// Relative distance under which (n + 1) α counts as the whole number next to it. Far above rounding, far below any
/// effect on coverage.
const ROUNDING: f64 = 1e-12;

/// ⌈(n + 1)(1 - α)⌉, at least 1 and at most n + 1.
pub fn conformal_rank(n: usize, alpha: Alpha) -> usize {
    // The identity ⌈(n + 1)(1 - α)⌉ = n + 1 - ⌊(n + 1) α⌋ avoids the cancellation in 1 - α.
    let misses = (n as f64 + 1.0) * alpha.value();
    let nearest = misses.round();
    let whole = if (misses - nearest).abs() <= ROUNDING * misses { nearest } else { misses.floor() };
    n + 1 - count(whole).min(n)
}

/// The score of rank [`conformal_rank`] among `scores`, smallest first; infinite when there are too few.
pub fn conformal_quantile(scores: &[f64], alpha: Alpha) -> Result<Radius, Error> {
    let mut sorted = scores.to_vec();
    sort_scores(&mut sorted)?;
    quantile_of_sorted(&sorted, alpha)
}

/// The quantile of scores that are in order already.
pub(crate) fn quantile_of_sorted(sorted: &[f64], alpha: Alpha) -> Result<Radius, Error> {
    match sorted.get(conformal_rank(sorted.len(), alpha) - 1) {
        Some(&score) => Ok(Radius::new(score)?),
        None => Ok(Radius::INFINITE),
    }
}

/// Puts scores in order; refuses one that is no score.
pub(crate) fn sort_scores(scores: &mut [f64]) -> Result<(), Refusal> {
    for &score in scores.iter() {
        in_range(score >= 0.0, "a score", score, "[0, infinity]", "compute scores with `score`")?;
    }
    scores.sort_by(f64::total_cmp);
    Ok(())
}

/// A non-negative whole number as a count.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is whole and at most n + 1")]
fn count(whole: f64) -> usize {
    whole as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_is_that_of_the_decimal_number() {
        let rank = |n, alpha| conformal_rank(n, Alpha::new(alpha).unwrap());
        assert_eq!(rank(9, 0.1), 9);
        assert_eq!(rank(8, 0.1), 9, "one too few: beyond the end");
        assert_eq!(rank(9, 1.0 - 0.9), 9);
        for n in 0_usize..400 {
            for thousandths in 1_usize..1000 {
                let exact = ((n + 1) * (1000 - thousandths)).div_ceil(1000);
                assert_eq!(rank(n, thousandths as f64 / 1000.0), exact, "n {n}, alpha {thousandths}/1000");
            }
        }
    }

    #[test]
    fn alpha_at_the_ends_is_refused() {
        for alpha in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(Alpha::new(alpha).is_err(), "{alpha}");
        }
    }

    #[test]
    fn a_nan_score_is_refused() {
        assert!(conformal_quantile(&[0.1, f64::NAN], Alpha::new(0.5).unwrap()).is_err());
    }
}
