//! What an advisor with a local rule says: towards the goal while it is in sight, and a sweep while it is not; and what one
//! says who always knows where the goal lies.
//!
//! Towards the goal: along the farther axis (east-west if both are alike), or along the other one if only that is open and
//! leads nearer. If no way that leads nearer is open, the rule names the first all the same and runs into the obstacle. Out
//! of sight: the first way of the [`SWEEP`] that is open.
//!
//! The rule follows the observation alone and remembers nothing. So it is right in the open, goes to and fro in a dead
//! end, and is wrong wherever the way to the goal leads away from it. An advisor of reliability 1 always says what the
//! rule says, which is not always what is best. The [`compass`] sees the same obstacles, but points to a goal out of sight
//! too. What it says in a window is over when the goal moves, and nothing in the window tells.

use crate::{Move, Observation, Offset, State};

/// The ways that are tried in turn while the goal is out of sight: they lead from the first corner to the last.
pub const SWEEP: [Move; 4] = [Move::East, Move::South, Move::West, Move::North];

/// What the local rule says to an observation.
pub fn rule(seen: &Observation) -> Move {
    seen.goal().map_or_else(|| first_open(seen, &SWEEP), |goal| towards(goal, seen))
}

/// What a compass says that points to the goal wherever it lies.
pub fn compass(state: &State) -> Move {
    let ((x, y), (goal_x, goal_y)) = (state.place(), state.grid().goal());
    // A grid has at most 64 columns, so these are small numbers.
    let from = |there: usize, here: usize| there.cast_signed() - here.cast_signed();
    towards(Offset { east: from(goal_x, x), south: from(goal_y, y) }, &state.observation())
}

fn towards(goal: Offset, seen: &Observation) -> Move {
    let across = if goal.east < 0 { Move::West } else { Move::East };
    let along = if goal.south < 0 { Move::North } else { Move::South };
    let (east, south) = (goal.east.unsigned_abs(), goal.south.unsigned_abs());
    match (east, south) {
        (_, 0) => across,
        (0, _) => along,
        _ if east >= south => first_open(seen, &[across, along]),
        _ => first_open(seen, &[along, across]),
    }
}

/// The first way that is open, and else the first of all.
fn first_open(seen: &Observation, ways: &[Move]) -> Move {
    ways.iter().copied().find(|&way| !seen.is_blocked(way)).unwrap_or(ways[0])
}
