//! One room of the maze: where it is, and what its four sides are.
//!
//! Sides are numbered right, down, left, up, as the agent's directions are.

use crate::grid::{ObjectId, Point};

/// What joins a room to its neighbour on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Passage {
    /// A wall.
    #[default]
    None,
    /// The wall was taken away.
    Gap,
    /// A door.
    Door(ObjectId),
}

/// One room.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Room {
    /// The upper left corner; it is a wall.
    pub(crate) top: Point,
    /// What joins it to its neighbours.
    pub(crate) passages: [Passage; 4],
    /// Where a door would be, on the sides that have a neighbour.
    pub(crate) doorways: [Option<Point>; 4],
    /// Whether the last door added to it was locked.
    pub(crate) locked: bool,
}

impl Room {
    /// Whether a point is in the room, walls included.
    pub(crate) fn contains(&self, size: u8, (x, y): Point) -> bool {
        let (left, top) = self.top;
        (left..left + size).contains(&x) && (top..top + size).contains(&y)
    }
}
