//! The four moves, and sets of them.

use std::fmt::{self, Debug, Display, Formatter};

use counsel_decision::Action;
use counsel_world::named;

use crate::Error;

named! {
    /// What the agent can do. Rows are counted from the north and columns from the west.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Move {
        /// One row up.
        North = 0 => "north",
        /// One column to the right.
        East = 1 => "east",
        /// One row down.
        South = 2 => "south",
        /// One column to the left.
        West = 3 => "west",
    }
}

impl Move {
    /// How far it leads: columns to the east, rows to the south.
    pub fn offset(self) -> (isize, isize) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
        }
    }
}

impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Move> for Action {
    fn from(way: Move) -> Self {
        Self(way as u16)
    }
}

impl TryFrom<Action> for Move {
    type Error = Error;

    fn try_from(action: Action) -> Result<Self, Error> {
        let number = action.index();
        Self::ALL.get(number).copied().ok_or(Error::UnknownMove { number })
    }
}

/// A set of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Moves(u8);

impl Moves {
    /// The set as bits: bit `i` for move `i`.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether a move is in it.
    pub fn contains(self, way: Move) -> bool {
        self.0 >> way as u8 & 1 == 1
    }

    /// The moves in it, by number.
    pub fn iter(self) -> impl Iterator<Item = Move> {
        Move::ALL.into_iter().filter(move |&way| self.contains(way))
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(ways: I) -> Self {
        Self(ways.into_iter().fold(0, |bits, way| bits | 1 << way as u8))
    }
}

impl Debug for Moves {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
