//! The seven actions.

use crate::Error;

/// What the agent can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Turn left.
    Left = 0,
    /// Turn right.
    Right = 1,
    /// Walk into the cell ahead, if that is empty or an open door.
    Forward = 2,
    /// Take what lies ahead, if the hand is empty.
    Pickup = 3,
    /// Put down what the hand holds, if the cell ahead is empty.
    Drop = 4,
    /// Open, close or unlock the door ahead, or open the box ahead.
    Toggle = 5,
    /// Do nothing.
    Done = 6,
}

impl Act {
    /// All actions, by number.
    pub const ALL: [Self; 7] =
        [Self::Left, Self::Right, Self::Forward, Self::Pickup, Self::Drop, Self::Toggle, Self::Done];
}

impl TryFrom<usize> for Act {
    type Error = Error;

    fn try_from(number: usize) -> Result<Self, Error> {
        Self::ALL.get(number).copied().ok_or(Error::UnknownAct { number })
    }
}
