//! What the ground is made of.

/// What a cell is made of. The numbers are those of the semantic map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Material {
    /// Can be drunk.
    Water = 1,
    /// Ground for cows and zombies, and for saplings.
    Grass = 2,
    /// Needs a pickaxe.
    Stone = 3,
    /// Ground in caves and tunnels, and what mining leaves.
    Path = 4,
    /// Ground at the water.
    Sand = 5,
    /// Gives wood.
    Tree = 6,
    /// Kills.
    Lava = 7,
    /// Needs a pickaxe.
    Coal = 8,
    /// Needs a pickaxe of stone.
    Iron = 9,
    /// Needs a pickaxe of iron.
    Diamond = 10,
    /// Tools are made near it.
    Table = 11,
    /// Tools of iron are made near it.
    Furnace = 12,
}

impl Material {
    /// All of them, by number from 1.
    pub const ALL: [Self; 12] = [
        Self::Water,
        Self::Grass,
        Self::Stone,
        Self::Path,
        Self::Sand,
        Self::Tree,
        Self::Lava,
        Self::Coal,
        Self::Iron,
        Self::Diamond,
        Self::Table,
        Self::Furnace,
    ];

    /// The original's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Grass => "grass",
            Self::Stone => "stone",
            Self::Path => "path",
            Self::Sand => "sand",
            Self::Tree => "tree",
            Self::Lava => "lava",
            Self::Coal => "coal",
            Self::Iron => "iron",
            Self::Diamond => "diamond",
            Self::Table => "table",
            Self::Furnace => "furnace",
        }
    }

    /// Its character in the terminal.
    pub fn character(self) -> char {
        match self {
            Self::Water => '~',
            Self::Grass => '.',
            Self::Stone => '#',
            Self::Path => ' ',
            Self::Sand => ',',
            Self::Tree => 'T',
            Self::Lava => '!',
            Self::Coal => 'c',
            Self::Iron => 'i',
            Self::Diamond => 'd',
            Self::Table => 'B',
            Self::Furnace => 'F',
        }
    }

    /// Whether everybody can walk on it.
    pub fn is_walkable(self) -> bool {
        matches!(self, Self::Grass | Self::Path | Self::Sand)
    }
}
