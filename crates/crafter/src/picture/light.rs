//! How the light of day, the noise of the night and sleep change colours.
//!
//! By daylight d a colour c becomes d c + (1 - d) n, where n is its look by night: mixed with noise towards the edges if d < 0.5,
//! with most of its colour lost, and tinted blue. Whole numbers are cut where the original cuts them, and each product is
//! rounded as there: doubles for the light, and singles for the loss of colour, which Pillow computes.

use std::sync::LazyLock;

use super::tile::{TILE, Tile};
use super::{COLUMNS, ROWS, VIEW};
use crate::State;
use crate::daylight::DUSK;

const WIDTH: usize = COLUMNS * TILE;
const HEIGHT: usize = ROWS * TILE;

/// How much of a pixel the noise can take, by column and row.
static VIGNETTE: LazyLock<Vec<f64>> = LazyLock::new(|| {
    const SPREAD: f64 = 0.5;
    let (across, along) = (line(WIDTH), line(HEIGHT));
    let strength = |x: f64, y: f64| 1.0 - libm::exp(-0.5 * (x * x + y * y) / (SPREAD * SPREAD));
    across.iter().flat_map(|&x| along.iter().map(move |&y| strength(x, y))).collect()
});

/// So many numbers from -1 to 1, equally far apart.
fn line(count: usize) -> Vec<f64> {
    let step = 2.0 / (count - 1) as f64;
    let mut line: Vec<f64> = (0..count).map(|place| place as f64 * step - 1.0).collect();
    line[count - 1] = 1.0;
    line
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

    /// A tile in this light, without noise.
    pub(super) fn lit(&self, tile: &Tile) -> Tile {
        let mut lit = *tile;
        for pixel in lit.as_chunks_mut::<3>().0 {
            *pixel = self.mixed(*pixel, *pixel);
        }
        lit
    }

    /// The noise of the whole view, by column and row: how much of it each pixel gets, and its grey.
    pub(super) fn noise(&self, state: &State) -> Vec<(f64, f64)> {
        let amount = 2.0 * (DUSK - self.day);
        let mut random = state.random.clone();
        VIGNETTE.iter().map(|strength| (amount * strength, 32.0 + 95.0 * random.unit())).collect()
    }

    /// A tile in this light, with the noise of its place.
    pub(super) fn noisy(&self, tile: &Tile, noise: &[(f64, f64)], column: usize, row: usize) -> Tile {
        debug_assert_eq!(noise.len(), VIEW);
        let mut lit = *tile;
        for (place, pixel) in lit.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let (x, y) = (column * TILE + place % TILE, row * TILE + place / TILE);
            let (share, grey) = noise[x * HEIGHT + y];
            let dimmed = pixel.map(|colour| cut((1.0 - share) * f64::from(colour) + share * grey));
            *pixel = self.mixed(*pixel, dimmed);
        }
        lit
    }

    /// The colour of a pixel whose look by night comes from `dimmed`.
    fn mixed(&self, pixel: [u8; 3], dimmed: [u8; 3]) -> [u8; 3] {
        const TINT: [f64; 3] = [0.0, 16.0, 64.0];
        let grey = f32::from(grey(dimmed));
        let lit = std::array::from_fn(|channel| {
            let faded = cut_single(grey + 0.4 * (f32::from(dimmed[channel]) - grey));
            let night = 0.5 * f64::from(faded) + 0.5 * TINT[channel];
            cut(self.day * f64::from(pixel[channel]) + (1.0 - self.day) * night)
        });
        if self.is_asleep { asleep(lit) } else { lit }
    }
}

/// What is seen with closed eyes: no colour, and little light.
fn asleep(pixel: [u8; 3]) -> [u8; 3] {
    const TINT: [f64; 3] = [0.0, 0.0, 16.0];
    let grey = f64::from(grey(pixel));
    TINT.map(|tint| cut(0.5 * grey + 0.5 * tint))
}

/// The brightness of a colour, as Pillow computes it.
fn grey([red, green, blue]: [u8; 3]) -> u8 {
    let sum = u32::from(red) * 19_595 + u32::from(green) * 38_470 + u32::from(blue) * 7_471 + 0x8000;
    sum.to_le_bytes()[2]
}

/// The whole part.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn cut(number: f64) -> u8 {
    number as u8
}

/// The whole part.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn cut_single(number: f32) -> u8 {
    number as u8
}
