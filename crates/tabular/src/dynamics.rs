//! What exact planning must know of a world: finite, time-homogeneous, with a horizon.
//!
//! Invariant: `expect` is linear and monotone in its values, and of a constant gives that constant.

use counsel_decision::Action;

/// A finite-horizon decision process with states and actions numbered from 0.
pub trait Dynamics {
    /// S, the number of states.
    fn states(&self) -> usize;

    /// A, the number of actions.
    fn actions(&self) -> usize;

    /// H, the number of steps of an episode that is not ended by a final state.
    fn horizon(&self) -> usize;

    /// Whether entering this state ends the episode. No value follows a final state.
    fn is_final(&self, state: usize) -> bool;

    /// The mean reward of an action.
    fn reward(&self, state: usize, action: Action) -> f64;

    /// The mean of `values` (one per state) at the next state.
    fn expect(&self, state: usize, action: Action, values: &[f64]) -> f64;
}
