//! What the agent sees, in words, for an advisor that reads.
//!
//! Invariant: the sentences follow from the observation alone and are facts, with no hint of what to do.

use crate::{Being, COLUMNS, Item, Material, Observation, ROWS, Sight};

impl Observation {
    /// The facts, one sentence each: needs, what the player carries, what it faces, what is near, and the light.
    pub fn facts(&self) -> Vec<String> {
        let amount = |item: Item| format!("{} {}", item.name().replace('_', " "), self.inventory.count(item));
        let needs = Item::NEEDS.map(amount).join(", ");
        let carried = |item: &Item| !Item::NEEDS.contains(item) && self.inventory.count(*item) > 0;
        let carried: Vec<String> = Item::ALL.into_iter().filter(carried).map(amount).collect();
        let carried = if carried.is_empty() { "nothing".to_owned() } else { carried.join(", ") };
        let mut facts = vec![
            format!("Needs, of 9 each: {needs}."),
            format!("You carry: {carried}."),
            format!("You look {}, at {}.", self.facing.name(), self.ahead().name()),
        ];
        facts.extend(
            self.nearest().map(|(sight, columns, rows)| {
                format!("The nearest {} is {}.", sight.name(), offset_text(columns, rows))
            }),
        );
        for (material, thing) in [(Material::Table, "table"), (Material::Furnace, "furnace")] {
            if self.is_near(material) {
                facts.push(format!("You are beside a {thing}."));
            }
        }
        if self.is_dark {
            facts.push("It is night.".to_owned());
        }
        if self.is_asleep {
            facts.push("You are asleep.".to_owned());
        }
        facts
    }

    /// The nearest cell of every kind that is worth a word, with its offset; open ground and the player are not.
    fn nearest(&self) -> impl Iterator<Item = (Sight, i8, i8)> {
        let worth = |sight: &Sight| !sight.is_free() && *sight != Sight::OUTSIDE && *sight != Being::Player.into();
        let offset = |sight| self.nearest_of(sight).map(|(columns, rows)| (sight, columns, rows));
        Sight::all().filter(worth).filter_map(offset)
    }

    /// Columns to the right and rows down to the nearest cell that shows this, by steps; the first by rows where several are.
    pub fn nearest_of(&self, sight: Sight) -> Option<(i8, i8)> {
        let offset = |at: usize, count: usize| {
            i8::try_from(at).unwrap_or_default() - i8::try_from(count / 2).unwrap_or_default()
        };
        let cells = self.sights().iter().enumerate().filter(|&(_, &seen)| seen == sight);
        let offsets = cells.map(|(cell, _)| (offset(cell % COLUMNS, COLUMNS), offset(cell / COLUMNS, ROWS)));
        offsets.min_by_key(|&(columns, rows)| columns.unsigned_abs() + rows.unsigned_abs())
    }
}

fn offset_text(columns: i8, rows: i8) -> String {
    let part = |steps: i8, back: &str, forth: &str| {
        (steps != 0).then(|| format!("{} {}", steps.unsigned_abs(), if steps < 0 { back } else { forth }))
    };
    let parts = [part(columns, "left", "right"), part(rows, "up", "down")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}
