//! The noise that covers the view at night.

use std::sync::LazyLock;

use super::tile::TILE;
use super::{COLUMNS, ROWS, VIEW};
use crate::State;
use crate::daylight::DUSK;

/// How many pixels the view is wide.
pub(super) const WIDTH: usize = COLUMNS * TILE;
/// How many it is high.
pub(super) const HEIGHT: usize = ROWS * TILE;

/// How much of a pixel the noise can take, by row and column.
static VIGNETTE: LazyLock<Vec<[f64; WIDTH]>> = LazyLock::new(|| {
    const SPREAD: f64 = 0.5;
    let across = line(WIDTH);
    let strength = |x: f64, y: f64| 1.0 - libm::exp(-0.5 * (x * x + y * y) / (SPREAD * SPREAD));
    line(HEIGHT).into_iter().map(|y| std::array::from_fn(|x| strength(across[x], y))).collect()
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
    drawn: [f64; VIEW],
}

impl Night {
    pub(super) fn of(state: &State) -> Self {
        let mut drawn = [0.0; VIEW];
        state.random.clone().fill_units(&mut drawn);
        Self { amount: 2.0 * (DUSK - state.daylight()), drawn }
    }

    /// How much noise the pixels of a row get.
    pub(super) fn share(&self, row: usize) -> [f64; WIDTH] {
        VIGNETTE[row].map(|strength| self.amount * strength)
    }

    /// The grey of the noise of a row.
    pub(super) fn grey(&self, row: usize) -> [f64; WIDTH] {
        std::array::from_fn(|column| 32.0 + 95.0 * self.drawn[column * HEIGHT + row])
    }
}
