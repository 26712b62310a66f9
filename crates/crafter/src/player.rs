//! The player: its needs, and what it does in a tick.

use crate::area::Area;
use crate::object::Being;
use crate::random::Generator;
use crate::{Achievement, Achievements, Act, Direction, Inventory, Item, MOST, Material, Place, Placed, Tool};

/// What the player is and has. Its place is in the area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Player {
    /// Where it looks.
    pub facing: Direction,
    /// What it has.
    pub inventory: Inventory,
    /// What it has achieved.
    pub achievements: Achievements,
    /// Whether it is asleep.
    pub is_asleep: bool,
    last_health: u8,
    // Halves of a tick, since sleep counts half.
    hunger: i32,
    thirst: i32,
    recovery: i32,
    fatigue: i32,
}

impl Player {
    pub(crate) fn new() -> Self {
        Self {
            facing: Direction::Down,
            inventory: Inventory::initial(),
            achievements: Achievements::default(),
            is_asleep: false,
            last_health: MOST,
            hunger: 0,
            thirst: 0,
            recovery: 0,
            fatigue: 0,
        }
    }

    /// Health, which at 0 ends the episode.
    pub fn health(&self) -> u8 {
        self.inventory.count(Item::Health)
    }

    pub(crate) fn hurt(&mut self, damage: u8) {
        self.inventory.take(Item::Health, damage);
    }

    /// One tick.
    pub(crate) fn update(&mut self, act: Act, area: &mut Area, random: &mut Generator) {
        let mut act = act;
        if self.is_asleep {
            if self.inventory.count(Item::Energy) < MOST {
                act = Act::Sleep;
            } else {
                self.is_asleep = false;
                self.achievements.add(Achievement::WakeUp);
            }
        }
        let here = area.object(0).place;
        let ahead = here.next(self.facing);
        match act {
            Act::Noop => {}
            Act::Move(direction) => self.walk(here, direction, area),
            Act::Do => {
                if let Some(ahead) = ahead {
                    match area.occupant(ahead) {
                        Some(number) => self.treat(number, area),
                        None => self.collect(ahead, area, random),
                    }
                }
            }
            Act::Sleep => self.is_asleep |= self.inventory.count(Item::Energy) < MOST,
            Act::Place(placed) => {
                if let Some(ahead) = ahead {
                    self.put(placed, ahead, area);
                }
            }
            Act::Make(tool) => self.make(tool, here, area),
        }
        self.need();
        self.recover();
        self.inventory.limit();
        if self.health() < self.last_health {
            self.is_asleep = false;
        }
        self.last_health = self.health();
    }

    fn walk(&mut self, here: Place, direction: Direction, area: &mut Area) {
        self.facing = direction;
        let is_free = |&to: &Place| {
            let ground = area.material(to);
            area.occupant(to).is_none() && (ground.is_walkable() || ground == Material::Lava)
        };
        if let Some(to) = here.next(direction).filter(is_free) {
            area.shift(0, to);
        }
        if area.material(area.object(0).place) == Material::Lava {
            self.hurt(u8::MAX);
        }
    }

    /// Eats or hits.
    fn treat(&mut self, number: usize, area: &mut Area) {
        let object = area.object_mut(number);
        let achieved = match object.being {
            Being::Player | Being::Arrow { .. } => return,
            Being::Plant { .. } => {
                if object.being.is_ripe() {
                    object.being = Being::Plant { grown: 0 };
                    self.inventory.add(Item::Food, 4);
                    self.achievements.add(Achievement::EatPlant);
                }
                return;
            }
            Being::Zombie { .. } => Achievement::DefeatZombie,
            Being::Skeleton { .. } => Achievement::DefeatSkeleton,
            Being::Cow => Achievement::EatCow,
        };
        object.health = object.health.saturating_sub(self.damage());
        if object.health == 0 {
            self.achievements.add(achieved);
            if object.being == Being::Cow {
                self.inventory.add(Item::Food, 6);
                self.hunger = 0;
            }
        }
    }

