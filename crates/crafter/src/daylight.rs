//! The light of day, which comes and goes every 300 steps.

use std::f64::consts::PI;

/// The darkness below which pictures are noisy.
pub(crate) const DUSK: f64 = 0.5;

/// The light after so many steps: 0 is night and 1 is day.
pub(crate) fn daylight(steps: u32) -> f64 {
    let progress = f64::from(steps) / 300.0 % 1.0 + 0.3;
    1.0 - libm::pow(libm::fabs(libm::cos(PI * progress)), 3.0)
}
