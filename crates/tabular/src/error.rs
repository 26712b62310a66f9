//! What can be wrong with the description of a world or of a learner. Every message names the offending value and the remedy.

/// A description that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// A whole number outside its range.
    #[error("{what} is {value}, but must be {range}; {remedy}")]
    Count {
        /// What was handed in.
        what: &'static str,
        /// The number.
        value: usize,
        /// The allowed range, in words.
        range: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// Transition probabilities that do not add up.
    #[error("the next states of state {state} under action {action} have total probability {sum}; normalise to 1")]
    NotADistribution {
        /// The state.
        state: usize,
        /// The action.
        action: usize,
        /// The sum.
        sum: f64,
    },
    /// A count that is 0.
    #[error("{what} is 0; pass at least 1")]
    Zero {
        /// What was handed in.
        what: &'static str,
    },
    /// An end that contradicts the declared final states.
    #[error(
        "entering state {next} gave terminated = {terminated}, but the outline declares the opposite; correct its final \
         states, and report a horizon as truncation"
    )]
    End {
        /// The state that was entered.
        next: usize,
        /// Whether the episode terminated there.
        terminated: bool,
    },
    /// A reward that was not declared.
    #[error(
        "the reward is {reward}, but the outline declares rewards from 0 to {reward_max}; declare a larger reward_max"
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
