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
        shape("the table of value bounds", bounds.actions(), samples.actions(), "action")?;
        let means = samples.means(weights);
        let base = base.unwrap_or_else(|| crate::argmax(&means));
        check_action("the fallback proposal", base, samples.actions())?;
        let variances = samples.variances(weights, &means);
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

    /// The same branch with another proposal of the fallback.
    pub(crate) fn proposing(&self, base: Action) -> Self {
        Self { base, ..self.clone() }
    }

    /// The belief-averaged value μ of every action.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The belief-averaged value μ of one action.
    pub fn mean(&self, action: Action) -> f64 {
        self.means[action.index()]
    }

    /// How much better than the fallback's proposal an action is by its mean value.
    pub fn improvement(&self, action: Action) -> f64 {
        self.mean(action) - self.mean(self.base)
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
