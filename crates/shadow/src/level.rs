//! How much a log can tell, by its columns.

use std::fmt::{self, Display, Formatter};

/// A level; each has all that the ones before it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// What was done: calls that changed nothing can be counted.
    Done = 0,
    /// The agent's own values: the gate itself can be followed.
    Values = 1,
    /// Bounds on the optimal values: certificates can be checked.
    Bounds = 2,
}

impl Display for LogLevel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (number, words) = match self {
            Self::Done => {
                (0, "what was done: calls that changed no action can be counted, and never asking can be followed")
            }
            Self::Values => (1, "with values: the gate itself can be followed, without a certificate"),
            Self::Bounds => (2, "with values and bounds: the gate and its certificate can be followed"),
        };
        write!(f, "level {number}, {words}")
    }
}
