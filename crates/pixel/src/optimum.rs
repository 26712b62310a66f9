//! The best that can be done: the fewest steps to the goal, and the moves that begin a shortest way.
//!
//! The clock plays no part here. While enough steps are left and steps cost something, these are the moves of the
//! greatest optimal value ([`Values::optimal`](crate::Values::optimal)).

use crate::{Move, Moves, State};

/// The best that can be done in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Optimum {
    /// How many steps the goal needs at least.
    pub distance: u32,
    /// Every move after which it needs one step less.
    pub moves: Moves,
}

impl State {
    /// The best that can be done, whatever the clock says; nothing at the goal.
    pub fn optimum(&self) -> Option<Optimum> {
        let distance = self.grid().steps_to_goal(self.cell());
        let nearer = distance.checked_sub(1)?;
        let next = self.grid().next(self.cell());
        let is_best = |way: &Move| self.grid().steps_to_goal(next[*way as usize]) == nearer;
        Some(Optimum { distance: u32::from(distance), moves: Move::ALL.into_iter().filter(is_best).collect() })
    }
}
