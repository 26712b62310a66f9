//! Bootstrap intervals of any statistic: bias-corrected and accelerated (BCa).
//!
//! With the estimate `t`, its bootstrap replicates `t*_1..t*_B` and its jackknife values `t_(i)`:
//! `z0 = ppf((#{t* < t} + #{t* <= t}) / 2B)`, `u_i = (n-1)(mean t_(.) - t_(i))`,
//! `a = sum u^3 / (6 (sum u^2)^(3/2))`, and the ends are the quantiles of `t*` at
//! `cdf(z0 + (z0 + z) / (1 - a (z0 + z)))` for `z = ppf((1 -+ level)/2)`. Ties, quantiles and acceleration follow
//! `scipy.stats.bootstrap`. Invariant: `low <= high`, and equal arguments give equal bytes.
//!
//! DIFFERENCE: scipy returns `NaN` or crossed ends where the formula breaks down (an estimate outside its own
//! replicates, a constant jackknife, `a (z0 + z) >= 1`); here the interval is `None`. A replicate distribution that is
//! the estimate throughout gives an interval of width zero.
//! DIFFERENCE: a resample keeps the order of the sample, so a resample that is the sample itself reproduces the
//! estimate to the last bit and counts as a tie whatever the rounding of the statistic.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::distribution::{check_level, normal_cdf, normal_quantile};
use crate::moments::{check_finite, mean};
use crate::quantile::{sorted, sorted_quantile};
use crate::{Error, Interval};

/// How a bootstrap is run.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `level` | 0.95 | strictly between 0 and 1 |
/// | `resamples` | 9999 | at least 1 |
/// | `seed` | none, always given | any |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// Confidence level of the intervals.
    pub level: f64,
    /// Number of replicates.
    pub resamples: usize,
    /// Seed of the resampling stream.
    pub seed: u64,
}

impl Bootstrap {
    /// A 95 % bootstrap of 9999 resamples.
    pub fn seeded(seed: u64) -> Self {
        Self { level: 0.95, resamples: 9_999, seed }
    }

    /// The replicates of `statistic` on resamples of `sample`, drawn with replacement.
    pub fn replicates(&self, sample: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Result<Vec<f64>, Error> {
        check_finite("a bootstrap", sample)?;
        if sample.is_empty() {
            return Err(Error::Empty { what: "a bootstrap" });
        }
        if self.resamples == 0 {
            return Err(Error::NoResamples);
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut copies = vec![0_usize; sample.len()];
        let mut resample = Vec::with_capacity(sample.len());
        let mut replicates = Vec::with_capacity(self.resamples);
        for _ in 0..self.resamples {
            copies.fill(0);
            for _ in 0..sample.len() {
                copies[rng.random_range(0..sample.len())] += 1;
            }
            resample.clear();
            for (&value, &count) in sample.iter().zip(&copies) {
                resample.extend(std::iter::repeat_n(value, count));
            }
            replicates.push(statistic(&resample));
        }
        Ok(replicates)
    }

    /// The BCa interval of `statistic`; `None` below two observations or where the correction does not exist.
    pub fn bca(&self, sample: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Result<Option<Interval>, Error> {
        check_level(self.level)?;
        let replicates = self.replicates(sample, &statistic)?;
        bca_interval(sample, statistic, &replicates, self.level)
    }
}

/// The BCa interval of `statistic` on `sample` from replicates that were drawn elsewhere.
pub fn bca_interval(
    sample: &[f64],
    statistic: impl Fn(&[f64]) -> f64,
    replicates: &[f64],
    level: f64,
) -> Result<Option<Interval>, Error> {
    check_level(level)?;
    check_finite("a bootstrap", sample)?;
    let replicates = sorted("a bootstrap distribution", replicates)?;
    if sample.len() < 2 {
        return Ok(None);
    }
    let estimate = statistic(sample);
    check_finite("a bootstrap estimate", &[estimate])?;
    if replicates.iter().all(|&replicate| replicate == estimate) {
        return Ok(Some(Interval::symmetric(estimate, 0.0)));
    }
    let Some(acceleration) = acceleration(sample, statistic) else { return Ok(None) };
    let below = replicates.partition_point(|&replicate| replicate < estimate);
    let up_to = replicates.partition_point(|&replicate| replicate <= estimate);
    let bias = normal_quantile((below + up_to) as f64 / (2.0 * replicates.len() as f64));
    let end = |z: f64| {
        let shifted = bias + z;
        let stretch = 1.0 - acceleration * shifted;
        (shifted.is_finite() && stretch > 0.0)
            .then(|| sorted_quantile(&replicates, normal_cdf(bias + shifted / stretch)))
    };
    let z = normal_quantile(0.5 * (1.0 - level));
    Ok(end(z).zip(end(-z)).map(|(low, high)| Interval::between(estimate, low, high)))
}

/// Jackknife acceleration; `None` when leaving out any one observation changes nothing.
fn acceleration(sample: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Option<f64> {
    let mut others = sample[1..].to_vec();
    let mut jackknife = Vec::with_capacity(sample.len());
    for (left_out, &value) in sample.iter().enumerate() {
        jackknife.push(statistic(&others));
        if let Some(next_left_out) = others.get_mut(left_out) {
            *next_left_out = value;
        }
    }
    let centre = mean(&jackknife);
    // The ratio has no scale; dividing by the largest influence keeps the cubes representable.
    let scale = jackknife.iter().map(|value| (centre - value).abs()).fold(0.0, f64::max);
    let power_sum = |power: i32| jackknife.iter().map(|value| ((centre - value) / scale).powi(power)).sum::<f64>();
    let acceleration = power_sum(3) / (6.0 * power_sum(2).powf(1.5));
    acceleration.is_finite().then_some(acceleration)
}
