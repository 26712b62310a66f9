//! What a cell looks like, and how it is drawn.
//!
//! | Look | Number | Shade | Character |
//! |---|---|---|---|
//! | free | 0 | 128 | `.` |
//! | wall | 1 | 64 | `#` |
//! | goal | 2 | 255 | `G` |
//! | outside | 3 | 0 | `~` |
//! | (the agent) | | 192 | `A` |
//! | (the start, in drawings) | | | `S` |

/// What a cell looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Look {
    /// Ground to stand on.
    Free = 0,
    /// A wall.
    Wall = 1,
    /// The goal.
    Goal = 2,
    /// Beyond the edge of the grid.
    Outside = 3,
}

impl Look {
    /// How many looks there are.
    pub const COUNT: usize = 4;

    /// Whether a move into such a cell stays where it is.
    pub fn is_blocked(self) -> bool {
        matches!(self, Self::Wall | Self::Outside)
    }

    /// Its grey in pictures, from 0 (black) to 255 (white).
    pub fn shade(self) -> u8 {
        match self {
            Self::Free => 128,
            Self::Wall => 64,
            Self::Goal => 255,
            Self::Outside => 0,
        }
    }

    /// Its character in the terminal.
    pub fn character(self) -> char {
        match self {
            Self::Free => '.',
            Self::Wall => '#',
            Self::Goal => 'G',
            Self::Outside => '~',
        }
    }
}

/// The grey of the agent.
pub(crate) const AGENT_SHADE: u8 = 192;
/// The character of the agent.
pub(crate) const AGENT: char = 'A';
/// The character of the start in drawings.
pub(crate) const START: char = 'S';
