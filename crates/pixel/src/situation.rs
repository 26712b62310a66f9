//! What the agent sees, in words, for an advisor that reads.
//!
//! Invariant: a situation follows from the observation alone, and its sentences are facts, with no hint of what to do.

use std::fmt::{self, Display, Formatter};

use crate::{Look, Move, Observation, Offset};

/// What ends a straight look in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// A wall.
    Wall,
    /// The edge of the grid.
    Edge,
    /// The goal.
    Goal,
    /// The edge of the window: what comes next is not seen.
    Sight,
}

/// What lies ahead in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ahead {
    /// How many free cells come first.
    pub free_cells: usize,
    /// What comes after them.
    pub stop: Stop,
}

/// What the agent sees, as facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Situation {
    /// Where the goal lies, if it is in sight.
    pub goal: Option<Offset>,
    /// What lies ahead, by move.
    pub ahead: [Ahead; 4],
}

impl Observation {
    /// What the agent sees, as facts.
    pub fn situation(&self) -> Situation {
        Situation { goal: self.goal(), ahead: Move::ALL.map(|way| self.ahead(way)) }
    }

    fn ahead(&self, way: Move) -> Ahead {
        let (east, south) = way.offset();
        let mut free_cells = 0;
        for distance in 1.. {
            let stop = match self.look(Offset { east: east * distance, south: south * distance }) {
                Some(Look::Free) => {
                    free_cells += 1;
                    continue;
                }
                Some(Look::Wall) => Stop::Wall,
                Some(Look::Outside) => Stop::Edge,
                Some(Look::Goal) => Stop::Goal,
                None => Stop::Sight,
            };
            return Ahead { free_cells, stop };
        }
        Ahead { free_cells, stop: Stop::Sight }
    }
}

impl Situation {
    /// The facts, one sentence each: where the goal is, and what lies ahead in each direction.
    pub fn facts(&self) -> Vec<String> {
        let goal = match self.goal {
            None => "You do not see the goal.".to_owned(),
            Some(Offset { east: 0, south: 0 }) => "You stand on the goal.".to_owned(),
            Some(goal) => format!("The goal is {goal} of you."),
        };
        let ahead = Move::ALL.into_iter().zip(self.ahead).map(|(way, ahead)| format!("To the {way}: {ahead}."));
        std::iter::once(goal).chain(ahead).collect()
    }
}

impl Display for Situation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts().join(" "))
    }
}

impl Display for Ahead {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let stop = match self.stop {
            Stop::Wall => "a wall",
            Stop::Edge => "the edge of the grid",
            Stop::Goal => "the goal",
            Stop::Sight => return write!(f, "{}, as far as you see", cells(self.free_cells, "free ")),
        };
        match self.free_cells {
            0 => f.write_str(stop),
            free => write!(f, "{}, then {stop}", cells(free, "free ")),
        }
    }
}

impl Display for Offset {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let across = (self.east.unsigned_abs(), if self.east < 0 { Move::West } else { Move::East });
        let along = (self.south.unsigned_abs(), if self.south < 0 { Move::North } else { Move::South });
        let parts: Vec<String> = [across, along]
            .into_iter()
            .filter(|&(count, _)| count > 0)
            .map(|(count, way)| format!("{} {way}", cells(count, "")))
            .collect();
        f.write_str(&if parts.is_empty() { "0 cells away".to_owned() } else { parts.join(" and ") })
    }
}

fn cells(count: usize, kind: &str) -> String {
    format!("{count} {kind}cell{}", if count == 1 { "" } else { "s" })
}
