//! What an episode can show that the player is able to.

/// Something to achieve. The first time in an episode pays 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Achievement {
    CollectCoal,
    CollectDiamond,
    CollectDrink,
    CollectIron,
    CollectSapling,
    CollectStone,
    CollectWood,
    DefeatSkeleton,
    DefeatZombie,
    EatCow,
    EatPlant,
    MakeIronPickaxe,
    MakeIronSword,
    MakeStonePickaxe,
    MakeStoneSword,
    MakeWoodPickaxe,
    MakeWoodSword,
    PlaceFurnace,
    PlacePlant,
    PlaceStone,
    PlaceTable,
    WakeUp,
}

impl Achievement {
    /// All of them, by number.
    pub const ALL: [Self; 22] = [
        Self::CollectCoal,
        Self::CollectDiamond,
        Self::CollectDrink,
        Self::CollectIron,
        Self::CollectSapling,
        Self::CollectStone,
        Self::CollectWood,
        Self::DefeatSkeleton,
        Self::DefeatZombie,
        Self::EatCow,
        Self::EatPlant,
        Self::MakeIronPickaxe,
        Self::MakeIronSword,
        Self::MakeStonePickaxe,
        Self::MakeStoneSword,
        Self::MakeWoodPickaxe,
        Self::MakeWoodSword,
        Self::PlaceFurnace,
        Self::PlacePlant,
        Self::PlaceStone,
        Self::PlaceTable,
        Self::WakeUp,
    ];

    /// The original's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CollectCoal => "collect_coal",
            Self::CollectDiamond => "collect_diamond",
            Self::CollectDrink => "collect_drink",
            Self::CollectIron => "collect_iron",
            Self::CollectSapling => "collect_sapling",
            Self::CollectStone => "collect_stone",
            Self::CollectWood => "collect_wood",
            Self::DefeatSkeleton => "defeat_skeleton",
            Self::DefeatZombie => "defeat_zombie",
            Self::EatCow => "eat_cow",
            Self::EatPlant => "eat_plant",
            Self::MakeIronPickaxe => "make_iron_pickaxe",
            Self::MakeIronSword => "make_iron_sword",
            Self::MakeStonePickaxe => "make_stone_pickaxe",
            Self::MakeStoneSword => "make_stone_sword",
            Self::MakeWoodPickaxe => "make_wood_pickaxe",
            Self::MakeWoodSword => "make_wood_sword",
            Self::PlaceFurnace => "place_furnace",
            Self::PlacePlant => "place_plant",
            Self::PlaceStone => "place_stone",
            Self::PlaceTable => "place_table",
            Self::WakeUp => "wake_up",
        }
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
