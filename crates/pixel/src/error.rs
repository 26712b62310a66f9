//! What can be wrong with a request for a grid. Every message names the offending value and the remedy.

use counsel_decision::refusal::{Refusal, UnknownName};

use crate::Level;

/// A request that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A whole number outside its range.
    #[error("{what} is {value}, but must be {least} to {most}; {remedy}")]
    Count {
        /// What was handed in.
        what: &'static str,
        /// The number.
        value: usize,
        /// The smallest allowed one.
        least: usize,
        /// The largest allowed one.
        most: usize,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A window without a middle.
    #[error("the window is {window} cells wide, but the agent stands in its middle; give an odd number")]
    EvenWindow {
        /// The width.
        window: usize,
    },
    /// A horizon within which the goal cannot be reached.
    #[error(
        "the horizon is {horizon}, but from corner to corner it takes {least} steps or more; raise the horizon or make \
         the grid smaller"
    )]
    ShortHorizon {
        /// The horizon.
        horizon: u32,
        /// The fewest steps from corner to corner.
        least: usize,
    },
    /// A goal that is to move in grids that are drawn with it.
    #[error(
        "goal_moves_after is {episodes}, but the goal is drawn with each grid; set ends = \"corners\" and redraw = \"never\", \
         or leave it out"
    )]
    NoSecondPlace {
        /// After how many episodes it was to move.
        episodes: u64,
    },
    /// A number that is not a move.
    #[error("there is no move {number}; the moves are 0 (north), 1 (east), 2 (south) and 3 (west)")]
    UnknownMove {
        /// What was asked for.
        number: usize,
    },
    /// A place where nothing can stand.
    #[error("{what} cannot be at ({x}, {y}): {why}; choose a free cell that can be reached from the start")]
    NoPlace {
        /// What was to be put there.
        what: &'static str,
        /// The column, from the west.
        x: usize,
        /// The row, from the north.
        y: usize,
        /// What is wrong with the place.
        why: &'static str,
    },
    /// A drawing that is no grid.
    #[error("the drawing is no grid of {size} x {size} cells: {why}; write # wall, . free, S start and G goal")]
    Unreadable {
        /// The declared size.
        size: usize,
        /// What is wrong with it.
        why: String,
    },
    /// No level has this id or task name.
    #[error("there is no level {0}; `counsel world list` shows all")]
    UnknownLevel(UnknownName),
    /// Numbers that are no policy.
    #[error("a policy gave {probabilities}; give four probabilities from 0 to 1 that sum to 1")]
    ImproperPolicy {
        /// What the policy gave.
        probabilities: String,
    },
}

// In words, levels are called tasks.
impl From<Error> for counsel_advisor::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownLevel(unknown) => {
                let known = Level::ALL.map(|level| level.name().to_owned()).to_vec();
                Self::UnknownTask(UnknownName { known, ..unknown })
            }
            other => Self::World { reason: other.to_string() },
        }
    }
}
