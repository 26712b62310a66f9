//! How the light of day, the noise of the night and sleep change colours.
//!
//! By daylight d a colour c becomes d c + (1 - d) n, where n is its look by night: mixed with noise towards the edges if d < 0.5,
//! with most of its colour lost, and tinted blue. Whole numbers are cut where the original cuts them, and each product is
//! rounded as there: doubles for the light, and singles for the loss of colour, which Pillow computes.

use crate::State;

/// Red, green and blue of some pixels, one channel after the other, so that several can be computed at a time.
pub(super) type Planes<const N: usize> = [[u8; N]; 3];

/// The light of a state.
pub(super) struct Light {
    day: f64,
    is_asleep: bool,
}

/// The noise of some pixels: how much of it each gets, and its grey.
pub(super) struct Noise<'a, const N: usize> {
    pub(super) share: &'a [f64; N],
    pub(super) grey: &'a [f64; N],
}

impl Light {
    pub(super) fn of(state: &State) -> Self {
        Self { day: state.daylight(), is_asleep: state.player().is_asleep }
    }

    /// These colours in this light.
    pub(super) fn lit<const N: usize>(&self, colours: &Planes<N>) -> Planes<N> {
        self.mixed(colours, colours)
    }

    /// These colours in this light, with noise.
    pub(super) fn noisy<const N: usize>(&self, colours: &Planes<N>, noise: &Noise<'_, N>) -> Planes<N> {
        let mut dimmed = *colours;
        for plane in &mut dimmed {
            for (place, colour) in plane.iter_mut().enumerate() {
                let share = noise.share[place];
                *colour = cut((1.0 - share) * f64::from(*colour) + share * noise.grey[place]);
            }
        }
        self.mixed(colours, &dimmed)
    }

    /// The colours of pixels whose look by night comes from `dimmed`.
    fn mixed<const N: usize>(&self, colours: &Planes<N>, dimmed: &Planes<N>) -> Planes<N> {
        const TINT: [f64; 3] = [0.0, 16.0, 64.0];
        let grey = grey(dimmed);
        let mut lit = [[0; N]; 3];
        for channel in 0..3 {
            for place in 0..N {
                let grey = f32::from(grey[place]);
                let faded = cut_single(grey + 0.4 * (f32::from(dimmed[channel][place]) - grey));
                let night = 0.5 * f64::from(faded) + 0.5 * TINT[channel];
                lit[channel][place] = cut(self.day * f64::from(colours[channel][place]) + (1.0 - self.day) * night);
            }
        }
        if self.is_asleep { asleep(&lit) } else { lit }
    }
}

/// What is seen with closed eyes: no colour, and little light.
fn asleep<const N: usize>(colours: &Planes<N>) -> Planes<N> {
    const TINT: [f64; 3] = [0.0, 0.0, 16.0];
    let grey = grey(colours);
    TINT.map(|tint| grey.map(|grey| cut(0.5 * f64::from(grey) + 0.5 * tint)))
}

/// The brightness of colours, as Pillow computes it.
fn grey<const N: usize>([red, green, blue]: &Planes<N>) -> [u8; N] {
    std::array::from_fn(|place| {
        let [red, green, blue] = [red, green, blue].map(|plane| u32::from(plane[place]));
        let sum = red * 19_595 + green * 38_470 + blue * 7_471 + 0x8000;
        sum.to_le_bytes()[2]
    })
}

/// The whole part of a number from 0 to 255.
///
/// Next to 2^52 doubles are whole, so adding that rounds; what was rounded up is taken back, and the number stands in the last
/// byte. Unlike a cast, several of these are done at a time.
fn cut(number: f64) -> u8 {
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    let rounded = (number + WHOLE) - WHOLE;
    let floor = rounded - if rounded > number { 1.0 } else { 0.0 };
    (floor + WHOLE).to_bits().to_le_bytes()[0]
}

/// The same for singles.
fn cut_single(number: f32) -> u8 {
    const WHOLE: f32 = 8_388_608.0;
    let rounded = (number + WHOLE) - WHOLE;
    let floor = rounded - if rounded > number { 1.0 } else { 0.0 };
    (floor + WHOLE).to_bits().to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast is what it is compared with")]
    fn the_whole_part_is_that_of_a_cast() {
        for step in 0..=255_u16 {
            let whole = f64::from(step);
            for number in [whole, whole.next_down().max(0.0), whole.next_up(), whole + 0.25, whole + 0.5, whole + 0.75] {
                assert_eq!(cut(number), number as u8, "{number}");
                let single = number as f32;
                assert_eq!(cut_single(single.min(255.0)), single as u8, "{single}");
            }
        }
    }
}
