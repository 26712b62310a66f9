//! The canvas: tiles and rows of pixels put together to a picture.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vector instructions")]

use pulp::NullaryFnOnce;

use super::light::{Light, Pixels, Planes, interleaved};
use super::night::{LANES, Night, WIDTH};
use super::tile::{TILE, Tile, TileLines, TilePlanes, Tiles};

use crate::State;
use crate::vector::vectorised;

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
                    lit.push((number, vectorised(Lit(light, tiles.cell(number)))));
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
            let cells = std::array::from_fn(|column| tiles.lines(tiles.number(state, column, row)));
            for line in 0..TILE {
                let at = row * TILE + line;
                let pixels = vectorised(Noisy { light, night: &night, row: at, colours: &side_by_side(cells, line) });
                self.0[at][..WIDTH].copy_from_slice(&pixels[..WIDTH]);
            }
        }
    }

    /// Puts a tile where a cell is shown.
    fn put(&mut self, column: usize, row: usize, tile: &Tile) {
        for (line, pixels) in tile.as_chunks::<TILE>().0.iter().enumerate() {
            self.0[row * TILE + line][column * TILE..][..TILE].copy_from_slice(pixels);
        }
    }
}

/// Lights a tile.
struct Lit<'a>(&'a Light, &'a TilePlanes);

impl NullaryFnOnce for Lit<'_> {
    type Output = Tile;

    #[inline(always)]
    fn call(self) -> Tile {
        interleaved(&self.0.lit(self.1))
    }
}

/// Lights a row of pixels by night.
struct Noisy<'a> {
    light: &'a Light,
    night: &'a Night,
    row: usize,
    colours: &'a Planes<LANES>,
}

impl NullaryFnOnce for Noisy<'_> {
    type Output = Pixels<LANES>;

    #[inline(always)]
    fn call(self) -> Pixels<LANES> {
        let Self { light, night, row, colours } = self;
        interleaved(&light.noisy(colours, &night.share(row), &night.grey(row)))
    }
}

/// A line of pixels of tiles beside each other.
fn side_by_side(cells: [&TileLines; COLUMNS], line: usize) -> Planes<LANES> {
    let mut colours = [[0; LANES]; 3];
    for (channel, plane) in colours.iter_mut().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            // The last byte is covered by the next tile, or lies beyond the view.
            plane[column * TILE..][..=TILE].copy_from_slice(&cell[channel][line]);
        }
    }
    colours
}

impl std::fmt::Debug for Picture {
    /// 12,288 numbers say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let brightness: u64 = self.bytes().iter().map(|&byte| u64::from(byte)).sum();
        write!(f, "Picture({PIXELS} x {PIXELS}, brightness {brightness})")
    }
}
