//! What stands on the ground: the player, creatures, arrows and plants.

use crate::{Direction, Place};

/// What something is, with what it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Being {
    /// The player, whose state is in [`Player`](crate::Player).
    Player,
    /// Strolls about, and can be eaten.
    Cow,
    /// Follows the player and bites.
    Zombie {
        /// How many ticks next to the player pass before it bites again.
        cooldown: u8,
    },
    /// Lives in tunnels and shoots.
    Skeleton {
        /// How many ticks pass before it can shoot again.
        reload: u8,
    },
    /// Flies on until it hits something.
    Arrow {
        /// Where it flies.
        facing: Direction,
    },
    /// A sapling that grows.
    Plant {
        /// For how many ticks it has grown.
        grown: u32,
    },
}

/// The age past which a plant can be eaten.
const RIPE: u32 = 300;

impl Being {
    /// Its number in the semantic map.
    pub fn number(self) -> u8 {
        match self {
            Self::Player => 13,
            Self::Cow => 14,
            Self::Zombie { .. } => 15,
            Self::Skeleton { .. } => 16,
            Self::Arrow { .. } => 17,
            Self::Plant { .. } => 18,
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Cow => "cow",
            Self::Zombie { .. } => "zombie",
            Self::Skeleton { .. } => "skeleton",
            Self::Arrow { .. } => "arrow",
            Self::Plant { .. } if self.is_ripe() => "ripe plant",
            Self::Plant { .. } => "plant",
        }
    }

    /// Its character in the terminal.
    pub fn character(self) -> char {
        match self {
            Self::Player => '@',
            Self::Cow => 'C',
            Self::Zombie { .. } => 'Z',
            Self::Skeleton { .. } => 'S',
            Self::Arrow { .. } => '*',
            Self::Plant { .. } if self.is_ripe() => 'P',
            Self::Plant { .. } => 'p',
        }
    }

    /// Whether it is a plant that can be eaten.
    pub fn is_ripe(self) -> bool {
        matches!(self, Self::Plant { grown } if grown > RIPE)
    }

    /// Whether it tramples plants.
    pub(crate) fn is_creature(self) -> bool {
        matches!(self, Self::Cow | Self::Zombie { .. } | Self::Skeleton { .. })
    }

    fn initial_health(self) -> u8 {
        match self {
            // The player's health is in the inventory.
            Self::Player | Self::Arrow { .. } => 0,
            Self::Cow | Self::Skeleton { .. } => 3,
            Self::Zombie { .. } => 5,
            Self::Plant { .. } => 1,
        }
    }
}

/// Something at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub being: Being,
    /// Where it is.
    pub place: Place,
    /// What it can still bear; unused for the player.
    pub health: u8,
    /// When it came into its chunk: the later, the higher.
    pub(crate) entered: u32,
    /// Whether it is gone. It still finishes the tick in which it goes.
    pub(crate) is_removed: bool,
}

impl Object {
    pub(crate) fn new(being: Being, place: Place) -> Self {
        Self { being, place, health: being.initial_health(), entered: 0, is_removed: false }
    }
}
