//! What can be wrong with a request for a world. Every message names the offending value and the remedy.

use counsel_decision::refusal::UnknownName;

/// A request that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An id that is not a level.
    #[error("there is no level {0}; `counsel world list` shows all")]
    UnknownLevel(UnknownName),
    /// An episode without steps.
    #[error("max_steps is 0, but an episode has at least one step; give 1 or more, or leave the world's own limit")]
    NoSteps,
    /// A horizon that no study can have.
    #[error("the horizon is {horizon}, but must be 1 to 10000; give the steps of an episode")]
    Horizon {
        /// The horizon.
        horizon: u32,
    },
    /// A number that is not an action.
    #[error("there is no action {number}; the actions are 0 (noop) to 16 (make_iron_sword)")]
    UnknownAct {
        /// What was asked for.
        number: usize,
    },
}
