//! What can be wrong with the description of a world. Every message names the offending value and the remedy.

/// A description that the crate refuses, or a promise that a world breaks.
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
    /// An environment that does not do what the `Environment` trait promises.
    #[error("the environment breaks a promise in episode {episode}, step {step}: {promise}; saw {saw}")]
    Nonconforming {
        /// The episode, from 0.
        episode: usize,
        /// The step in it, from 0.
        step: usize,
        /// What every environment must do.
        promise: &'static str,
        /// What this one did.
        saw: String,
    },
}
