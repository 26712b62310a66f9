//! Samples of the declared continuation value, and bounds on the optimal value: two objects with two jobs.
//!
//! [`ValueSamples`] hold Q_k(s, a) of Eq. `main:est`, the return of the continuation that is really deployed; they price
//! a query. [`ValueBounds`] hold L(s, a) and U(s, a) of Eq. `main:safe`, an interval for the optimal value; they admit
//! an action. Neither converts into the other.

use serde::{Deserialize, Serialize};

use crate::error::check_count;
use crate::refusal::{at_least, in_range, shape};
use crate::{Action, Error};

/// K samples of the continuation value of every action, row by row. Finite; K and the number of actions are at least 1.
///
/// ```
/// use counsel_decision::ValueSamples;
///
/// // Two critics, three actions.
/// let samples = ValueSamples::new(3, vec![0.1, 0.5, 0.2, 0.3, 0.3, 0.2])?;
/// assert_eq!((samples.count(), samples.means(None)), (2, vec![0.2, 0.4, 0.2]));
/// assert!(ValueSamples::new(3, vec![f64::NAN; 3]).is_err());
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValueSamples {
    actions: usize,
    values: Vec<f64>,
}

impl ValueSamples {
    /// Samples laid out as `values[k * actions + a]`.
    pub fn new(actions: usize, values: Vec<f64>) -> Result<Self, Error> {
        at_least("the number of actions", actions, 1, "declare an action")?;
        check_count(actions)?;
        let rows = (values.len() / actions).max(1);
        shape("the table of value samples", values.len(), rows * actions, "sample and action")?;
        for &value in &values {
            in_range(value.is_finite(), "a value sample", value, "the finite numbers", "pass finite values")?;
        }
        Ok(Self { actions, values })
    }

    /// How many actions each sample values.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How many samples there are.
    pub fn count(&self) -> usize {
        self.values.len() / self.actions
    }

    /// The table, row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The samples, one slice of action values each.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.actions)
    }

    /// The mean value of every action when sample k has weight `weights[k]`, or the plain mean.
    pub fn means(&self, weights: Option<&[f64]>) -> Vec<f64> {
        let mut means = vec![0.0; self.actions];
        match weights {
            Some(weights) => {
                for (row, &weight) in self.rows().zip(weights) {
                    means.iter_mut().zip(row).for_each(|(mean, &value)| *mean += weight * value);
                }
            }
            None => {
                for row in self.rows() {
                    means.iter_mut().zip(row).for_each(|(mean, &value)| *mean += value);
                }
                let count = self.count() as f64;
                means.iter_mut().for_each(|mean| *mean /= count);
            }
        }
        means
    }

    /// The variance of every action's value around its mean, with the same weights (plain: divided by K, not K - 1).
    pub fn variances(&self, weights: Option<&[f64]>, means: &[f64]) -> Vec<f64> {
        let mut variances = vec![0.0; self.actions];
        let equal = 1.0 / self.count() as f64;
        for (k, row) in self.rows().enumerate() {
            let weight = weights.map_or(equal, |weights| weights[k]);
            for ((variance, value), mean) in variances.iter_mut().zip(row).zip(means) {
                *variance += weight * (value - mean) * (value - mean);
            }
        }
        variances
    }
}

/// A lower and an upper bound on the optimal value of every action, `lower <= upper`, finite.
///
/// ```
/// use counsel_decision::{Action, ValueBounds};
///
/// let bounds = ValueBounds::new(vec![0.0, 0.25], vec![0.5, 1.0])?;
/// assert_eq!((bounds.ceiling(), bounds.width(Action(1))), (1.0, 0.75));
/// assert!(ValueBounds::new(vec![1.0], vec![0.0]).is_err());
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValueBounds {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl ValueBounds {
    /// Bounds with one entry per action.
    pub fn new(lower: Vec<f64>, upper: Vec<f64>) -> Result<Self, Error> {
        at_least("the number of actions", lower.len(), 1, "declare an action")?;
        shape("the table of upper bounds", upper.len(), lower.len(), "action, as many as lower bounds")?;
        for (action, (&low, &high)) in lower.iter().zip(&upper).enumerate() {
            for bound in [low, high] {
                in_range(
                    bound.is_finite(),
                    "a value bound",
                    bound,
                    "the finite numbers",
                    "clip it to the value range",
                )?;
            }
            if low > high {
                return Err(Error::CrossedBounds { action, lower: low, upper: high });
            }
        }
        Ok(Self { lower, upper })
    }

    /// How many actions are bounded.
    pub fn actions(&self) -> usize {
        self.lower.len()
    }

    /// The lower bounds, one per action.
    pub fn lower(&self) -> &[f64] {
        &self.lower
    }

    /// The upper bounds, one per action.
    pub fn upper(&self) -> &[f64] {
        &self.upper
    }

    /// The largest upper bound of any action: no action can be better than this.
    pub fn ceiling(&self) -> f64 {
        self.upper.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Upper minus lower bound of one action.
    pub fn width(&self, action: Action) -> f64 {
        self.upper[action.index()] - self.lower[action.index()]
    }
}

/// The first action with the largest value.
pub fn argmax(values: &[f64]) -> Action {
    let mut best = 0;
    for (index, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = index;
        }
    }
    Action::new(best)
}
