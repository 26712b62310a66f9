//! What the agent sees, read off the numbers of its observation.
//!
//! Invariant: any numbers can be read; those that stand for nothing count as hidden. Nothing is known but the image, so
//! what walls and doors hide stays hidden.

use std::fmt::{self, Display, Formatter};

use super::{Object, Place};
use crate::{Colour, Image, Kind, Latch, VIEW};

/// A thing that the agent sees or carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thing {
    /// Its kind.
    pub kind: Kind,
    /// Its colour.
    pub colour: Colour,
    /// How it stands, if it is a door.
    pub latch: Option<Latch>,
}

impl Display for Thing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Wall {
            return f.write_str("wall");
        }
        if let Some(latch) = self.latch {
            write!(f, "{} ", latch.name())?;
        }
        write!(f, "{} {}", self.colour.name(), self.kind.name())
    }
}

/// A cell of the view, as the agent sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Square {
    /// The agent does not see it.
    #[default]
    Hidden,
    /// There is nothing in it.
    Empty,
    /// Something is in it.
    Holds(Thing),
}

impl Square {
    /// The square with these numbers.
    fn read([kind, colour, state]: [u8; 3]) -> Self {
        if kind == 1 {
            return Self::Empty;
        }
        let thing = || {
            let kind = Kind::numbered(kind)?;
            let colour = *Colour::ALL.get(usize::from(colour))?;
            let latch = if kind == Kind::Door { Some(*Latch::ALL.get(usize::from(state))?) } else { None };
            Some(Thing { kind, colour, latch })
        };
        thing().map_or(Self::Hidden, Self::Holds)
    }

    fn thing(self) -> Option<Thing> {
        match self {
            Self::Holds(thing) => Some(thing),
            Self::Hidden | Self::Empty => None,
        }
    }
}

/// The agent's view and its hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct View {
    squares: [[Square; VIEW]; VIEW],
}

impl View {
    /// What this image shows.
    pub fn of(image: &Image) -> Self {
        Self { squares: image.map(|column| column.map(Square::read)) }
    }

    /// What lies at a place.
    pub fn at(&self, place: Place) -> Square {
        let column = usize::from(place.aside().wrapping_add(Place::FARTHEST_ASIDE).unsigned_abs());
        self.squares[column][usize::from(Place::FARTHEST_AHEAD - place.ahead())]
    }

    /// What the agent carries.
    pub fn carried(&self) -> Option<Thing> {
        self.squares[VIEW / 2][VIEW - 1].thing()
    }

    /// Everything in view but walls that are not right ahead, nearest first.
    pub fn things(&self) -> impl Iterator<Item = (Place, Thing)> {
        let things = Place::all().filter_map(|place| self.at(place).thing().map(|thing| (place, thing)));
        things.filter(|(place, thing)| thing.kind != Kind::Wall || (place.ahead(), place.aside()) == (1, 0))
    }

    /// Where the nearest thing of this description lies, in the order of [`Place::all`].
    pub fn nearest(&self, object: Object) -> Option<Place> {
        self.things().find(|(_, thing)| object.fits(*thing)).map(|(place, _)| place)
    }

    /// The view row by row, two characters per cell, with the agent at the bottom looking up.
    pub fn drawing(&self) -> String {
        let rows = (0..=Place::FARTHEST_AHEAD).rev().map(|ahead| {
            let row = -Place::FARTHEST_ASIDE..=Place::FARTHEST_ASIDE;
            row.map(|aside| Place::new(ahead, aside).map_or_else(|| "^^".to_owned(), |place| letters(self.at(place))))
                .collect::<String>()
        });
        rows.collect::<Vec<_>>().join("\n")
    }
}

fn letters(square: Square) -> String {
    let thing = match square {
        Square::Hidden => return "??".to_owned(),
        Square::Empty => return "..".to_owned(),
        Square::Holds(thing) => thing,
    };
    let letter = match (thing.kind, thing.latch) {
        (Kind::Wall, _) => 'W',
        (Kind::Key, _) => 'K',
        (Kind::Ball, _) => 'A',
        (Kind::Box, _) => 'B',
        (Kind::Door, Some(Latch::Open)) => '/',
        (Kind::Door, Some(Latch::Locked)) => 'L',
        (Kind::Door, _) => 'D',
    };
    // Green has the G.
    let colour = if thing.colour == Colour::Grey { 'E' } else { thing.colour.initial() };
    [letter, colour].iter().collect()
}
