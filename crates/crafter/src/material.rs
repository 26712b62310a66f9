//! What the ground is made of.

use counsel_world::named;

named! {
    /// What a cell is made of. The numbers are those of the semantic map.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Material {
        /// Can be drunk.
        Water = 1 => "water",
        /// Ground for cows and zombies, and for saplings.
        Grass = 2 => "grass",
        /// Needs a pickaxe.
        Stone = 3 => "stone",
        /// Ground in caves and tunnels, and what mining leaves.
        Path = 4 => "path",
        /// Ground at the water.
        Sand = 5 => "sand",
        /// Gives wood.
        Tree = 6 => "tree",
        /// Kills.
        Lava = 7 => "lava",
        /// Needs a pickaxe.
        Coal = 8 => "coal",
        /// Needs a pickaxe of stone.
        Iron = 9 => "iron",
        /// Needs a pickaxe of iron.
        Diamond = 10 => "diamond",
        /// Tools are made near it.
        Table = 11 => "table",
        /// Tools of iron are made near it.
        Furnace = 12 => "furnace",
    }
}

impl Material {
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
