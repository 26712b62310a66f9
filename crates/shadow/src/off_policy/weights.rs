//! How the weights of episodes lie, and the limits below which they carry no number.

use std::fmt::{self, Display, Formatter};

use super::{Visit, pareto_k};

/// The limits below which there is no number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits;

impl Limits {
    /// The effective sample size at least.
    pub const EFFECTIVE: f64 = 50.0;
    /// The share of the weight that one episode may carry.
    pub const SHARE: f64 = 0.1;
    /// The shape of the tail of the weights at most: above it the variance of the estimate is as good as infinite.
    pub const PARETO_K: f64 = 0.7;
    /// Episodes at least, for any number that is not a count.
    pub const EPISODES: usize = 20;
}

/// Why there is no number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Refused {
    /// At this row the log could not have done otherwise.
    NoOverlap {
        /// The row, from 0.
        row: usize,
        /// The probability of asking there.
        probability: f64,
    },
    /// At this row the policy chooses as the log did and does something else, so the log never did what it does.
    OtherAction {
        /// The row, from 0.
        row: usize,
    },
    /// Too few episodes count.
    FewEffective {
        /// The effective sample size.
        effective: f64,
    },
    /// One episode carries too much.
    OneCarries {
        /// Its share of the weight.
        share: f64,
    },
    /// The tail of the weights is too heavy.
    HeavyTail {
        /// Its shape.
        k: f64,
    },
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOverlap { row, probability } => write!(
                f,
                "no number: at decision {} the log asked with probability {probability}, so it could not have done otherwise",
                row + 1
            ),
            Self::OtherAction { row } => write!(
                f,
                "no number: at decision {} the policy asks as the log did and does something else than was done",
                row + 1
            ),
            Self::FewEffective { effective } => {
                write!(f, "no number: the effective sample size is {effective:.1}, below {}", Limits::EFFECTIVE)
            }
            Self::OneCarries { share } => {
                write!(f, "no number: one episode carries {:.1} % of the weight, above 10 %", share * 100.0)
            }
            Self::HeavyTail { k } => {
                write!(f, "no number: the Pareto k of the weights is {k:.2}, above {}", Limits::PARETO_K)
            }
        }
    }
}

/// How the weights of episodes lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// (Σ w)² / Σ w².
    pub effective: f64,
    /// The largest share of one episode.
    pub share: f64,
    /// The shape of their upper tail.
    pub k: f64,
}

impl Weights {
    /// Of whole episodes: the product of their ratios.
    pub fn of(episodes: &[Vec<Visit>]) -> Self {
        let weights: Vec<f64> =
            episodes.iter().map(|episode| episode.iter().map(|visit| visit.ratio).product()).collect();
        let sum: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        if sum == 0.0 {
            return Self { effective: 0.0, share: 1.0, k: f64::INFINITY };
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        Self { effective: sum * sum / squares, share: largest / sum, k: pareto_k(&weights) }
    }

    /// Whether they carry a number.
    pub fn check(&self) -> Result<(), Refused> {
        let Self { effective, share, k } = *self;
        if effective < Limits::EFFECTIVE {
            Err(Refused::FewEffective { effective })
        } else if share > Limits::SHARE {
            Err(Refused::OneCarries { share })
        } else if k > Limits::PARETO_K {
            Err(Refused::HeavyTail { k })
        } else {
            Ok(())
        }
    }
}