    fn damage(&self) -> u8 {
        let swords = [(Item::IronSword, 5), (Item::StoneSword, 3), (Item::WoodSword, 2)];
        swords.into_iter().find(|&(sword, _)| self.inventory.count(sword) > 0).map_or(1, |(_, damage)| damage)
    }

    fn collect(&mut self, ahead: Place, area: &mut Area, random: &mut Generator) {
        let material = area.material(ahead);
        if material == Material::Water {
            self.thirst = 0;
        }
        let Some(harvest) = material.harvest() else { return };
        if !self.inventory.has(harvest.needs) {
            return;
        }
        area.set(ahead, harvest.leaves);
        // The number is drawn even where the gain is certain.
        if random.unit() <= harvest.probability {
            self.inventory.add(harvest.gives, 1);
            self.achievements.add(harvest.achieves);
        }
    }

    fn put(&mut self, placed: Placed, ahead: Place, area: &mut Area) {
        let (item, amount) = placed.uses();
        let is_free = area.occupant(ahead).is_none() && placed.stands_on(area.material(ahead));
        if !is_free || self.inventory.count(item) < amount {
            return;
        }
        self.inventory.take(item, amount);
        match placed.becomes() {
            Some(material) => area.set(ahead, material),
            None => area.add(Being::Plant { grown: 0 }, ahead),
        }
        self.achievements.add(placed.achieves());
    }

    fn make(&mut self, tool: Tool, here: Place, area: &Area) {
        let is_near = |&material: &Material| is_near(here, material, area);
        if !tool.nearby().iter().all(is_near) || !self.inventory.has(tool.uses()) {
            return;
        }
        for &(item, amount) in tool.uses() {
            self.inventory.take(item, amount);
        }
        self.inventory.add(tool.item(), 1);
        self.achievements.add(tool.achieves());
    }

    /// Hunger, thirst and fatigue.
    fn need(&mut self) {
        let ticks = if self.is_asleep { 1 } else { 2 };
        self.hunger += ticks;
        if self.hunger > 50 {
            self.hunger = 0;
            self.inventory.take(Item::Food, 1);
        }
        self.thirst += ticks;
        if self.thirst > 40 {
            self.thirst = 0;
            self.inventory.take(Item::Drink, 1);
        }
        self.fatigue = if self.is_asleep { (self.fatigue - 1).min(0) } else { self.fatigue + 1 };
        if self.fatigue < -10 {
            self.fatigue = 0;
            self.inventory.add(Item::Energy, 1);
        }
        if self.fatigue > 30 {
            self.fatigue = 0;
            self.inventory.take(Item::Energy, 1);
        }
    }

    /// Health comes back while no need is unmet, and goes otherwise.
    fn recover(&mut self) {
        let met = |need: Item| self.inventory.count(need) > 0;
        let is_well = met(Item::Food) && met(Item::Drink) && (met(Item::Energy) || self.is_asleep);
        self.recovery += match (is_well, self.is_asleep) {
            (true, true) => 4,
            (true, false) => 2,
            (false, true) => -1,
            (false, false) => -2,
        };
        if self.recovery > 50 {
            self.recovery = 0;
            self.inventory.add(Item::Health, 1);
        }
        if self.recovery < -30 {
            self.recovery = 0;
            self.hurt(1);
        }
    }
}

/// Whether one of the nine cells around a place is made of this.
///
/// As in the original, nothing is near in the first column and row: its slice from -1 is empty.
pub(crate) fn is_near(here: Place, material: Material, area: &Area) -> bool {
    let around = || (-1..=1).flat_map(|columns| (-1..=1).filter_map(move |rows| here.offset(columns, rows)));
    here.x > 0 && here.y > 0 && around().any(|place| area.material(place) == material)
}
