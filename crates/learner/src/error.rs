//! What can be wrong with a learner's settings or with what it is shown. Every message names the value and the remedy.

/// An input that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// A count that is 0.
    #[error("{what} is 0; pass at least 1")]
    Zero {
        /// What was handed in.
        what: &'static str,
    },
    /// An end that contradicts the declared final states.
    #[error(
        "entering state {next} gave terminated = {terminated}, but the task declares the opposite; correct the task's \
         final states, and report a horizon as truncation"
    )]
    End {
        /// The state that was entered.
        next: usize,
        /// Whether the episode terminated there.
        terminated: bool,
    },
    /// A reward the task did not declare.
    #[error(
        "the reward is {reward}, but the task declares rewards from 0 to {reward_max}; declare a larger reward_max"
    )]
    Reward {
        /// The reward.
        reward: f64,
        /// The largest declared reward.
        reward_max: f64,
    },
}

/// Refuses a count of 0.
pub(crate) fn positive(what: &'static str, value: usize) -> Result<(), Error> {
    if value > 0 { Ok(()) } else { Err(Error::Zero { what }) }
}
