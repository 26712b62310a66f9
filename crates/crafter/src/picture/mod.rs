//! The picture of 64 x 64 pixels that the original shows to its agents.
//!
//! Above is what lies within 4 columns and 3 rows of the player, in tiles of 7 x 7 pixels; below is what the player has. The
//! view is [lit](light) by the light of day, at night with noise. The last column and the last row of pixels are black.
//!
//! The noise is drawn from the stream of random numbers that the world goes on with, so a world without pictures passes over
//! as many numbers. A picture is made from a copy of the stream: asking for it changes nothing.

mod light;
mod texture;
mod tile;

use light::Light;
use tile::{TILE, Tile, Tiles};

use crate::State;

/// How many pixels the picture has on a side.
pub const PIXELS: usize = 64;
/// How many columns of cells are seen.
pub const COLUMNS: usize = 9;
/// How many rows of cells are seen.
pub const ROWS: usize = 7;
/// How many pixels the view has.
const VIEW: usize = COLUMNS * TILE * ROWS * TILE;
/// How many numbers of 32 bits the noise of a picture takes: two for each pixel.
pub(crate) const NOISE_DRAWS: usize = 2 * VIEW;

/// A picture: red, green and blue of every pixel, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture(Box<[u8; PIXELS * PIXELS * 3]>);

impl Picture {
    /// A black picture, to draw on.
    pub fn black() -> Self {
        Self(Box::new([0; PIXELS * PIXELS * 3]))
    }

    /// What the agent is shown of a state.
    pub fn of(state: &State) -> Self {
        let mut picture = Self::black();
        picture.draw(state);
        picture
    }

    /// Red, green and blue of every pixel, row by row.
    pub fn bytes(&self) -> &[u8; PIXELS * PIXELS * 3] {
        &self.0
    }

    /// Draws a state over an earlier one, so that no memory is taken for it.
    pub fn draw(&mut self, state: &State) {
        let tiles = Tiles::get();
        let light = Light::of(state);
        if state.is_dark() {
            self.draw_by_night(state, tiles, &light);
        } else {
            self.draw_by_day(state, tiles, &light);
        }
        for (slot, (item, amount)) in state.player().inventory.iter().enumerate() {
            self.put(slot % COLUMNS, ROWS + slot / COLUMNS, tiles.item(item, amount));
        }
    }

    /// Without noise equal cells look alike, so each kind is lit once.
    fn draw_by_day(&mut self, state: &State, tiles: &Tiles, light: &Light) {
        let mut lit: Vec<(usize, Tile)> = Vec::with_capacity(16);
        for (column, row, number) in tiles.seen(state) {
            let known = lit.iter().position(|&(known, _)| known == number);
            let at = known.unwrap_or_else(|| {
                lit.push((number, light.lit(tiles.cell(number))));
                lit.len() - 1
            });
            self.put(column, row, &lit[at].1);
        }
    }

    fn draw_by_night(&mut self, state: &State, tiles: &Tiles, light: &Light) {
        let noise = light.noise(state);
        for (column, row, number) in tiles.seen(state) {
            let tile = light.noisy(tiles.cell(number), &noise, column, row);
            self.put(column, row, &tile);
        }
    }

    /// Puts a tile where a cell is shown.
    fn put(&mut self, column: usize, row: usize, tile: &Tile) {
        const LINE: usize = TILE * 3;
        for (line, pixels) in tile.as_chunks::<LINE>().0.iter().enumerate() {
            let start = ((row * TILE + line) * PIXELS + column * TILE) * 3;
            self.0[start..start + LINE].copy_from_slice(pixels);
        }
    }
}

impl std::fmt::Debug for Picture {
    /// 12,288 numbers say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sum: u64 = self.0.iter().map(|&byte| u64::from(byte)).sum();
        write!(f, "Picture({PIXELS} x {PIXELS}, brightness {sum})")
    }
}
