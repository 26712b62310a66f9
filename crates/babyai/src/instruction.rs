//! What the agent is told to do: descriptions of objects, clauses about them, and clauses in sequence.
//!
//! Invariant: [`Instruction`] prints as the original's mission, word for word.

use std::fmt::{self, Display, Formatter};

use counsel_world::named;

use crate::{Colour, Kind};

named! {
    /// Where an object lies, as seen by the agent when the episode starts. They are drawn in this order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Location {
        /// To the left.
        Left = 0 => "on your left",
        /// To the right.
        Right = 1 => "on your right",
        /// Ahead.
        Front = 2 => "in front of you",
        /// Behind.
        Behind = 3 => "behind you",
    }
}

/// A description, and the objects that it fitted when the episode started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Description {
    /// The kind, or any.
    pub kind: Option<Kind>,
    /// The colour, or any.
    pub colour: Option<Colour>,
    /// The location, or any.
    pub location: Option<Location>,
    /// Whether it fitted more than one thing.
    pub several: bool,
    /// The objects it fitted, one bit each. Walls, which a description without a kind fits too, have none.
    pub(crate) objects: u64,
}

impl Description {
    /// A description that has not been held against a grid.
    pub(crate) fn new(kind: Option<Kind>, colour: Option<Colour>, location: Option<Location>) -> Self {
        Self { kind, colour, location, several: false, objects: 0 }
    }

    /// Whether it fitted this object.
    pub(crate) fn fits(&self, object: u8) -> bool {
        self.objects >> object & 1 == 1
    }
}

impl Display for Description {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.several { "a " } else { "the " })?;
        if let Some(colour) = self.colour {
            write!(f, "{} ", colour.name())?;
        }
        f.write_str(self.kind.map_or("object", Kind::name))?;
        self.location.map_or(Ok(()), |location| write!(f, " {}", location.name()))
    }
}

/// What a wrong deed does to an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// Nothing.
    Lenient,
    /// It ends the episode without a reward.
    Strict,
}

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Clause {
    /// Stand in front of an object.
    GoTo(Description),
    /// Open a door; strictly, and no other.
    Open(Description, Strictness),
    /// Pick up an object; strictly, and no other.
    Pickup(Description, Strictness),
    /// Put the first object next to the second.
    PutNext(Description, Description),
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::GoTo(object) => write!(f, "go to {object}"),
            Self::Open(door, _) => write!(f, "open {door}"),
            Self::Pickup(object, _) => write!(f, "pick up {object}"),
            Self::PutNext(moved, fixed) => write!(f, "put {moved} next to {fixed}"),
        }
    }
}

/// One thing to do, or two in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// One thing.
    One(Clause),
    /// Two things in any order.
    Both(Clause, Clause),
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(clause) => clause.fmt(f),
            Self::Both(first, second) => write!(f, "{first} and {second}"),
        }
    }
}

/// The whole instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// One part.
    Simple(Part),
    /// The first part, then the second.
    Before(Part, Part),
    /// The first part, after the second.
    After(Part, Part),
}

impl From<Clause> for Instruction {
    fn from(clause: Clause) -> Self {
        Self::Simple(Part::One(clause))
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simple(part) => part.fmt(f),
            Self::Before(first, second) => write!(f, "{first}, then {second}"),
            Self::After(second, first) => write!(f, "{second} after you {first}"),
        }
    }
}

impl Instruction {
    /// Its clauses in the order in which they are written.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        let parts = match self {
            Self::Simple(part) => [Some(part), None],
            Self::Before(first, second) | Self::After(first, second) => [Some(first), Some(second)],
        };
        parts.into_iter().flatten().flat_map(|part| {
            let clauses = match part {
                Part::One(clause) => [Some(clause), None],
                Part::Both(first, second) => [Some(first), Some(second)],
            };
            clauses.into_iter().flatten()
        })
    }

    /// How many times the agent may have to cross the maze: twice for putting something next to something.
    pub(crate) fn crossings(&self) -> u32 {
        self.clauses().map(|clause| if matches!(clause, Clause::PutNext(..)) { 2 } else { 1 }).sum()
    }
}
