//! What the agent sees, in words, for an advisor that reads.
//!
//! Invariant: the sentences follow from the observation alone and are facts, with no hint of what to do.

use crate::{COLUMNS, Item, Material, Observation, ROWS, Sight};

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
        let mut nearest: Vec<Option<(i8, i8)>> = vec![None; Sight::COUNT];
        let half = |count: usize| i8::try_from(count / 2).unwrap_or_default();
        let rows = -half(ROWS)..=half(ROWS);
        let offsets = rows.flat_map(|row| (-half(COLUMNS)..=half(COLUMNS)).map(move |column| (column, row)));
        let steps = |(columns, rows): (i8, i8)| columns.unsigned_abs() + rows.unsigned_abs();
        for offset in offsets.filter(|&offset| offset != (0, 0)) {
            let Some(sight) = self.sight(offset.0, offset.1) else { continue };
            let known = &mut nearest[usize::from(sight.number())];
            if known.is_none_or(|known| steps(offset) < steps(known)) {
                *known = Some(offset);
            }
        }
        let found = Sight::all().zip(nearest).filter(|(sight, _)| !sight.is_free() && *sight != Sight::OUTSIDE);
        found.filter_map(|(sight, offset)| offset.map(|(columns, rows)| (sight, columns, rows)))
    }
}

fn offset_text(columns: i8, rows: i8) -> String {
    let part = |steps: i8, back: &str, forth: &str| {
        (steps != 0).then(|| format!("{} {}", steps.unsigned_abs(), if steps < 0 { back } else { forth }))
    };
    let parts = [part(columns, "left", "right"), part(rows, "up", "down")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}
