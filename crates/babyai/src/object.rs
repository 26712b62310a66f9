//! What can lie in a cell, and how it looks: kind, colour and state packed into one byte.
//!
//! Invariant: the numbers behind [`Kind`], [`Colour`] and [`Latch`] are those of the original's observations.

use serde::{Deserialize, Serialize};

/// The kinds of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A wall, always grey.
    Wall = 2,
    /// A door between two rooms.
    Door = 4,
    /// A key, which opens locked doors of its colour.
    Key = 5,
    /// A ball.
    Ball = 6,
    /// A box, which may hold something.
    Box = 7,
}

impl Kind {
    /// The kinds that are strewn about, in the order in which they are drawn.
    pub(crate) const LOOSE: [Self; 3] = [Self::Key, Self::Ball, Self::Box];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Door => "door",
            Self::Key => "key",
            Self::Ball => "ball",
            Self::Box => "box",
        }
    }
}

/// The colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Red.
    Red = 0,
    /// Green.
    Green = 1,
    /// Blue.
    Blue = 2,
    /// Purple.
    Purple = 3,
    /// Yellow.
    Yellow = 4,
    /// Grey.
    Grey = 5,
}

impl Colour {
    /// All colours in the order in which they are drawn: by name.
    pub const BY_NAME: [Self; 6] = [Self::Blue, Self::Green, Self::Grey, Self::Purple, Self::Red, Self::Yellow];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Purple => "purple",
            Self::Yellow => "yellow",
            Self::Grey => "grey",
        }
    }
}

/// How a door stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Latch {
    /// One can walk and see through it.
    Open = 0,
    /// A toggle opens it.
    Closed = 1,
    /// A toggle opens it for who carries a key of its colour.
    Locked = 2,
}

/// A cell's looks: 3 bits of kind, 3 of colour, 2 of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look(pub(crate) u8);

impl Look {
    /// A cell the agent does not see.
    pub const UNSEEN: Self = Self(0);
    /// A cell with nothing in it.
    pub const EMPTY: Self = Self(1);
    /// A wall.
    pub const WALL: Self = Self::thing(Kind::Wall, Colour::Grey);

    /// A key, a ball, a box or a wall.
    pub const fn thing(kind: Kind, colour: Colour) -> Self {
        Self(kind as u8 | (colour as u8) << 3)
    }

    /// A door.
    pub const fn door(colour: Colour, latch: Latch) -> Self {
        Self(Kind::Door as u8 | (colour as u8) << 3 | (latch as u8) << 6)
    }

    /// The three numbers of the observation: kind, colour, state.
    pub const fn channels(self) -> [u8; 3] {
        [self.0 & 7, self.0 >> 3 & 7, self.0 >> 6]
    }

    /// What kind of thing this is, if any.
    pub fn kind(self) -> Option<Kind> {
        match self.0 & 7 {
            2 => Some(Kind::Wall),
            4 => Some(Kind::Door),
            5 => Some(Kind::Key),
            6 => Some(Kind::Ball),
            7 => Some(Kind::Box),
            _ => None,
        }
    }

    /// Its colour; that of an empty cell means nothing.
    pub fn colour(self) -> Colour {
        match self.0 >> 3 & 7 {
            0 => Colour::Red,
            1 => Colour::Green,
            2 => Colour::Blue,
            3 => Colour::Purple,
            4 => Colour::Yellow,
            _ => Colour::Grey,
        }
    }

    /// How it stands, if it is a door.
    pub fn latch(self) -> Option<Latch> {
        (self.kind() == Some(Kind::Door)).then_some(match self.0 >> 6 {
            0 => Latch::Open,
            1 => Latch::Closed,
            _ => Latch::Locked,
        })
    }

    /// The same thing in another colour.
    pub(crate) const fn painted(self, colour: Colour) -> Self {
        Self(self.0 & !0b11_1000 | (colour as u8) << 3)
    }

    /// Whether the agent can pick it up.
    pub(crate) const fn is_loose(self) -> bool {
        self.0 & 7 >= Kind::Key as u8
    }

    /// Whether the agent can stand there: nothing, or an open door.
    pub(crate) const fn is_free(self) -> bool {
        self.0 == Self::EMPTY.0 || self.0 & 0b1100_0111 == Kind::Door as u8
    }

    /// Whether the agent sees past it: anything but a wall and a door that is not open.
    pub(crate) const fn is_clear(self) -> bool {
        let kind = self.0 & 7;
        kind != Kind::Wall as u8 && (kind != Kind::Door as u8 || self.0 >> 6 == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_carry_the_numbers_of_the_original() {
        assert_eq!(Look::WALL.channels(), [2, 5, 0]);
        assert_eq!(Look::EMPTY.channels(), [1, 0, 0]);
        assert_eq!(Look::door(Colour::Yellow, Latch::Locked).channels(), [4, 4, 2]);
        let box_ = Look::thing(Kind::Box, Colour::Blue);
        assert_eq!((box_.kind(), box_.colour(), box_.latch()), (Some(Kind::Box), Colour::Blue, None));
    }

    #[test]
    fn only_open_doors_and_empty_cells_are_free() {
        let door = |latch| Look::door(Colour::Red, latch);
        assert!(door(Latch::Open).is_free() && door(Latch::Open).is_clear() && Look::EMPTY.is_free());
        assert!(!door(Latch::Closed).is_free() && !door(Latch::Locked).is_clear());
        assert!(!Look::WALL.is_free() && !Look::WALL.is_loose() && !Look::thing(Kind::Key, Colour::Red).is_free());
    }
}
