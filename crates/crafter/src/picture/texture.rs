//! The textures of the original, reduced to the sizes of the picture, as `fixtures/crafter/generate.py` writes them.
//!
//! In the file every texture is a byte with its channels, 3 or 4 with opacity, and its pixels row by row. They come in the order
//! of [`Textures`], and are the work of Danijar Hafner under the licence beside the file.

use super::tile::{TILE, TilePlanes};
use crate::{Item, Material};

/// The pixels of an item on a side.
const ITEM: usize = 5;
/// The pixels of an amount on a side.
const AMOUNT: usize = 4;
/// How many textures objects have.
pub(super) const SPRITES: usize = 14;

static FILE: &[u8] = include_bytes!("textures.bin");

/// A square of pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texture {
    side: usize,
    channels: usize,
    pixels: &'static [u8],
}

/// All textures.
pub(super) struct Textures {
    pub(super) materials: Vec<Texture>,
    /// The player to the left, right, up, down and asleep; cow, zombie, skeleton; arrows to the left, right, up and down; a plant,
    /// young and ripe.
    pub(super) sprites: Vec<Texture>,
    pub(super) items: Vec<Texture>,
    /// From 1 to 9.
    pub(super) amounts: Vec<Texture>,
}

impl Textures {
    pub(super) fn read() -> Self {
        let mut rest = FILE;
        let mut read =
            |count: usize, side: usize| -> Vec<Texture> { (0..count).map(|_| next(&mut rest, side)).collect() };
        Self {
            materials: read(Material::ALL.len(), TILE),
            sprites: read(SPRITES, TILE),
            items: read(Item::ALL.len(), ITEM),
            amounts: read(9, AMOUNT),
        }
    }
}

fn next(rest: &mut &'static [u8], side: usize) -> Texture {
    let channels = usize::from(rest[0]);
    let (pixels, after) = rest[1..].split_at(side * side * channels);
    *rest = after;
    Texture { side, channels, pixels }
}

impl Texture {
    /// Draws it into a tile, at this distance from its left and upper edge, and covers what was there.
    pub(super) fn cover(&self, tile: &mut TilePlanes, margin: usize) {
        self.draw(tile, margin, |_, colour, _| colour);
    }

    /// Draws it into a tile, as far as it is opaque. Without opacity it covers what was there.
    ///
    /// The numbers are rounded as the original rounds them, in which full opacity can darken a colour by one.
    pub(super) fn blend(&self, tile: &mut TilePlanes, margin: usize) {
        let unit = |byte: u8| f32::from(byte) / 255.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
        let mixed = |below: u8, colour: u8, opacity: f32| {
            (255.0 * (opacity * unit(colour) + (1.0 - opacity) * unit(below))) as u8
        };
        self.draw(tile, margin, |below, colour, opacity| match opacity {
            Some(opacity) => mixed(below, colour, unit(opacity)),
            None => colour,
        });
    }

    fn draw(&self, tile: &mut TilePlanes, margin: usize, mix: impl Fn(u8, u8, Option<u8>) -> u8) {
        for (place, pixel) in self.pixels.chunks_exact(self.channels).enumerate() {
            let (x, y) = (margin + place % self.side, margin + place / self.side);
            for (plane, &colour) in tile.iter_mut().zip(pixel) {
                let below = &mut plane[y * TILE + x];
                *below = mix(*below, colour, pixel.get(3).copied());
            }
        }
    }
}
