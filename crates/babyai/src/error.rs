//! What can be wrong with a request for a world. Every message names the offending value and the remedy.

/// A request that the crate refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An id that is not registered.
    #[error("there is no level `{id}`; the nearest are {nearest}")]
    UnknownLevel {
        /// What was asked for.
        id: String,
        /// The registered ids that look most like it.
        nearest: String,
    },
    /// An episode without steps.
    #[error("max_steps is 0, but an episode has at least one step; give 1 or more, or leave the level's own limit")]
    NoSteps,
    /// A number that is not an action.
    #[error("there is no action {number}; the actions are 0 (left) to 6 (done)")]
    UnknownAct {
        /// What was asked for.
        number: usize,
    },
}
