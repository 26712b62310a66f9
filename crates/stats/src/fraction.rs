//! How sure a fraction is: the exact binomial (Clopper-Pearson) interval.
//!
//! Its ends are the `(1 - level)/2` quantile of `Beta(k, n - k + 1)` and the `(1 + level)/2` quantile of
//! `Beta(k + 1, n - k)`; 0 and 1 where those do not exist. It supposes independent opportunities. Invariant:
//! `low <= k/n <= high`.

use crate::distribution::{beta_quantile, check_level};
use crate::{Error, Interval};

/// The exact binomial interval of `successes` out of `trials`.
pub fn clopper_pearson(successes: usize, trials: usize, level: f64) -> Result<Interval, Error> {
    check_level(level)?;
    if trials == 0 {
        return Err(Error::Empty { what: "a fraction covered" });
    }
    let Some(failures) = trials.checked_sub(successes) else {
        return Err(Error::MoreSuccessesThanTrials { successes, trials });
    };
    let (k, m) = (successes as f64, failures as f64);
    let outside = 0.5 * (1.0 - level);
    let low = if successes == 0 { 0.0 } else { beta_quantile(outside, k, m + 1.0) };
    // The upper end by reflection, so that both ends are read from the accurate lower tail.
    let high = if failures == 0 { 1.0 } else { 1.0 - beta_quantile(outside, m, k + 1.0) };
    Ok(Interval::between(k / trials as f64, low, high))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn closed_forms_at_the_ends() {
        let none = clopper_pearson(0, 10, 0.95).unwrap();
        assert_eq!(none.low, 0.0);
        assert!((none.high - (1.0 - 0.025f64.powf(0.1))).abs() < 1e-13);
        let all = clopper_pearson(10, 10, 0.95).unwrap();
        assert!((all.low - 0.025f64.powf(0.1)).abs() < 1e-13);
        assert_eq!(all.high, 1.0);
    }

    #[test]
    fn impossible_counts_are_refused() {
        assert!(matches!(clopper_pearson(0, 0, 0.95), Err(Error::Empty { .. })));
        assert_eq!(
            clopper_pearson(3, 2, 0.95).unwrap_err().to_string(),
            "3 of 2 is no fraction; pass the successes first and the trials second"
        );
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_fraction(trials in 1..400_usize, share in 0.0..=1.0f64, level in 0.5..0.999f64) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let successes = (share * trials as f64) as usize;
            let interval = clopper_pearson(successes, trials, level).unwrap();
            prop_assert!(0.0 <= interval.low && interval.low <= interval.estimate);
            prop_assert!(interval.estimate <= interval.high && interval.high <= 1.0);
        }
    }
}
