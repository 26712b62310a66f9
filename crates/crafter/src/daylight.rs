//! The light of day, which comes and goes every 300 steps: 1 - |cos(pi t)|^3.
//!
//! The light of a picture shows in the last bit of a product, so cosine and cube must be rounded correctly, as they are in the
//! original for every step of an episode. Libraries differ in the last bit; so both are computed as [sums of two
//! doubles](Double) and rounded once.

use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::double::Double;

/// The darkness below which pictures are noisy.
pub(crate) const DUSK: f64 = 0.5;

/// How many steps a day has.
const DAY: u32 = 300;

/// An hour of the first day.
struct Hour {
    angle: f64,
    cosine: Double,
    sine: f64,
}

static HOURS: LazyLock<Vec<Hour>> = LazyLock::new(|| {
    let hour = |steps: u32| {
        let angle = angle(steps);
        Hour { angle, cosine: Double::cosine(angle), sine: libm::sin(angle) }
    };
    (0..DAY).map(hour).collect()
});

/// The light after so many steps: 0 is night and 1 is day.
pub(crate) fn daylight(steps: u32) -> f64 {
    let hour = &HOURS[(steps % DAY) as usize];
    // The angles of later days differ from the first day's by rounding alone, so one term of a series is enough.
    let drift = angle(steps) - hour.angle;
    let cosine = hour.cosine.high + (hour.cosine.low - drift * hour.sine);
    let size = Double::from(libm::fabs(cosine));
    1.0 - size.times(size).times(size).rounded()
}

/// The angle as the original rounds it.
fn angle(steps: u32) -> f64 {
    PI * (f64::from(steps) / f64::from(DAY) % 1.0 + 0.3)
}

#[cfg(test)]
mod tests {
    use counsel_advisor::Digest;

    use super::*;

    #[test]
    fn the_light_of_every_step_is_that_of_numpy() {
        let lights: Vec<u8> = (0..=10_000).flat_map(|steps| daylight(steps).to_le_bytes()).collect();
        assert_eq!(Digest::of(&lights).to_string(), "d1e5d07b6c65a81d74ccc842350104118fd3196d656a4cd3f43629f16282c812");
    }
}
