//! What can be wrong with what a caller hands in. Every message names the offending value and the remedy.

/// An input that the calibration crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// Cut points past the end of the data.
    #[error(
        "the cuts declare {fit} fit and {calibration} calibration items, but only {items} were collected; collect more or cut earlier"
    )]
    CutsPastEnd {
        /// Declared fit items.
        fit: usize,
        /// Declared calibration items.
        calibration: usize,
        /// Items there are.
        items: usize,
    },
    /// Items that are not in the order of time.
    #[error(
        "item {index} is from time {time}, after an item from time {before}; sort the items by time before cutting"
    )]
    OutOfOrder {
        /// The place of the first item that is too early.
        index: usize,
        /// Its time.
        time: u64,
        /// The time of the item in front of it.
        before: u64,
    },
    /// A logged quantile that does not follow from the logged scores.
    #[error(
        "the logged derivation says rank {logged_rank} and quantile {logged}, but its {n} scores give rank {rank} and quantile {recomputed}; the log was altered or written by another version"
    )]
    DerivationMismatch {
        /// How many scores there are.
        n: usize,
        /// The rank in the log.
        logged_rank: usize,
        /// The quantile in the log.
        logged: f64,
        /// The rank that follows from the scores.
        rank: usize,
        /// The quantile that follows from the scores.
        recomputed: f64,
    },
    /// A logged level that does not follow from the logged declaration.
    #[error(
        "the logged level is {logged:?}, but the logged declaration gives {declared:?}; the log was altered or written by another version"
    )]
    LevelMismatch {
        /// The level in the log.
        logged: Option<f64>,
        /// The level that follows from the declaration.
        declared: Option<f64>,
    },
    /// A logged wager that does not follow from the logged gains.
    #[error(
        "the logged wager chose {:?} and reached {}, but its gains give {:?} and {}; the log was altered or written by another version",
        logged.0, logged.1, recomputed.0, recomputed.1
    )]
    WagerMismatch {
        /// The chosen radius and the largest wealth in the log.
        logged: (Option<f64>, f64),
        /// What follows from the gains.
        recomputed: (Option<f64>, f64),
    },
    /// A logged screen that does not follow from the logged scores.
    #[error(
        "the logged threshold of the screen is {logged:?}, but its scores give {recomputed:?}; the log was altered or written by another version"
    )]
    ScreenMismatch {
        /// The threshold in the log.
        logged: Option<f64>,
        /// The threshold that follows from the scores.
        recomputed: Option<f64>,
    },
    /// Logged factors that do not follow from the logged scores.
    #[error(
        "the logged factors of the bounds are {logged:?}, but their scores give {recomputed:?}; the log was altered or written by another version"
    )]
    FactorMismatch {
        /// The factors in the log, below and above.
        logged: [Option<f64>; 2],
        /// The factors that follow from the scores.
        recomputed: [Option<f64>; 2],
    },
    /// An input that the decision crate refuses.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
}
