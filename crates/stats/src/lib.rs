//! Paired intervals, bootstrap, Holm, interquartile means, calibration error: arrays in, numbers out.
//!
//! Nothing here reads a file, a clock or an entropy source. The only random procedure, the bootstrap, takes its seed as
//! an argument, so equal arrays and equal seeds give equal bytes. Every function checks its input and returns an
//! [`Error`] that names the offending value; a number that does not exist for the given sample (an interval from one
//! observation, say) is `None`, never `NaN`.
//!
//! | question | answer |
//! |---|---|
//! | what is the mean, and how sure are we? | [`mean_interval`], [`Moments`] |
//! | does arm A beat arm B on shared seeds? | [`PairedComparison`] |
//! | is a difference small enough not to matter, or at least no loss? | [`equivalence_p_value`], [`bound_p_value`] |
//! | which of several comparisons survive together? | [`holm`] |
//! | what do several independent studies say together? | [`Pooled`] |
//! | how do many tasks add up? | [`Scores`], [`interquartile_mean`], [`Bootstrap::stratified`] |
//! | how fast does a cumulative curve grow? | [`log_log_slope`] |
//! | are predicted probabilities honest? | [`brier_score`], [`log_score`], [`expected_calibration_error`] |
//! | how sure is a fraction? | [`clopper_pearson`] |
//!
//! ```
//! use counsel_stats::{Bootstrap, PairedComparison, holm};
//!
//! let gated = [0.31, 0.28, 0.35, 0.30];
//! let never = [0.27, 0.29, 0.30, 0.26];
//! let comparison = PairedComparison::new(&gated, &never, &Bootstrap::seeded(7))?;
//! assert!((comparison.mean_difference - 0.03).abs() < 1e-12);
//! assert_eq!(holm(&[comparison.p_value])?.len(), 1);
//! # Ok::<(), counsel_stats::Error>(())
//! ```

mod aggregate;
mod bootstrap;
mod distribution;
mod error;
mod fraction;
mod holm;
mod incomplete_beta;
mod interval;
mod margin;
mod moments;
mod paired;
mod pooled;
mod proper_score;
mod quantile;
mod reliability;
mod slope;
mod stratified;

pub use aggregate::{Scores, interquartile_mean};
pub use bootstrap::{Bootstrap, bca_interval};
pub use error::Error;
pub use fraction::clopper_pearson;
pub use holm::holm;
pub use interval::{Interval, mean_interval};
pub use margin::{Tail, bound_p_value, equivalence_p_value};
pub use moments::Moments;
pub use paired::PairedComparison;
pub use pooled::{Effect, Pooled};
pub use proper_score::{brier_score, log_score};
pub use quantile::{Quartiles, median, quantile};
pub use reliability::{CalibrationBin, event_calibration_error, expected_calibration_error, reliability};
pub use slope::{Slope, log_log_slope};
