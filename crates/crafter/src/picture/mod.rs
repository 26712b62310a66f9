//! The picture of 64 x 64 pixels that the original shows to its agents.
//!
//! Above is what lies within 4 columns and 3 rows of the player, in tiles of 7 x 7 pixels; below is what the player has. The
//! view is lit by the light of day, at night with noise. The last column and the last row of pixels are black.
//!
//! The noise is drawn from the stream of random numbers that the world goes on with, so a world without pictures passes over
//! as many numbers. A picture is made from a copy of the stream: asking for it changes nothing.

mod light;
mod night;
mod texture;
mod tile;

use light::{Light, Noise, Planes};
use night::{Night, WIDTH};
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
pub struct Picture(Box<[[[u8; 3]; PIXELS]; PIXELS]>);

impl Picture {
    /// A black picture, to draw on.
    pub fn black() -> Self {
        Self(Box::new([[[0; 3]; PIXELS]; PIXELS]))
    }

    /// What the agent is shown of a state.
    pub fn of(state: &State) -> Self {
        let mut picture = Self::black();
        picture.draw(state);
        picture
    }

    /// Red, green and blue of every pixel, row by row.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened().as_flattened()
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
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let number = tiles.number(state, column, row);
                let known = lit.iter().position(|&(known, _)| known == number);
                let at = known.unwrap_or_else(|| {
                    lit.push((number, light.lit(tiles.cell(number))));
                    lit.len() - 1
                });
                self.put(column, row, &lit[at].1);
            }
        }
    }

    /// With noise no two cells look alike, so whole rows of pixels are lit.
    fn draw_by_night(&mut self, state: &State, tiles: &Tiles, light: &Light) {
        let night = Night::of(state);
        for row in 0..ROWS {
            let cells: [&Tile; COLUMNS] = std::array::from_fn(|column| tiles.cell(tiles.number(state, column, row)));
            for line in 0..TILE {
                let at = row * TILE + line;
                let mut colours: Planes<WIDTH> = [[0; WIDTH]; 3];
                for (plane, channel) in colours.iter_mut().zip(0..) {
                    for (pixels, cell) in plane.as_chunks_mut::<TILE>().0.iter_mut().zip(cells) {
                        pixels.copy_from_slice(&cell[channel][line * TILE..][..TILE]);
                    }
                }
                let noise = Noise { share: &night.share(at), grey: &night.grey(at) };
                let [red, green, blue] = light.noisy(&colours, &noise);
                for (column, pixel) in self.0[at][..WIDTH].iter_mut().enumerate() {
                    *pixel = [red[column], green[column], blue[column]];
                }
            }
        }
    }

    /// Puts a tile where a cell is shown.
    fn put(&mut self, column: usize, row: usize, [red, green, blue]: &Tile) {
        for line in 0..TILE {
            let pixels = &mut self.0[row * TILE + line][column * TILE..][..TILE];
            for (at, pixel) in (line * TILE..).zip(pixels) {
                *pixel = [red[at], green[at], blue[at]];
            }
        }
    }
}

impl std::fmt::Debug for Picture {
    /// 12,288 numbers say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let brightness: u64 = self.bytes().iter().map(|&byte| u64::from(byte)).sum();
        write!(f, "Picture({PIXELS} x {PIXELS}, brightness {brightness})")
    }
}
