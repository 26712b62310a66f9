//! Pictures in grey: the window as a learner gets it.
//!
//! A cell is a square of `cell_pixels` x `cell_pixels` equal bytes; the shades are those of [`Look`](crate::Look).
//! The agent is drawn over the cell it stands on. Invariant: the picture of an observation depends on that observation
//! alone.

use crate::Observation;
use crate::look::AGENT_SHADE;

/// A picture with one byte per pixel, 0 for black and 255 for white.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// How many pixels it has on a side.
    pub side_pixels: usize,
    /// The shades, row by row.
    pub shades: Vec<u8>,
}

impl Observation {
    /// The window as a picture.
    pub fn image(&self, cell_pixels: usize) -> Image {
        let mut image = Image { side_pixels: 0, shades: Vec::new() };
        self.render(cell_pixels, &mut image);
        image
    }

    /// Draws the window over an earlier picture, so that no memory is taken for it.
    pub fn render(&self, cell_pixels: usize, image: &mut Image) {
        let (side, agent) = (self.window(), self.looks().len() / 2);
        image.side_pixels = side * cell_pixels;
        image.shades.clear();
        for (row, cells) in self.looks().chunks(side.max(1)).enumerate() {
            let top = image.shades.len();
            for (column, look) in cells.iter().enumerate() {
                let shade = if row * side + column == agent { AGENT_SHADE } else { look.shade() };
                image.shades.extend(std::iter::repeat_n(shade, cell_pixels));
            }
            // The other lines of the row repeat its first one.
            let line = top..image.shades.len();
            for _ in 1..cell_pixels {
                image.shades.extend_from_within(line.clone());
            }
        }
    }
}
