//! Tiles: what a cell looks like by full light, for every ground and everything that can stand on it.

use std::sync::LazyLock;

use super::light::{Pixels, Planes, interleaved};
use super::texture::{SPRITES, Textures};
use crate::object::Being;
use crate::{Item, MOST, Material, State};

/// How many pixels a tile has on a side.
pub(super) const TILE: usize = 7;

/// The pixels of a cell, row by row.
pub(super) type Tile = Pixels<{ TILE * TILE }>;
/// Their colours, one channel after the other.
pub(super) type TilePlanes = Planes<{ TILE * TILE }>;
/// The same by lines, each with a byte more than it has pixels: eight bytes are copied at once.
pub(super) type TileLines = [[[u8; TILE + 1]; TILE]; 3];

/// The grey of what lies outside of the area.
const OUTSIDE: u8 = 127;
/// How many looks a ground has: bare, and with each sprite.
const LOOKS: usize = SPRITES + 1;

/// All tiles.
pub(super) struct Tiles {
    /// By ground, 0 for the outside, and then by what stands on it.
    cells: Vec<TilePlanes>,
    lines: Vec<TileLines>,
    /// By item and amount.
    items: Vec<Tile>,
}

static TILES: LazyLock<Tiles> = LazyLock::new(Tiles::paint);

impl Tiles {
    pub(super) fn get() -> &'static Self {
        &TILES
    }

    fn paint() -> Self {
        let textures = Textures::read();
        let mut cells = Vec::with_capacity((Material::ALL.len() + 1) * LOOKS);
        for ground in std::iter::once(None).chain(textures.materials.iter().map(Some)) {
            let mut bare = [[OUTSIDE; TILE * TILE]; 3];
            if let Some(ground) = ground {
                ground.cover(&mut bare, 0);
            }
            cells.push(bare);
            cells.extend(textures.sprites.iter().map(|sprite| {
                let mut tile = bare;
                sprite.blend(&mut tile, 0);
                tile
            }));
        }
        let mut items = Vec::with_capacity(Item::ALL.len() * usize::from(MOST + 1));
        for item in &textures.items {
            items.push([[0; 3]; TILE * TILE]);
            items.extend(textures.amounts.iter().map(|amount| {
                let mut tile = [[0; TILE * TILE]; 3];
                item.blend(&mut tile, 0);
                amount.blend(&mut tile, 2);
                interleaved(&tile)
            }));
        }
        Self { lines: cells.iter().map(in_lines).collect(), cells, items }
    }

    /// A cell's tile by its number.
    pub(super) fn cell(&self, number: usize) -> &TilePlanes {
        &self.cells[number]
    }

    /// The same by lines.
    pub(super) fn lines(&self, number: usize) -> &TileLines {
        &self.lines[number]
    }

    pub(super) fn item(&self, item: Item, amount: u8) -> &Tile {
        &self.items[item as usize * usize::from(MOST + 1) + usize::from(amount.min(MOST))]
    }

    /// The number of the tile that is seen in a column and row.
    #[expect(clippy::unused_self, reason = "the numbers are those of these tiles")]
    pub(super) fn number(&self, state: &State, column: usize, row: usize) -> usize {
        let Some(place) = state.seen(column, row) else { return 0 };
        let ground = state.material(place) as usize;
        let sprite = state.object(place).map_or(0, |object| 1 + sprite(state, object.being));
        ground * LOOKS + sprite
    }
}

fn in_lines(planes: &TilePlanes) -> TileLines {
    planes.map(|plane| {
        std::array::from_fn(|line| std::array::from_fn(|at| if at < TILE { plane[line * TILE + at] } else { 0 }))
    })
}

/// The number of a sprite.
fn sprite(state: &State, being: Being) -> usize {
    match being {
        Being::Player if state.player().is_asleep => 4,
        Being::Player => state.player().facing as usize,
        Being::Cow => 5,
        Being::Zombie { .. } => 6,
        Being::Skeleton { .. } => 7,
        Being::Arrow { facing } => 8 + facing as usize,
        Being::Plant { .. } if being.is_ripe() => 13,
        Being::Plant { .. } => 12,
    }
}
