//! What the player can do.

use std::fmt::{self, Display, Formatter};

use counsel_decision::Action;

use crate::{Direction, Error, Placed, Tool};

/// What the player can do, by number as in the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Wait.
    Noop,
    /// Turn there, and step if the way is free.
    Move(Direction),
    /// Collect, drink, eat or hit what is ahead.
    Do,
    /// Fall asleep.
    Sleep,
    /// Put something down ahead.
    Place(Placed),
    /// Make a tool.
    Make(Tool),
}

impl Act {
    /// All of them, by number.
    pub const ALL: [Self; 17] = [
        Self::Noop,
        Self::Move(Direction::Left),
        Self::Move(Direction::Right),
        Self::Move(Direction::Up),
        Self::Move(Direction::Down),
        Self::Do,
        Self::Sleep,
        Self::Place(Placed::Stone),
        Self::Place(Placed::Table),
        Self::Place(Placed::Furnace),
        Self::Place(Placed::Plant),
        Self::Make(Tool::WoodPickaxe),
        Self::Make(Tool::StonePickaxe),
        Self::Make(Tool::IronPickaxe),
        Self::Make(Tool::WoodSword),
        Self::Make(Tool::StoneSword),
        Self::Make(Tool::IronSword),
    ];

    /// The names, by number.
    pub const NAMES: [&'static str; 17] = [
        "noop",
        "move_left",
        "move_right",
        "move_up",
        "move_down",
        "do",
        "sleep",
        "place_stone",
        "place_table",
        "place_furnace",
        "place_plant",
        "make_wood_pickaxe",
        "make_stone_pickaxe",
        "make_iron_pickaxe",
        "make_wood_sword",
        "make_stone_sword",
        "make_iron_sword",
    ];

    /// Its number.
    pub fn number(self) -> usize {
        match self {
            Self::Noop => 0,
            Self::Move(direction) => 1 + direction as usize,
            Self::Do => 5,
            Self::Sleep => 6,
            Self::Place(placed) => 7 + placed as usize,
            Self::Make(tool) => 11 + tool as usize,
        }
    }

    /// The original's name for it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.number()]
    }
}

impl Display for Act {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Act> for Action {
    fn from(act: Act) -> Self {
        Self::new(act.number())
    }
}

impl TryFrom<Action> for Act {
    type Error = Error;

    fn try_from(action: Action) -> Result<Self, Error> {
        let number = action.index();
        Self::ALL.get(number).copied().ok_or(Error::UnknownAct { number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_is_found_by_its_number() {
        for (number, act) in Act::ALL.into_iter().enumerate() {
            assert_eq!(act.number(), number);
            assert_eq!(Act::try_from(Action::from(act)), Ok(act));
        }
        let error = Act::try_from(Action::new(17)).unwrap_err().to_string();
        assert!(error.contains("17") && error.contains("make_iron_sword"), "{error}");
    }
}
