//! What can be wrong with the description of a world. Every message names the offending value and the remedy.

/// A description that the crate refuses, or a promise that a world breaks.
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
    /// A table of the wrong size.
    #[error("{what} has {got} entries where {expected} are needed; pass one entry per {per}")]
    Shape {
        /// What was handed in.
        what: &'static str,
        /// How many entries it has.
        got: usize,
        /// How many are needed.
        expected: usize,
        /// What each entry stands for.
        per: &'static str,
    },
    /// An index past the end.
    #[error("{what} is {index}, but there are only {count}; pass an index below {count}")]
    NoSuch {
        /// What the index was meant for.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
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

/// Refuses a number that is not in `[low, high]`.
pub(crate) fn within(
    what: &'static str,
    value: f64,
    low: f64,
    high: f64,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Error> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(Error::Range { what, value, range, remedy }) }
}

/// Refuses a count below `least`.
pub(crate) fn at_least(
    what: &'static str,
    value: usize,
    least: usize,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Error> {
    if value >= least { Ok(()) } else { Err(Error::Count { what, value, range, remedy }) }
}

/// Refuses a table of the wrong size.
pub(crate) fn shape(what: &'static str, got: usize, expected: usize, per: &'static str) -> Result<(), Error> {
    if got == expected { Ok(()) } else { Err(Error::Shape { what, got, expected, per }) }
}

/// Refuses an index past the end.
pub(crate) fn below(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count { Ok(()) } else { Err(Error::NoSuch { what, index, count }) }
}
