//! What can be wrong with what a caller hands in. Every message names the offending value and the remedy.

/// An input that the advisor crate refuses.
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
    /// A count that is too small.
    #[error("{what} is {got}, but at least {least} is needed; {remedy}")]
    TooFew {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many are needed.
        least: usize,
        /// What to do about it.
        remedy: &'static str,
    },
    /// One context with two reliabilities.
    #[error("context {key} is given two reliabilities; keep one of them")]
    RepeatedContext {
        /// The context.
        key: u64,
    },
}

/// Refuses anything but a probability.
pub(crate) fn probability(what: &'static str, value: f64) -> Result<(), Error> {
    in_range((0.0..=1.0).contains(&value), what, value, "[0, 1]", "pass a probability")
}

/// Refuses a number outside `range`; `ok` says whether it is inside.
pub(crate) fn in_range(
    ok: bool,
    what: &'static str,
    value: f64,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Error> {
    if ok { Ok(()) } else { Err(Error::Range { what, value, range, remedy }) }
}

/// Refuses a count below `least`.
pub(crate) fn at_least(what: &'static str, got: usize, least: usize, remedy: &'static str) -> Result<(), Error> {
    if got >= least { Ok(()) } else { Err(Error::TooFew { what, got, least, remedy }) }
}
