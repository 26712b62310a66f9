//! The picture of 64 x 64 pixels that the original shows to its agents.
//!
//! Above is what lies within 4 columns and 3 rows of the player, in tiles of 7 x 7 pixels; below is what the player has. The
//! view is lit by the light of day, at night with noise. The last column and the last row of pixels are black.
//!
//! The noise is drawn from the stream of random numbers that the world goes on with, so a world without pictures passes over
//! as many numbers. A picture is made from a copy of the stream: asking for it changes nothing.

mod canvas;
mod light;
mod night;
mod texture;
mod tile;

pub(crate) use canvas::NOISE_DRAWS;
pub use canvas::{COLUMNS, PIXELS, Picture, ROWS};
