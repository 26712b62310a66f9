//! The noise that covers the view at night.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vector instructions")]

use std::sync::LazyLock;

use super::tile::TILE;
use super::{COLUMNS, ROWS};
use crate::State;
use crate::daylight::DUSK;

/// How many pixels the view is wide.
pub(super) const WIDTH: usize = COLUMNS * TILE;
/// How many it is high.
const HEIGHT: usize = ROWS * TILE;
/// A row of pixels and as many more as make a whole number of vectors of it.
pub(super) const LANES: usize = WIDTH.next_multiple_of(16);

/// How much of a pixel the noise can take, by row and column.
static VIGNETTE: LazyLock<Vec<[f64; LANES]>> = LazyLock::new(|| {
    const SPREAD: f64 = 0.5;
    let across = line(WIDTH);
    let strength = |x: f64, y: f64| 1.0 - libm::exp(-0.5 * (x * x + y * y) / (SPREAD * SPREAD));
    let row = |y: f64| std::array::from_fn(|column| across.get(column).map_or(0.0, |&x| strength(x, y)));
    line(HEIGHT).into_iter().map(row).collect()
});

/// So many numbers from -1 to 1, equally far apart.
fn line(count: usize) -> Vec<f64> {
    let step = 2.0 / (count - 1) as f64;
    let mut line: Vec<f64> = (0..count).map(|place| place as f64 * step - 1.0).collect();
    line[count - 1] = 1.0;
    line
}

/// The noise of a state.
pub(super) struct Night {
    amount: f64,
    /// From 0 to 1, by column and row: the order in which the original draws them.
    columns: Vec<[f64; HEIGHT]>,
}

impl Night {
    pub(super) fn of(state: &State) -> Self {
        let mut random = state.random.clone();
        let columns = (0..WIDTH).map(|_| random.units()).collect();
        Self { amount: 2.0 * (DUSK - state.daylight()), columns }
    }

    /// How much noise the pixels of a row get.
    #[inline(always)]
    pub(super) fn share(&self, row: usize) -> [f64; LANES] {
        let mut share = [0.0; LANES];
        for (share, strength) in share.iter_mut().zip(&VIGNETTE[row]) {
            *share = self.amount * strength;
        }
        share
    }

    /// The grey of the noise of a row.
    #[inline(always)]
    pub(super) fn grey(&self, row: usize) -> [f64; LANES] {
        let mut grey = [0.0; LANES];
        for (grey, column) in grey.iter_mut().zip(&self.columns) {
            *grey = 32.0 + 95.0 * column[row];
        }
        grey
    }
}
