//! How the weights of episodes lie, and the limits below which they carry no number.

use counsel_stats::mean_interval;

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
    /// The level at which the mean weight must have 1 in its interval.
    pub const MEAN_LEVEL: f64 = 0.999;
    /// Episodes at least, for any number that is not a count.
    pub const EPISODES: usize = 20;
    /// Episodes at least for a skewness of 1, and more with its square: Cochran's rule, by which an interval of 95 % misses in no
    /// more than 6 %.
    pub const FOR_SKEWNESS: f64 = 25.0;

    /// Refuses weights too uneven for their number. They are judged by what they could have been and not by what was drawn, since
    /// a log that happened not to draw its heaviest ones looks even, and is far from the truth. With w the weight of an episode and
    /// h what it would be if the log had chosen as the policy all along, E w = 1, E w² = E h and E w³ = E h².
    pub(crate) fn check_uneven(heaviest: &[f64]) -> Result<(), Refused> {
        let episodes = heaviest.len() as f64;
        let second = heaviest.iter().sum::<f64>() / episodes;
        let third = heaviest.iter().map(|weight| weight * weight).sum::<f64>() / episodes;
        let spread = second - 1.0;
        if spread < ROUNDING {
            return Ok(());
        }
        let skewness = (third - 3.0 * second + 2.0) / spread.powf(1.5);
        let needed = Self::FOR_SKEWNESS * skewness * skewness;
        if needed <= episodes { Ok(()) } else { Err(Refused::Uneven { needed, episodes: heaviest.len() }) }
    }
}

/// Why there is no number.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The log does not declare that its calls were drawn. What led to one may have led to the outcome, and no test sees that.
    #[error(
        "no number: the log does not declare p_ask_drawn, that a random draw with probability p_ask decided on every call; if p_ask was estimated afterwards, what led to a call may have led to the outcome, and no test can see it"
    )]
    NotDrawn,
    /// What happens in an episode changes later ones, so that they are not those of another policy.
    #[error("no number: {what}, so a later episode is not what it would have been")]
    Learns {
        /// What changes.
        what: &'static str,
    },
    /// The log asked more or less often than it claims.
    #[error(
        "no number: p_ask is not how the log asked: where {by} is {} it claims {claimed:.1} calls in {rows} decisions, and made {asked}",
        span(between)
    )]
    OtherRate {
        /// By what the rows were put into bands.
        by: &'static str,
        /// Its lowest and highest value in this band.
        between: [f64; 2],
        /// How often was asked in the band.
        asked: u64,
        /// How often the log claims.
        claimed: f64,
        /// How many rows there are.
        rows: usize,
    },
    /// The log asked more often, the higher something was, or the lower, or the further from its middle, than it claims.
    #[error(
        "no number: p_ask is not how the log asked: calls beyond those that it claims go with {by}, {deviations:.1} standard deviations from chance"
    )]
    OtherTrend {
        /// What it was.
        by: &'static str,
        /// How far from chance, in standard deviations.
        deviations: f64,
    },
    /// The weights do not come to 1 on average, as those of true probabilities do.
    #[error(
        "no number: the mean weight is {mean:.3} ± {half_width:.3}, and would be 1 if p_ask were how the log asked"
    )]
    OtherMean {
        /// Their mean.
        mean: f64,
        /// The half width of its interval.
        half_width: f64,
    },
    /// Two estimates of one number have no value in common.
    #[error("no number: {} says {:.4} and {} {:.4}, and their intervals do not meet, as they would if p_ask were how the log asked", names[0], means[0], names[1], means[1])]
    Disjoint {
        /// The two.
        names: [&'static str; 2],
        /// What they say.
        means: [f64; 2],
    },
    /// At this row the log could not have done otherwise.
    #[error("no number: at decision {} the log asked with probability {probability}, so it could not have done otherwise", row + 1)]
    NoOverlap {
        /// The row, from 0.
        row: usize,
        /// The probability of asking there.
        probability: f64,
    },
    /// At this row the policy chooses as the log did and does something else, so the log never did what it does.
    #[error("no number: at decision {} the policy asks as the log did and does something else than was done", row + 1)]
    OtherAction {
        /// The row, from 0.
        row: usize,
    },
    /// Too few episodes count.
    #[error("no number: the effective sample size is {effective:.1}, below {}", Limits::EFFECTIVE)]
    FewEffective {
        /// The effective sample size.
        effective: f64,
    },
    /// One episode carries too much.
    #[error("no number: one episode carries {:.1} % of the weight, above 10 %", share * 100.0)]
    OneCarries {
        /// Its share of the weight.
        share: f64,
    },
    /// Some episodes weigh so much more than others that there are too few.
    #[error(
        "no number: with a p_ask so near to 0 or 1 some episodes weigh so much that {needed:.0} are needed, and {episodes} are evaluated"
    )]
    Uneven {
        /// As many would do.
        needed: f64,
        /// As many are evaluated.
        episodes: usize,
    },
    /// All episodes that count returned the same, so nothing is known of how returns differ.
    #[error(
        "no number: all episodes that count returned the same, and {effective:.1} of them do not show how often others return something else"
    )]
    OneOutcome {
        /// The effective sample size.
        effective: f64,
    },
    /// The tail of the weights is too heavy.
    #[error("no number: the Pareto k of the weights is {k:.2}, above {}", Limits::PARETO_K)]
    HeavyTail {
        /// Its shape.
        k: f64,
    },
}

/// A band of values, in words.
fn span([low, high]: &[f64; 2]) -> String {
    if low == high { low.to_string() } else { format!("{low:.4} to {high:.4}") }
}

/// Weights of one size have no spread, and a mean that is rounded.
const ROUNDING: f64 = 1e-9;

/// Whether returns differ by more than rounding.
pub(super) fn differ(mut returns: impl Iterator<Item = f64>) -> bool {
    let Some(first) = returns.next() else { return false };
    returns.any(|other| (other - first).abs() > ROUNDING * first.abs().max(1.0))
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
    /// Their mean, and the half width of its interval at [`Limits::MEAN_LEVEL`].
    pub mean: [f64; 2],
}

impl Weights {
    /// Of whole episodes: the product of their ratios.
    pub fn of(episodes: &[Vec<Visit>]) -> Self {
        let weights: Vec<f64> =
            episodes.iter().map(|episode| episode.iter().map(|visit| visit.ratio).product()).collect();
        let sum: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        if sum == 0.0 {
            return Self { effective: 0.0, share: 1.0, k: f64::INFINITY, mean: [0.0, 0.0] };
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let mean = mean_interval(&weights, Limits::MEAN_LEVEL).ok().flatten();
        let mean = mean.map_or([sum / weights.len() as f64, f64::INFINITY], |mean| [mean.estimate, mean.half_width]);
        Self { effective: sum * sum / squares, share: largest / sum, k: pareto_k(&weights), mean }
    }

    /// Whether they carry a number.
    pub fn check(&self) -> Result<(), Refused> {
        let Self { effective, share, k, mean: [mean, half_width] } = *self;
        if effective < Limits::EFFECTIVE {
            Err(Refused::FewEffective { effective })
        } else if share > Limits::SHARE {
            Err(Refused::OneCarries { share })
        } else if k > Limits::PARETO_K {
            Err(Refused::HeavyTail { k })
        } else if (mean - 1.0).abs() > half_width.max(ROUNDING) {
            Err(Refused::OtherMean { mean, half_width })
        } else {
            Ok(())
        }
    }
}
