//! What can be collected, put down and made, and what it takes.

use crate::{Achievement, Item, Material};

/// What collecting from a material takes and gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Harvest {
    pub(crate) needs: &'static [(Item, u8)],
    pub(crate) gives: Item,
    pub(crate) leaves: Material,
    pub(crate) probability: f64,
    pub(crate) achieves: Achievement,
}

impl Material {
    /// What collecting from it takes and gives, if anything.
    pub(crate) fn harvest(self) -> Option<Harvest> {
        let (needs, gives, leaves, achieves): (&'static [_], _, _, _) = match self {
            Self::Tree => (&[], Item::Wood, Self::Grass, Achievement::CollectWood),
            Self::Stone => (&[(Item::WoodPickaxe, 1)], Item::Stone, Self::Path, Achievement::CollectStone),
            Self::Coal => (&[(Item::WoodPickaxe, 1)], Item::Coal, Self::Path, Achievement::CollectCoal),
            Self::Iron => (&[(Item::StonePickaxe, 1)], Item::Iron, Self::Path, Achievement::CollectIron),
            Self::Diamond => (&[(Item::IronPickaxe, 1)], Item::Diamond, Self::Path, Achievement::CollectDiamond),
            Self::Water => (&[], Item::Drink, Self::Water, Achievement::CollectDrink),
            Self::Grass => (&[], Item::Sapling, Self::Grass, Achievement::CollectSapling),
            Self::Path | Self::Sand | Self::Lava | Self::Table | Self::Furnace => return None,
        };
        let probability = if self == Self::Grass { 0.1 } else { 1.0 };
        Some(Harvest { needs, gives, leaves, probability, achieves })
    }
}

/// What can be put down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Placed {
    /// A block of stone.
    Stone,
    /// A table.
    Table,
    /// A furnace.
    Furnace,
    /// A sapling.
    Plant,
}

impl Placed {
    /// What it takes.
    pub(crate) fn uses(self) -> (Item, u8) {
        match self {
            Self::Stone => (Item::Stone, 1),
            Self::Table => (Item::Wood, 2),
            Self::Furnace => (Item::Stone, 4),
            Self::Plant => (Item::Sapling, 1),
        }
    }

    /// Whether it can stand on this.
    pub(crate) fn stands_on(self, ground: Material) -> bool {
        match self {
            Self::Stone => ground.is_walkable() || matches!(ground, Material::Water | Material::Lava),
            Self::Table | Self::Furnace => ground.is_walkable(),
            Self::Plant => ground == Material::Grass,
        }
    }

    /// What the ground becomes; nothing for a plant, which stands on it.
    pub(crate) fn becomes(self) -> Option<Material> {
        match self {
            Self::Stone => Some(Material::Stone),
            Self::Table => Some(Material::Table),
            Self::Furnace => Some(Material::Furnace),
            Self::Plant => None,
        }
    }

    pub(crate) fn achieves(self) -> Achievement {
        match self {
            Self::Stone => Achievement::PlaceStone,
            Self::Table => Achievement::PlaceTable,
            Self::Furnace => Achievement::PlaceFurnace,
            Self::Plant => Achievement::PlacePlant,
        }
    }
}

/// What can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Tool {
    WoodPickaxe,
    StonePickaxe,
    IronPickaxe,
    WoodSword,
    StoneSword,
    IronSword,
}

impl Tool {
    /// What it takes.
    pub(crate) fn uses(self) -> &'static [(Item, u8)] {
        match self {
            Self::WoodPickaxe | Self::WoodSword => &[(Item::Wood, 1)],
            Self::StonePickaxe | Self::StoneSword => &[(Item::Wood, 1), (Item::Stone, 1)],
            Self::IronPickaxe | Self::IronSword => &[(Item::Wood, 1), (Item::Coal, 1), (Item::Iron, 1)],
        }
    }

    /// What must be near.
    pub(crate) fn nearby(self) -> &'static [Material] {
        match self {
            Self::IronPickaxe | Self::IronSword => &[Material::Table, Material::Furnace],
            _ => &[Material::Table],
        }
    }

    pub(crate) fn item(self) -> Item {
        match self {
            Self::WoodPickaxe => Item::WoodPickaxe,
            Self::StonePickaxe => Item::StonePickaxe,
            Self::IronPickaxe => Item::IronPickaxe,
            Self::WoodSword => Item::WoodSword,
            Self::StoneSword => Item::StoneSword,
            Self::IronSword => Item::IronSword,
        }
    }

    pub(crate) fn achieves(self) -> Achievement {
        match self {
            Self::WoodPickaxe => Achievement::MakeWoodPickaxe,
            Self::StonePickaxe => Achievement::MakeStonePickaxe,
            Self::IronPickaxe => Achievement::MakeIronPickaxe,
            Self::WoodSword => Achievement::MakeWoodSword,
            Self::StoneSword => Achievement::MakeStoneSword,
            Self::IronSword => Achievement::MakeIronSword,
        }
    }
}
