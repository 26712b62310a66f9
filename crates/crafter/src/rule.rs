//! What a person who knows the game would advise at a glance: a rule that sees what the agent sees, and remembers nothing.
//!
//! It looks after the needs, defends itself, and then wants whatever the next achievement takes; if that is in view, it goes there
//! by the shortest way that is seen, and otherwise walks on.

use std::collections::VecDeque;

use crate::observation::SEEN;
use crate::{Achievement, Act, COLUMNS, Direction, Item, Material, Observation, Placed, ROWS, Sight, Tool};

/// A need at or below this is looked after first.
const LOW: u8 = 4;

/// What is to be done next.
enum Wish {
    /// This, at once.
    Now(Act),
    /// This, when such a cell is ahead.
    At(Sight, Act),
}

/// What the rule advises.
pub fn rule(seen: &Observation) -> Act {
    if seen.is_asleep {
        return Act::Noop;
    }
    let wishes = wishes(seen);
    wishes.into_iter().find_map(|wish| granted(seen, &wish)).unwrap_or_else(|| stroll(seen))
}

/// The first act towards a wish, if there is a way.
fn granted(seen: &Observation, wish: &Wish) -> Option<Act> {
    match *wish {
        Wish::Now(act) => Some(act),
        Wish::At(sight, act) if seen.ahead() == sight => Some(act),
        Wish::At(sight, _) => way(seen, sight).map(Act::Move),
    }
}

/// What it wants, most urgent first.
fn wishes(seen: &Observation) -> Vec<Wish> {
    let count = |item| seen.inventory.count(item);
    let lacks = |achievement| !seen.has_achieved(achievement);
    let zombie = Sight::from(crate::Being::Zombie { cooldown: 0 });
    let skeleton = Sight::from(crate::Being::Skeleton { reload: 0 });
    let mut wishes = Vec::new();
    for foe in [zombie, skeleton] {
        if Direction::ALL.into_iter().any(|way| seen.beside(way) == foe) {
            wishes.push(Wish::At(foe, Act::Do));
        }
    }
    let is_tired = count(Item::Energy) <= LOW || count(Item::Energy) < 9 && lacks(Achievement::WakeUp);
    if is_tired && !seen.sights().contains(&zombie) {
        wishes.push(Wish::Now(Act::Sleep));
    }
    if count(Item::Drink) <= LOW || lacks(Achievement::CollectDrink) {
        wishes.push(Wish::At(Material::Water.into(), Act::Do));
    }
    if count(Item::Food) <= LOW || lacks(Achievement::EatCow) {
        wishes.push(Wish::At(Sight::RIPE_PLANT, Act::Do));
        wishes.push(Wish::At(crate::Being::Cow.into(), Act::Do));
    }
    let is_on_grass = seen.ahead() == Material::Grass.into();
    if lacks(Achievement::PlacePlant) && count(Item::Sapling) > 0 {
        wishes.push(Wish::At(Material::Grass.into(), Act::Place(Placed::Plant)));
    } else if lacks(Achievement::CollectSapling) && is_on_grass {
        wishes.push(Wish::Now(Act::Do));
    }
    craft(seen, &mut wishes);
    wishes.push(Wish::At(zombie, Act::Do));
    wishes
}

/// What the next tools take.
fn craft(seen: &Observation, wishes: &mut Vec<Wish>) {
    let count = |item| seen.inventory.count(item);
    let lacks = |achievement| !seen.has_achieved(achievement);
    let can_place = |placed: Placed| {
        let (item, amount) = placed.uses();
        let is_ground = |&ground: &Material| seen.ahead() == ground.into() && placed.stands_on(ground);
        count(item) >= amount && Material::ALL.iter().any(is_ground)
    };
    let tools =
        [Tool::WoodPickaxe, Tool::WoodSword, Tool::StonePickaxe, Tool::StoneSword, Tool::IronPickaxe, Tool::IronSword];
    let mut wanted = tools.into_iter().filter(|tool| count(tool.item()) == 0);
    let has_parts = |tool: &Tool| seen.inventory.has(tool.uses());
    let makeable = wanted.clone().find(has_parts);
    if let Some(tool) = makeable {
        if tool.nearby().iter().all(|&material| seen.is_near(material)) {
            return wishes.push(Wish::Now(Act::Make(tool)));
        }
        // A table takes wood of which the tool must be left.
        if !seen.is_near(Material::Table) {
            if count(Item::Wood) > Placed::Table.uses().1 && can_place(Placed::Table) {
                return wishes.push(Wish::Now(Act::Place(Placed::Table)));
            }
            wishes.push(Wish::At(Material::Table.into(), Act::Noop));
        } else if tool.nearby().contains(&Material::Furnace) && can_place(Placed::Furnace) {
            return wishes.push(Wish::Now(Act::Place(Placed::Furnace)));
        }
    }
    if lacks(Achievement::PlaceFurnace) && can_place(Placed::Furnace) {
        wishes.push(Wish::Now(Act::Place(Placed::Furnace)));
    }
    if lacks(Achievement::PlaceStone) && count(Item::Stone) > 1 && can_place(Placed::Stone) {
        wishes.push(Wish::Now(Act::Place(Placed::Stone)));
    }
    let ores = [
        (Material::Diamond, Item::IronPickaxe),
        (Material::Iron, Item::StonePickaxe),
        (Material::Coal, Item::WoodPickaxe),
    ];
    for (ore, pickaxe) in ores {
        if count(pickaxe) > 0 {
            wishes.push(Wish::At(ore.into(), Act::Do));
        }
    }
    if count(Item::Wood) < 5 && wanted.next().is_some() {
        wishes.push(Wish::At(Material::Tree.into(), Act::Do));
    }
    if count(Item::WoodPickaxe) > 0 && count(Item::Stone) < 6 {
        wishes.push(Wish::At(Material::Stone.into(), Act::Do));
    }
}

/// The first step of a shortest way over free cells to the nearest such cell. The last step turns towards it.
fn way(seen: &Observation, target: Sight) -> Option<Direction> {
    let start = (COLUMNS / 2, ROWS / 2);
    let mut firsts = [None; SEEN];
    let mut queue = VecDeque::from([start]);
    while let Some((column, row)) = queue.pop_front() {
        for direction in Direction::ALL {
            let (columns, rows) = direction.offset();
            let next = column.checked_add_signed(columns.into()).zip(row.checked_add_signed(rows.into()));
            let Some((x, y)) = next.filter(|&(x, y)| x < COLUMNS && y < ROWS) else { continue };
            let first = firsts[row * COLUMNS + column].unwrap_or(direction);
            let cell = y * COLUMNS + x;
            if seen.sights()[cell] == target {
                return Some(first);
            }
            if firsts[cell].is_none() && (x, y) != start && seen.sights()[cell].is_free() {
                firsts[cell] = Some(first);
                queue.push_back((x, y));
            }
        }
    }
    None
}

/// On the way it looks, or else to the first side that is free.
fn stroll(seen: &Observation) -> Act {
    let sides = [seen.facing, Direction::Right, Direction::Down, Direction::Left, Direction::Up];
    let free = sides.into_iter().find(|&way| seen.beside(way).is_free());
    free.map_or(Act::Noop, Act::Move)
}
