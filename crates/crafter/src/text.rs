//! Pictures in the terminal, one character per cell; the characters are those of [`Material`](crate::Material) and
//! [`Being`](crate::Being).

use std::fmt::Write;

use crate::{COLUMNS, Item, ROWS, State};

/// The character of what lies outside of the area.
const OUTSIDE: char = '%';

impl State {
    /// What is seen, row by row.
    pub fn view_text(&self) -> String {
        let character = |column, row| {
            let Some(place) = self.seen(column, row) else { return OUTSIDE };
            self.object(place).map_or_else(|| self.material(place).character(), |object| object.being.character())
        };
        let rows: Vec<String> =
            (0..ROWS).map(|row| (0..COLUMNS).map(|column| character(column, row)).collect()).collect();
        rows.join("\n")
    }

    /// The clock, what is seen, the needs, and what the player carries.
    pub(crate) fn text(&self) -> String {
        let player = self.player();
        let light = if self.is_dark() { "night" } else { "day" };
        let mut text = format!("survive and achieve (step {} of {}, {light})\n", self.steps(), self.max_steps());
        for row in self.view_text().lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {row}");
        }
        let amount = |(item, amount): (Item, u8)| format!("{} {amount}", item.name());
        let (needs, carried): (Vec<_>, Vec<_>) =
            player.inventory.iter().partition(|(item, _)| Item::NEEDS.contains(item));
        let carried: Vec<String> = carried.into_iter().filter(|&(_, amount)| amount > 0).map(amount).collect();
        let _ = writeln!(text, "{}", needs.into_iter().map(amount).collect::<Vec<_>>().join(", "));
        let _ =
            writeln!(text, "you carry {}", if carried.is_empty() { "nothing".to_owned() } else { carried.join(", ") });
        let state = if player.is_asleep { "asleep" } else { "awake" };
        let _ = writeln!(text, "you are {state} and face {}, with {} of 22 achievements", player.facing.name(), {
            player.achievements.unlocked()
        });
        text
    }
}
