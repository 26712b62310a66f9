//! What an episode can show that the player is able to.

use counsel_world::named;

named! {
    /// Something to achieve. The first time in an episode pays 1.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum Achievement {
        CollectCoal => "collect_coal",
        CollectDiamond => "collect_diamond",
        CollectDrink => "collect_drink",
        CollectIron => "collect_iron",
        CollectSapling => "collect_sapling",
        CollectStone => "collect_stone",
        CollectWood => "collect_wood",
        DefeatSkeleton => "defeat_skeleton",
        DefeatZombie => "defeat_zombie",
        EatCow => "eat_cow",
        EatPlant => "eat_plant",
        MakeIronPickaxe => "make_iron_pickaxe",
        MakeIronSword => "make_iron_sword",
        MakeStonePickaxe => "make_stone_pickaxe",
        MakeStoneSword => "make_stone_sword",
        MakeWoodPickaxe => "make_wood_pickaxe",
        MakeWoodSword => "make_wood_sword",
        PlaceFurnace => "place_furnace",
        PlacePlant => "place_plant",
        PlaceStone => "place_stone",
        PlaceTable => "place_table",
        WakeUp => "wake_up",
    }
}

/// How often each was achieved in an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Achievements([u32; Achievement::ALL.len()]);

impl Achievements {
    /// How often this was achieved.
    pub fn count(&self, achievement: Achievement) -> u32 {
        self.0[achievement as usize]
    }

    /// How many of them were achieved at least once.
    pub fn unlocked(&self) -> usize {
        self.0.iter().filter(|&&count| count > 0).count()
    }

    /// Every achievement with its count, by number.
    pub fn iter(&self) -> impl Iterator<Item = (Achievement, u32)> {
        Achievement::ALL.into_iter().zip(self.0)
    }

    pub(crate) fn add(&mut self, achievement: Achievement) {
        self.0[achievement as usize] += 1;
    }
}
