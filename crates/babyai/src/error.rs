//! What can be wrong with a request for a world. Every message names the offending value and the remedy.

use counsel_decision::refusal::UnknownName;

/// A request that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An id that is not registered.
    #[error("there is no level {0}; `counsel world list` shows all")]
    UnknownLevel(UnknownName),
    /// An episode without steps.
    #[error("max_steps is 0, but an episode has at least one step; give 1 or more, or leave the level's own limit")]
    NoSteps,
    /// A number that is not an action.
    #[error("there is no action {number}; the actions are 0 (left) to 6 (done)")]
    UnknownAct {
        /// What was asked for.
        number: usize,
    },
    /// An instruction for which there is no search of optimal actions.
    #[error(
        "optimal actions are found for one single `go to`, `open` or `pick up`, and the mission is `{mission}`; \
         choose a level of one such clause"
    )]
    UnsupportedMission {
        /// What the agent is told to do.
        mission: String,
    },
    /// A search or an enumeration that met more states than it may.
    #[error(
        "the mission `{mission}` has more than {cap} states to look at ({reached} reached); raise the cap, or choose a \
         level with fewer things to carry about (a lower max_steps also leaves fewer states to enumerate)"
    )]
    TooManyStates {
        /// What the agent is told to do.
        mission: String,
        /// How many states were allowed.
        cap: usize,
        /// How many were reached.
        reached: usize,
    },
    /// An episode whose clock has run out.
    #[error(
        "step {steps} of {max_steps}: the clock has run out, so nothing can be earned; start from an earlier state"
    )]
    ClockRunOut {
        /// How many steps have been made.
        steps: u32,
        /// How many there are.
        max_steps: u32,
    },
    /// Numbers that are no policy.
    #[error("a policy gave {probabilities}; give seven probabilities from 0 to 1 that sum to 1")]
    ImproperPolicy {
        /// What the policy gave.
        probabilities: String,
    },
    /// A number that is no discount.
    #[error("the discount is {discount}; give a number from 0 to 1")]
    ImproperDiscount {
        /// What was given.
        discount: String,
    },
    /// A mission that no template can tell.
    #[error(
        "the mission `{mission}` cannot be told: {reason}; choose a level whose mission is to go to, open or pick up one \
         object"
    )]
    Mission {
        /// The mission.
        mission: String,
        /// What stands in the way.
        reason: &'static str,
    },
    /// A place outside of the view.
    #[error(
        "no view has a place {ahead} ahead and {aside} aside; give 0 to 6 ahead and -3 to 3 aside, but not 0 and 0"
    )]
    Place {
        /// The steps ahead.
        ahead: u8,
        /// The steps to the right.
        aside: i8,
    },
    /// What is refused in the words that all worlds share: a task, a template or a decoding that is not there.
    #[error(transparent)]
    Words(#[from] counsel_advisor::Error),
}

impl From<Error> for counsel_advisor::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Words(error) => error,
            other => Self::World { reason: other.to_string() },
        }
    }
}
