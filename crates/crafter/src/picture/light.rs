//! How the light of day, the noise of the night and sleep change colours.
//!
//! By daylight d a colour c becomes d c + (1 - d) n, where n is its look by night: mixed with noise towards the edges if d < 0.5,
//! with most of its colour lost, and tinted blue. Whole numbers are cut where the original cuts them, and each product is
//! rounded as there: doubles for the light, and singles for the loss of colour, which Pillow computes.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vector instructions")]

use crate::State;

/// Red, green and blue of some pixels, one channel after the other, so that several can be computed at a time.
pub(super) type Planes<const N: usize> = [[u8; N]; 3];

/// Red, green and blue of some pixels, one pixel after the other.
pub(super) type Pixels<const N: usize> = [[u8; 3]; N];

/// The channels pixel by pixel.
#[inline(always)]
pub(super) fn interleaved<const N: usize>([red, green, blue]: &Planes<N>) -> Pixels<N> {
    let mut pixels = [[0; 3]; N];
    for (place, pixel) in pixels.iter_mut().enumerate() {
        *pixel = [red[place], green[place], blue[place]];
    }
    pixels
}

/// The light of a state.
pub(super) struct Light {
    day: f64,
    is_asleep: bool,
}

impl Light {
    pub(super) fn of(state: &State) -> Self {
        Self { day: state.daylight(), is_asleep: state.player().is_asleep }
    }

    /// These colours in this light.
    #[inline(always)]
    pub(super) fn lit<const N: usize>(&self, colours: &Planes<N>) -> Planes<N> {
        self.mixed(colours, colours)
    }

    /// These colours in this light, with so much noise of these greys.
    #[inline(always)]
    pub(super) fn noisy<const N: usize>(&self, colours: &Planes<N>, share: &[f64; N], grey: &[f64; N]) -> Planes<N> {
        let (mut keep, mut haze) = ([0.0; N], [0.0; N]);
        for place in 0..N {
            keep[place] = 1.0 - share[place];
            haze[place] = share[place] * grey[place];
        }
        let mut dimmed = *colours;
        for plane in &mut dimmed {
            for (place, colour) in plane.iter_mut().enumerate() {
                *colour = cut(keep[place] * f64::from(*colour) + haze[place]);
            }
        }
        self.mixed(colours, &dimmed)
    }

    /// The colours of pixels whose look by night comes from `dimmed`.
    #[inline(always)]
    fn mixed<const N: usize>(&self, colours: &Planes<N>, dimmed: &Planes<N>) -> Planes<N> {
        // Twice the colour by night is whole, and halving the factor instead changes no bit.
        const TINT: [u16; 3] = [0, 16, 64];
        let half_night = 0.5 * (1.0 - self.day);
        let grey = grey(dimmed);
        let mut lit = [[0; N]; 3];
        for channel in 0..3 {
            for place in 0..N {
                let night = faded(dimmed[channel][place], grey[place]) + TINT[channel];
                lit[channel][place] =
                    cut(self.day * f64::from(colours[channel][place]) + half_night * f64::from(night));
            }
        }
        if self.is_asleep { asleep(&lit) } else { lit }
    }
}

/// What is seen with closed eyes: no colour, and little light.
#[inline(always)]
fn asleep<const N: usize>(colours: &Planes<N>) -> Planes<N> {
    const TINT: [f64; 3] = [0.0, 0.0, 16.0];
    let grey = grey(colours);
    let mut dark = [[0; N]; 3];
    for (plane, tint) in dark.iter_mut().zip(TINT) {
        for (dark, &grey) in plane.iter_mut().zip(&grey) {
            *dark = cut(0.5 * f64::from(grey) + 0.5 * tint);
        }
    }
    dark
}

/// The brightness of colours, as Pillow computes it.
#[inline(always)]
fn grey<const N: usize>([red, green, blue]: &Planes<N>) -> [u8; N] {
    let mut grey = [0; N];
    for (place, grey) in grey.iter_mut().enumerate() {
        let [red, green, blue] = [red[place], green[place], blue[place]].map(u32::from);
        *grey = (red * 19_595 + green * 38_470 + blue * 7_471 + 0x8000).to_le_bytes()[2];
    }
    grey
}

/// A colour of which two fifths of the difference from its grey are left.
///
/// Pillow computes the sum in singles and cuts it. None of the sums comes near a whole number without being one, so whole numbers
/// do; 510 fifths keep the difference from being negative.
#[inline(always)]
fn faded(colour: u8, grey: u8) -> u16 {
    let (colour, grey) = (u16::from(colour), u16::from(grey));
    grey + 2 * (colour + 255 - grey) / 5 - 102
}

/// The whole part of a number from 0 to 255.
///
/// Next to 2^23 singles are whole, so after adding that a whole number stands in the last byte. Unlike a cast, several of these
/// are done at a time.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a whole number up to 255 is the same as a single")]
fn cut(number: f64) -> u8 {
    const WHOLE: f32 = 8_388_608.0;
    (number.floor() as f32 + WHOLE).to_bits().to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast is what it is compared with")]
    fn the_whole_part_is_that_of_a_cast() {
        for whole in (0..=255_u8).map(f64::from) {
            for number in [whole, whole.next_down().max(0.0), whole.next_up(), whole + 0.25, whole + 0.5, whole + 0.75]
            {
                assert_eq!(cut(number), number as u8, "{number}");
            }
        }
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast is what Pillow does")]
    fn colours_fade_as_in_pillow() {
        for (colour, grey) in (0..=255_u8).flat_map(|colour| (0..=255_u8).map(move |grey| (colour, grey))) {
            let single = f32::from(grey) + 0.4 * (f32::from(colour) - f32::from(grey));
            assert_eq!(faded(colour, grey), u16::from(single as u8), "{colour} with the grey {grey}");
        }
    }
}
