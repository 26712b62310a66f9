//! Places in the area, and the four directions.
//!
//! Columns are counted from the left and rows from the top. A place's number counts column by column, as the arrays of the
//! original do.

use counsel_world::named;

/// How many cells the area has on a side.
pub const SIDE: usize = 64;
/// How many cells it has.
pub const CELLS: usize = SIDE * SIDE;

/// A cell of the area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The column, below [`SIDE`].
    pub x: u8,
    /// The row, below [`SIDE`].
    pub y: u8,
}

named! {
    /// A way to step or to look.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Direction {
        /// To the previous column.
        Left = 0 => "left",
        /// To the next column.
        Right = 1 => "right",
        /// To the previous row.
        Up = 2 => "up",
        /// To the next row.
        Down = 3 => "down",
    }
}

impl Direction {
    /// How far one step leads: columns to the right, rows down.
    pub fn offset(self) -> (i8, i8) {
        match self {
            Self::Left => (-1, 0),
            Self::Right => (1, 0),
            Self::Up => (0, -1),
            Self::Down => (0, 1),
        }
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

impl Place {
    /// The place so many columns and rows away, if it is in the area.
    pub fn offset(self, columns: i8, rows: i8) -> Option<Self> {
        let moved = |at: u8, by: i8| at.checked_add_signed(by).filter(|&at| usize::from(at) < SIDE);
        Some(Self { x: moved(self.x, columns)?, y: moved(self.y, rows)? })
    }

    /// The neighbour in a direction, if it is in the area.
    pub fn next(self, direction: Direction) -> Option<Self> {
        let (columns, rows) = direction.offset();
        self.offset(columns, rows)
    }

    /// The number of steps between two places, were nothing in the way.
    pub fn distance(self, other: Self) -> u8 {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y)
    }

    /// Its number, below [`CELLS`].
    pub fn index(self) -> usize {
        usize::from(self.x) * SIDE + usize::from(self.y)
    }

    /// The direction of another place along the axis that lies farther apart, or along the other one. Nothing where the places
    /// do not differ along that axis.
    pub(crate) fn toward(self, other: Self, axis: Axis) -> Option<Direction> {
        let (across, along) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        let is_across = match axis {
            Axis::Long => across > along,
            Axis::Short => across <= along,
        };
        let (from, to, back, forth) = if is_across {
            (self.x, other.x, Direction::Left, Direction::Right)
        } else {
            (self.y, other.y, Direction::Up, Direction::Down)
        };
        match to.cmp(&from) {
            std::cmp::Ordering::Less => Some(back),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(forth),
        }
    }
}

/// Along which axis somebody walks towards another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// The one along which they are farther apart.
    Long,
    /// The other one.
    Short,
}

impl Axis {
    /// The long one with this drawn answer, and the short one otherwise.
    pub(crate) fn drawn(is_long: bool) -> Self {
        if is_long { Self::Long } else { Self::Short }
    }
}
