//! What the player has: the four needs, materials and tools.

use counsel_world::named;

named! {
    /// Something the player has some of, from 0 to 9.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Item {
        /// At 0 the player dies.
        Health => "health",
        /// At 0 health is lost.
        Food => "food",
        /// At 0 health is lost.
        Drink => "drink",
        /// At 0 health is lost.
        Energy => "energy",
        /// Can be planted.
        Sapling => "sapling",
        /// From trees.
        Wood => "wood",
        /// From the mountain.
        Stone => "stone",
        /// From the mountain.
        Coal => "coal",
        /// From the mountain.
        Iron => "iron",
        /// From the mountain.
        Diamond => "diamond",
        /// Mines stone and coal.
        WoodPickaxe => "wood_pickaxe",
        /// Mines iron.
        StonePickaxe => "stone_pickaxe",
        /// Mines diamonds.
        IronPickaxe => "iron_pickaxe",
        /// Hits with 2.
        WoodSword => "wood_sword",
        /// Hits with 3.
        StoneSword => "stone_sword",
        /// Hits with 5.
        IronSword => "iron_sword",
    }
}

/// The most that can be had of anything.
pub const MOST: u8 = 9;

impl Item {
    /// The needs, which an episode begins with [`MOST`] of.
    pub const NEEDS: [Self; 4] = [Self::Health, Self::Food, Self::Drink, Self::Energy];
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
