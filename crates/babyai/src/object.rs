//! What can lie in a cell, and how it looks: kind, colour and state packed into one byte.
//!
//! Invariant: the numbers behind [`Kind`], [`Colour`] and [`Latch`] are those of the original's observations.

use counsel_world::named;
use serde::{Deserialize, Serialize};

named! {
    /// The kinds of things.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Kind {
        /// A wall, always grey.
        Wall = 2 => "wall",
        /// A door between two rooms.
        Door = 4 => "door",
        /// A key, which opens locked doors of its colour.
        Key = 5 => "key",
        /// A ball.
        Ball = 6 => "ball",
        /// A box, which may hold something.
        Box = 7 => "box",
    }
}

impl Kind {
    /// The kinds that are strewn about, in the order in which they are drawn.
    pub(crate) const LOOSE: [Self; 3] = [Self::Key, Self::Ball, Self::Box];

    /// The kind with this number in observations.
    pub(crate) fn numbered(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&kind| kind as u8 == number)
    }
}

named! {
    /// The colours.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Colour {
        /// Red.
        Red = 0 => "red",
        /// Green.
        Green = 1 => "green",
        /// Blue.
        Blue = 2 => "blue",
        /// Purple.
        Purple = 3 => "purple",
        /// Yellow.
        Yellow = 4 => "yellow",
        /// Grey.
        Grey = 5 => "grey",
    }
}

impl Colour {
    /// All colours in the order in which they are drawn: by name.
    pub const BY_NAME: [Self; 6] = [Self::Blue, Self::Green, Self::Grey, Self::Purple, Self::Red, Self::Yellow];

    /// The first letter of its word, as a capital.
    pub(crate) fn initial(self) -> char {
        char::from(self.name().as_bytes()[0].to_ascii_uppercase())
    }
}

named! {
    /// How a door stands.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Latch {
        /// One can walk and see through it.
        Open = 0 => "open",
        /// A toggle opens it.
        Closed = 1 => "closed",
        /// A toggle opens it for who carries a key of its colour.
        Locked = 2 => "locked",
    }
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
        Kind::numbered(self.0 & 7)
    }

    /// Its colour; that of an empty cell means nothing.
    pub fn colour(self) -> Colour {
        Colour::ALL[usize::from(self.0 >> 3 & 7).min(Colour::ALL.len() - 1)]
    }

    /// How it stands, if it is a door.
    pub fn latch(self) -> Option<Latch> {
        let number = usize::from(self.0 >> 6).min(Latch::ALL.len() - 1);
        (self.kind() == Some(Kind::Door)).then_some(Latch::ALL[number])
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
