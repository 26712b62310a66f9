//! What the player has: the four needs, materials and tools.

/// Something the player has some of, from 0 to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// At 0 the player dies.
    Health,
    /// At 0 health is lost.
    Food,
    /// At 0 health is lost.
    Drink,
    /// At 0 health is lost.
    Energy,
    /// Can be planted.
    Sapling,
    /// From trees.
    Wood,
    /// From the mountain.
    Stone,
    /// From the mountain.
    Coal,
    /// From the mountain.
    Iron,
    /// From the mountain.
    Diamond,
    /// Mines stone and coal.
    WoodPickaxe,
    /// Mines iron.
    StonePickaxe,
    /// Mines diamonds.
    IronPickaxe,
    /// Hits with 2.
    WoodSword,
    /// Hits with 3.
    StoneSword,
    /// Hits with 5.
    IronSword,
}

/// The most that can be had of anything.
pub const MOST: u8 = 9;

impl Item {
    /// All of them, by number.
    pub const ALL: [Self; 16] = [
        Self::Health,
        Self::Food,
        Self::Drink,
        Self::Energy,
        Self::Sapling,
        Self::Wood,
        Self::Stone,
        Self::Coal,
        Self::Iron,
        Self::Diamond,
        Self::WoodPickaxe,
        Self::StonePickaxe,
        Self::IronPickaxe,
        Self::WoodSword,
        Self::StoneSword,
        Self::IronSword,
    ];

    /// The needs, which an episode begins with [`MOST`] of.
    pub const NEEDS: [Self; 4] = [Self::Health, Self::Food, Self::Drink, Self::Energy];

    /// The original's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Food => "food",
            Self::Drink => "drink",
            Self::Energy => "energy",
            Self::Sapling => "sapling",
            Self::Wood => "wood",
            Self::Stone => "stone",
            Self::Coal => "coal",
            Self::Iron => "iron",
            Self::Diamond => "diamond",
            Self::WoodPickaxe => "wood_pickaxe",
            Self::StonePickaxe => "stone_pickaxe",
            Self::IronPickaxe => "iron_pickaxe",
            Self::WoodSword => "wood_sword",
            Self::StoneSword => "stone_sword",
            Self::IronSword => "iron_sword",
        }
    }
}

/// How much the player has of every item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inventory([u8; Item::ALL.len()]);

impl Inventory {
    /// What an episode begins with.
    pub fn initial() -> Self {
        let mut amounts = [0; Item::ALL.len()];
        for need in Item::NEEDS {
            amounts[need as usize] = MOST;
        }
        Self(amounts)
    }

    /// How much there is of an item.
    pub fn count(&self, item: Item) -> u8 {
        self.0[item as usize]
    }

    /// Whether there is at least this much of each of these.
    pub fn has(&self, amounts: &[(Item, u8)]) -> bool {
        amounts.iter().all(|&(item, amount)| self.count(item) >= amount)
    }

    /// Every item with its amount, by number.
    pub fn iter(&self) -> impl Iterator<Item = (Item, u8)> {
        Item::ALL.into_iter().zip(self.0)
    }

    pub(crate) fn add(&mut self, item: Item, amount: u8) {
        let slot = &mut self.0[item as usize];
        *slot = slot.saturating_add(amount);
    }

    /// Takes some away, down to 0 at most.
    pub(crate) fn take(&mut self, item: Item, amount: u8) {
        let slot = &mut self.0[item as usize];
        *slot = slot.saturating_sub(amount);
    }

    /// Drops what is more than [`MOST`].
    pub(crate) fn limit(&mut self) {
        self.0 = self.0.map(|amount| amount.min(MOST));
    }
}
