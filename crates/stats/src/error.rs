//! What can be wrong with an array, said with the offending value and the way out.

use thiserror::Error as ThisError;

/// Every way a computation of this crate can refuse its input.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to compute from.
    #[error("{what} needs at least one value: got an empty array; check that the filter before it kept some rows")]
    Empty {
        /// The computation that was asked for.
        what: &'static str,
    },
    /// A `NaN` or an infinity where a number is needed.
    #[error("{what} needs finite numbers: value {index} is {value}; repair or drop that row first")]
    NotFinite {
        /// The computation that was asked for.
        what: &'static str,
        /// Position of the offending value, counted from 0.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// Finite inputs whose spread is too large for a float.
    #[error("{what} overflows: the largest magnitude is {largest:e}; rescale the values first")]
    Overflow {
        /// The computation that was asked for.
        what: &'static str,
        /// Largest magnitude among the inputs.
        largest: f64,
    },
    /// Two arrays that should run in parallel do not.
    #[error("{what} needs arrays of equal length: got {left} and {right}; {remedy}")]
    UnequalLengths {
        /// The computation that was asked for.
        what: &'static str,
        /// Length of the first array.
        left: usize,
        /// Length of the second array.
        right: usize,
        /// How the arrays are meant to correspond.
        remedy: &'static str,
    },
    /// A confidence level outside the open unit interval.
    #[error("a confidence level lies strictly between 0 and 1: got {value}; write 95 % as 0.95")]
    Level {
        /// The offending value.
        value: f64,
    },
    /// A value outside the closed unit interval where a probability is needed.
    #[error("{what} lies between 0 and 1: value {index} is {value}; check how it was computed")]
    NotAProbability {
        /// The noun that must be a probability.
        what: &'static str,
        /// Position of the offending value, counted from 0.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// A comparison of a Holm family has no p value.
    #[error(
        "a Holm family needs every p value: comparison {index} has none; give it at least two pairs, \
         or declare the family without it before looking at the results"
    )]
    MissingPValue {
        /// Position of the comparison, counted from 0.
        index: usize,
    },
    /// A bootstrap without resamples.
    #[error("a bootstrap needs at least one resample: got 0; the default is 9999")]
    NoResamples,
    /// A calibration error without bins.
    #[error("a calibration error needs at least one bin: got 0; 10 is customary")]
    NoBins,
    /// A runs-by-tasks array whose rows differ in length.
    #[error("run {run} has {found} task scores where {expected} are expected; give every run every task")]
    RaggedScores {
        /// Position of the offending run, counted from 0.
        run: usize,
        /// Its number of scores.
        found: usize,
        /// The number of scores of the first run.
        expected: usize,
    },
    /// A forecast that is not a distribution.
    #[error("forecast {index} sums to {sum} instead of 1; normalise it first")]
    ForecastSum {
        /// Position of the forecast, counted from 0.
        index: usize,
        /// Its sum.
        sum: f64,
    },
    /// An outcome the forecast has no entry for.
    #[error("outcome {index} is class {outcome}, but its forecast has {classes} classes; number classes from 0")]
    UnknownOutcome {
        /// Position of the outcome, counted from 0.
        index: usize,
        /// The offending class.
        outcome: usize,
        /// Number of classes in the forecast.
        classes: usize,
    },
    /// A study without a standard error above zero cannot be weighted.
    #[error(
        "a pooled effect needs standard errors above zero: study {index} has {value}; \
         leave out a study whose differences are all equal"
    )]
    StandardError {
        /// Position of the study, counted from 0.
        index: usize,
        /// The offending standard error.
        value: f64,
    },
    /// More successes than trials.
    #[error("{successes} of {trials} is no fraction; pass the successes first and the trials second")]
    MoreSuccessesThanTrials {
        /// The offending count.
        successes: usize,
        /// The number of trials.
        trials: usize,
    },
}
