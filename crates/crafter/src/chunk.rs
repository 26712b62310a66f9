//! Chunks: the 6 x 6 squares of 12 x 12 cells in which the number of creatures is kept in balance.
//!
//! The original keeps a set of objects per chunk. What is ever asked of it is how many creatures of a kind there are, and which
//! of them came as the i-th; so this keeps the counts, and each object the time of its coming. Chunks are visited in the order
//! in which they first held anything; a chunk that never held anything is not balanced.

use crate::object::Being;
use crate::place::SIDE;
use crate::{Material, Place};

const WIDTH: usize = 12;
const PER_SIDE: usize = SIDE.div_ceil(WIDTH);
const COUNT: usize = PER_SIDE * PER_SIDE;

/// A creature that is kept in balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Zombie,
    Skeleton,
    Cow,
}

impl Kind {
    pub(crate) fn of(being: Being) -> Option<Self> {
        match being {
            Being::Zombie { .. } => Some(Self::Zombie),
            Being::Skeleton { .. } => Some(Self::Skeleton),
            Being::Cow => Some(Self::Cow),
            Being::Player | Being::Arrow { .. } | Being::Plant { .. } => None,
        }
    }

    /// One that has just come to life.
    pub(crate) fn born(self) -> Being {
        match self {
            Self::Zombie => Being::Zombie { cooldown: 0 },
            Self::Skeleton => Being::Skeleton { reload: 0 },
            Self::Cow => Being::Cow,
        }
    }

    /// The ground it comes to life on.
    pub(crate) fn ground(self) -> Material {
        match self {
            Self::Zombie | Self::Cow => Material::Grass,
            Self::Skeleton => Material::Path,
        }
    }
}

/// A chunk, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk(u8);

impl Chunk {
    pub(crate) fn of(place: Place) -> Self {
        let number = usize::from(place.x) / WIDTH * PER_SIDE + usize::from(place.y) / WIDTH;
        Self(u8::try_from(number).unwrap_or_default())
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its cells, column by column.
    pub(crate) fn places(self) -> impl Iterator<Item = Place> {
        let start = |number: usize| number * WIDTH;
        let range = |from: usize| (from..(from + WIDTH).min(SIDE)).filter_map(|at| u8::try_from(at).ok());
        let (left, top) = (start(self.index() / PER_SIDE), start(self.index() % PER_SIDE));
        range(left).flat_map(move |x| range(top).map(move |y| Place { x, y }))
    }
}

/// What is in every chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunks {
    /// Those that ever held anything, in the order in which they first did.
    visited: Vec<Chunk>,
    creatures: [[u8; 3]; COUNT],
    /// How many cells are grass, and how many path.
    ground: [[u8; 2]; COUNT],
    entries: u32,
}

impl Chunks {
    pub(crate) fn new() -> Self {
        Self { visited: Vec::with_capacity(COUNT), creatures: [[0; 3]; COUNT], ground: [[0; 2]; COUNT], entries: 0 }
    }

    /// Notes that something comes into a chunk, and says when.
    pub(crate) fn enter(&mut self, chunk: Chunk, being: Being) -> u32 {
        if !self.visited.contains(&chunk) {
            self.visited.push(chunk);
        }
        if let Some(kind) = Kind::of(being) {
            self.creatures[chunk.index()][kind as usize] += 1;
        }
        self.entries += 1;
        self.entries
    }

    pub(crate) fn leave(&mut self, chunk: Chunk, being: Being) {
        if let Some(kind) = Kind::of(being) {
            self.creatures[chunk.index()][kind as usize] -= 1;
        }
    }

    /// Notes that a cell is no longer made of one material, but of another.
    pub(crate) fn reground(&mut self, chunk: Chunk, before: Option<Material>, after: Material) {
        let ground = &mut self.ground[chunk.index()];
        if let Some(slot) = before.and_then(slot) {
            ground[slot] -= 1;
        }
        if let Some(slot) = slot(after) {
            ground[slot] += 1;
        }
    }

    pub(crate) fn visited(&self, nth: usize) -> Option<Chunk> {
        self.visited.get(nth).copied()
    }

    pub(crate) fn creatures(&self, chunk: Chunk, kind: Kind) -> u8 {
        self.creatures[chunk.index()][kind as usize]
    }

    /// How many cells a creature of this kind could come to life on.
    pub(crate) fn room(&self, chunk: Chunk, kind: Kind) -> u8 {
        slot(kind.ground()).map_or(0, |slot| self.ground[chunk.index()][slot])
    }
}

fn slot(ground: Material) -> Option<usize> {
    match ground {
        Material::Grass => Some(0),
        Material::Path => Some(1),
        _ => None,
    }
}
