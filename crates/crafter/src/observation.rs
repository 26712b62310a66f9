//! What the agent sees: the cells of its picture, and what it knows of itself.
//!
//! Invariant: everything here can be read off the picture, or follows from the rewards; the noise of the night hides nothing.

use crate::place::Direction;
use crate::{Achievement, Being, COLUMNS, Inventory, Material, ROWS, State};

/// How many cells are seen.
pub const SEEN: usize = COLUMNS * ROWS;

/// What a cell shows: outside, a material, or something that stands on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sight(u8);

impl Sight {
    /// How many different ones there are.
    pub const COUNT: usize = 20;
    /// Beyond the edge of the area.
    pub const OUTSIDE: Self = Self(0);
    /// A plant that can be eaten; one that cannot has the number of the semantic map.
    pub const RIPE_PLANT: Self = Self(19);

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::RIPE_PLANT.0).map(Self)
    }

    /// Its number: that of the semantic map, 0 outside and 19 for a ripe plant.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Whether everybody can step there.
    pub fn is_free(self) -> bool {
        [Material::Grass, Material::Path, Material::Sand].into_iter().any(|ground| self == ground.into())
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        const BEINGS: [&str; 7] = ["player", "cow", "zombie", "skeleton", "arrow", "sapling", "ripe plant"];
        let number = usize::from(self.0);
        match number {
            0 => "the edge of the world",
            1..=12 => Material::ALL[number - 1].name(),
            _ => BEINGS[(number - 13).min(BEINGS.len() - 1)],
        }
    }
}

impl From<Material> for Sight {
    fn from(material: Material) -> Self {
        Self(material as u8)
    }
}

impl From<Being> for Sight {
    fn from(being: Being) -> Self {
        if being.is_ripe() { Self::RIPE_PLANT } else { Self(being.number()) }
    }
}

/// What the agent sees and knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    sights: [Sight; SEEN],
    /// What the player has.
    pub inventory: Inventory,
    /// Where it looks.
    pub facing: Direction,
    /// Whether it is asleep.
    pub is_asleep: bool,
    /// Whether it is night.
    pub is_dark: bool,
    /// Which achievements it has, as bits by number.
    achieved: u32,
}

impl State {
    /// What the agent sees and knows now.
    pub fn observation(&self) -> Observation {
        let player = self.player();
        let sight = |cell: usize| {
            let Some(place) = self.seen(cell % COLUMNS, cell / COLUMNS) else { return Sight::OUTSIDE };
            self.object(place).map_or_else(|| self.material(place).into(), |object| object.being.into())
        };
        let bits = |bits, (achievement, count)| bits | u32::from(count > 0) << achievement as u32;
        Observation {
            sights: std::array::from_fn(sight),
            inventory: player.inventory,
            facing: player.facing,
            is_asleep: player.is_asleep,
            is_dark: self.is_dark(),
            achieved: player.achievements.iter().fold(0, bits),
        }
    }
}

impl Observation {
    /// The cells, row by row from the upper left; the player is in the middle.
    pub fn sights(&self) -> &[Sight; SEEN] {
        &self.sights
    }

    /// What is seen so many columns to the right and rows down; nothing where that is not in view.
    pub fn sight(&self, columns: i8, rows: i8) -> Option<Sight> {
        let within = |offset: i8, count: usize| {
            let at = offset + i8::try_from(count / 2).ok()?;
            usize::try_from(at).ok().filter(|&at| at < count)
        };
        Some(self.sights[within(rows, ROWS)? * COLUMNS + within(columns, COLUMNS)?])
    }

    /// What the player faces.
    pub fn ahead(&self) -> Sight {
        self.beside(self.facing)
    }

    /// What is next to the player.
    pub fn beside(&self, direction: Direction) -> Sight {
        let (columns, rows) = direction.offset();
        self.sight(columns, rows).unwrap_or(Sight::OUTSIDE)
    }

    /// Whether one of the eight cells around the player is made of this, so that tools can be made. In the first column and row
    /// none can be.
    pub fn is_near(&self, material: Material) -> bool {
        if [Direction::Left, Direction::Up].into_iter().any(|way| self.beside(way) == Sight::OUTSIDE) {
            return false;
        }
        let mut around = (-1..=1).flat_map(|columns| (-1..=1).map(move |rows| (columns, rows)));
        around.any(|(columns, rows)| self.sight(columns, rows) == Some(material.into()))
    }

    /// Whether this was achieved in the episode.
    pub fn has_achieved(&self, achievement: Achievement) -> bool {
        self.achieved >> achievement as u32 & 1 == 1
    }
}
