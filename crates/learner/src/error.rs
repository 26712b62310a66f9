//! What can be wrong with a learner's settings or with what it is shown. Every message names the value and the remedy.

/// An input that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A number outside its range.
    #[error("{what} is {value}, which is outside {range}; {remedy}")]
    Range {
        /// What was handed in.
        what: &'static str,
        /// The number.
        value: f64,
        /// The allowed range, in words.
        range: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A count that is 0.
    #[error("{what} is 0; pass at least 1")]
    Zero {
        /// What was handed in.
        what: &'static str,
    },
    /// An index past the end.
    #[error("{what} is {index}, but the task declares only {count}; pass an index below {count}")]
    NoSuch {
        /// What the index was meant for.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
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

/// Refuses a number; `ok` says whether it is inside its range.
pub(crate) fn in_range(
    ok: bool,
    what: &'static str,
    value: f64,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Error> {
    if ok { Ok(()) } else { Err(Error::Range { what, value, range, remedy }) }
}

/// Refuses a count of 0.
pub(crate) fn positive(what: &'static str, value: usize) -> Result<(), Error> {
    if value > 0 { Ok(()) } else { Err(Error::Zero { what }) }
}

/// Refuses an index past the end.
pub(crate) fn below(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count { Ok(()) } else { Err(Error::NoSuch { what, index, count }) }
}
