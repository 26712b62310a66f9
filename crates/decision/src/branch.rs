//! One branch of the future: what the values, the bounds and the fallback proposal are if it comes about.

use crate::refusal::shape;
use crate::{Action, Error, ValueBounds, ValueSamples};

/// The no-query branch, or the branch after one response.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    pub(crate) means: Vec<f64>,
    pub(crate) bounds: ValueBounds,
    pub(crate) base: Action,
    pub(crate) variances: Vec<f64>,
}

impl Branch {
    /// A branch whose samples count equally, or by `weights` of a belief.
    pub(crate) fn new(
        samples: &ValueSamples,
        weights: Option<&[f64]>,
        bounds: ValueBounds,
        base: Option<Action>,
    ) -> Result<Self, Error> {
        let means = samples.means(weights);
        let variances = samples.variances(weights, &means);
        Self::of(means, variances, bounds, base)
    }

    /// A branch with these means and variances.
    pub(crate) fn of(
        means: Vec<f64>,
        variances: Vec<f64>,
        bounds: ValueBounds,
        base: Option<Action>,
    ) -> Result<Self, Error> {
        shape("the table of value bounds", bounds.actions(), means.len(), "action")?;
        let base = base.unwrap_or_else(|| crate::argmax(&means));
        check_action("the fallback proposal", base, means.len())?;
        Ok(Self { means, bounds, base, variances })
    }

    /// The same branch with `credit` added to the value and the bounds of one action.
    pub(crate) fn credited(&self, action: usize, credit: f64) -> Result<Self, Error> {
        let mut branch = self.clone();
        branch.means[action] += credit;
        let (mut lower, mut upper) = (self.bounds.lower().to_vec(), self.bounds.upper().to_vec());
        lower[action] += credit;
        upper[action] += credit;
        branch.bounds = ValueBounds::new(lower, upper)?;
        Ok(branch)
    }

    /// The belief-averaged value μ of every action.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The belief-averaged value μ of one action.
    pub fn mean(&self, action: Action) -> f64 {
        self.means[action.index()]
    }

    /// How far an action is ahead of the best other one by its mean value, below zero where it is behind, as a share of the
    /// range of the means: values far from a reward differ little, and in the same order. Where all are the same it is 0.
    pub fn lead(&self, action: Action) -> f64 {
        let (mut least, mut most, mut other) = (f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (place, &mean) in self.means.iter().enumerate() {
            (least, most) = (least.min(mean), most.max(mean));
            if place != action.index() {
                other = other.max(mean);
            }
        }
        if most > least { (self.mean(action) - other) / (most - least) } else { 0.0 }
    }

    /// The variance of one action's value over the belief.
    pub fn variance(&self, action: Action) -> f64 {
        self.variances[action.index()]
    }

    /// The mean over actions of their variance: the state's epistemic variance.
    pub fn epistemic_variance(&self) -> f64 {
        self.variances.iter().sum::<f64>() / self.variances.len() as f64
    }

    /// The bounds on the optimal value.
    pub fn bounds(&self) -> &ValueBounds {
        &self.bounds
    }

    /// What the fallback would do.
    pub fn base(&self) -> Action {
        self.base
    }
}

/// Refuses an action that does not exist.
pub(crate) fn check_action(what: &'static str, action: Action, actions: usize) -> Result<(), Error> {
    if action.index() < actions { Ok(()) } else { Err(Error::NoSuchAction { what, action: action.index(), actions }) }
}
