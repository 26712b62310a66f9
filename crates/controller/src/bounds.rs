//! Bounds for values that come without any: mean ± scale × standard deviation, within the range of values.

use counsel_decision::refusal::in_range;
use counsel_decision::{Error, ValueBounds};
use serde::{Deserialize, Serialize};

/// Bounds that follow from value samples.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `scale` | 1 | standard deviations from the mean to a bound, 0 or more |
/// | `low`, `high` | none | the range of values, low at most high |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spread {
    /// Standard deviations from the mean to a bound.
    pub scale: f64,
    /// The least value.
    pub low: Option<f64>,
    /// The largest value.
    pub high: Option<f64>,
}

impl Default for Spread {
    fn default() -> Self {
        Self { scale: 1.0, low: None, high: None }
    }
}

impl Spread {
    /// Refuses what bounds nothing.
    pub fn check(self) -> Result<(), Error> {
        let Self { scale, .. } = self;
        let (low, high) = self.range();
        let ok = scale >= 0.0 && scale.is_finite();
        in_range(ok, "bounds.scale", scale, "[0, infinity)", "pass standard deviations")?;
        Ok(in_range(low <= high, "bounds.low", low, "(-infinity, high]", "pass the range of values")?)
    }

    fn range(self) -> (f64, f64) {
        (self.low.unwrap_or(f64::NEG_INFINITY), self.high.unwrap_or(f64::INFINITY))
    }

    pub(crate) fn around(self, means: &[f64], variances: &[f64]) -> Result<ValueBounds, Error> {
        let (low, high) = self.range();
        let at = |sign: f64| {
            let moved = means.iter().zip(variances).map(|(mean, variance)| mean + sign * self.scale * variance.sqrt());
            moved.map(|bound| bound.clamp(low, high)).collect()
        };
        ValueBounds::new(at(-1.0), at(1.0))
    }
}
