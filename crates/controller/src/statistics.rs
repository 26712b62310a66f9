//! How often something was seen, its mean, and how far it spreads.

use counsel_decision::{Action, ContextKey, Error, ValueBounds, ValueSamples, argmax};
use serde::{Deserialize, Serialize};

use crate::empirical_mdp::HeldAnswers;
use crate::track_record::{TrackRecord, TrackRecordSpec};

/// Values by context.
pub trait ValueTable {
    /// The number of actions in a context, as far as it is known.
    fn width(&self, context: ContextKey) -> usize;

    /// The values of this many actions in a context: samples spread by the standard error, and bounds.
    fn values(&self, context: ContextKey, actions: usize) -> Result<(ValueSamples, ValueBounds), Error>;

    /// The greedy one of this many actions in a context; none where the values do not tell them apart.
    fn choice(&self, context: ContextKey, actions: usize) -> Option<Action>;

    /// The number of labels or tries that each of this many actions has in a context.
    fn tries(&self, context: ContextKey, actions: usize) -> Vec<f64>;

    /// The track record of an advisor that gave these answers, and a number of unusable ones.
    fn record(&self, spec: TrackRecordSpec, answers: &HeldAnswers, unusable: usize) -> TrackRecord;
}

/// Eight points of equal probability of the normal distribution.
const POINTS: [f64; 8] = [-1.534_121, -0.887_147, -0.488_776, -0.157_311, 0.157_311, 0.488_776, 0.887_147, 1.534_121];

/// What was seen of one action in one context.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct RunningMean {
    pub(crate) count: f64,
    pub(crate) mean: f64,
    /// The sum of squared deviations.
    pub(crate) spread: f64,
}

impl RunningMean {
    /// Takes in one more; what is older than `memory` counts for less and less.
    pub(crate) fn take(&mut self, value: f64, memory: f64) {
        if self.count >= memory {
            let kept = (memory - 1.0).max(0.0) / self.count;
            self.count *= kept;
            self.spread *= kept;
        }
        self.count += 1.0;
        let off = value - self.mean;
        self.mean += off / self.count;
        self.spread += off * (value - self.mean);
    }

    /// The standard error of the mean; `prior_deviation` is that of a single value before any is known.
    pub(crate) fn error(&self, prior_deviation: f64) -> f64 {
        let variance = (prior_deviation.powi(2) + self.spread) / (self.count + 1.0);
        (variance / (self.count + 1.0)).sqrt()
    }
}

/// Values around these means: samples spread by the standard errors, and bounds so many errors away.
pub(crate) fn spread(means: &[f64], errors: &[f64], bound_scale: f64) -> Result<(ValueSamples, ValueBounds), Error> {
    let at = |scale: f64| means.iter().zip(errors).map(move |(mean, error)| mean + scale * error);
    let samples = POINTS.iter().flat_map(|&point| at(point)).collect();
    let bounds = ValueBounds::new(at(-bound_scale).collect(), at(bound_scale).collect())?;
    Ok((ValueSamples::new(means.len(), samples)?, bounds))
}

/// Values that differ by less than this do not tell actions apart.
const APART: f64 = 1e-9;

/// The best action; nothing where no two actions can be told apart.
pub(crate) fn choice(means: &[f64]) -> Option<Action> {
    let best = argmax(means);
    let worst = means.iter().copied().fold(f64::INFINITY, f64::min);
    (means[best.index()] - worst > APART).then_some(best)
}
