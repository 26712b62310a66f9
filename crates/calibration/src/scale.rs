//! The scale model s(x) > 0: how large the error is expected to be at features x.
//!
//! It is a ridge regression of ln(|Δ̂ - Δ̃| + floor) on standardised features,
//! min_w Σ_i (y_i - b - w·x_i)² + ridge n |w|², with an intercept b that is not penalised, and s(x) = exp(b + w·x).
//! The regression sees the fit part alone, so the calibration scores stay exchangeable. Invariant: s(x) stays within
//! the range of the fitted targets, hence is at least `floor`; an unusual x cannot blow the radius up or shrink it to
//! nothing.

use counsel_decision::refusal::{at_least, in_range, shape};
use counsel_decision::{Evidence, Response};
use serde::{Deserialize, Serialize};

use crate::{Error, FitSet, Opportunity};

/// How the scale model is fitted.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `floor` | 0.001 | (0, infinity) |
/// | `ridge` | 0.01 | (0, infinity) |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScaleSpec {
    /// Added to each error before its logarithm; the smallest possible scale.
    pub floor: f64,
    /// The penalty on the weights, relative to the variance of a feature.
    pub ridge: f64,
}

impl Default for ScaleSpec {
    fn default() -> Self {
        Self { floor: 1e-3, ridge: 1e-2 }
    }
}

/// A fitted scale model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScaleModel {
    intercept: f64,
    weights: Vec<f64>,
    centres: Vec<f64>,
    spreads: Vec<f64>,
    log_least: f64,
    log_most: f64,
}

impl ScaleModel {
    /// Fits the model on the fit part.
    pub fn fit(spec: ScaleSpec, fit: &FitSet<Opportunity>) -> Result<Self, Error> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        in_range(positive(spec.floor), "the floor of the scale", spec.floor, "(0, infinity)", "pass a small number")?;
        in_range(positive(spec.ridge), "the ridge of the scale", spec.ridge, "(0, infinity)", "pass a small number")?;
        let data = fit.as_slice();
        at_least("the size of the fit part", data.len(), 2, "declare a longer fit prefix, or a constant radius")?;
        let width = data[0].features.len();
        for opportunity in data {
            opportunity.check()?;
            shape("the features of an opportunity", opportunity.features.len(), width, "feature of the first one")?;
        }
        let n = data.len() as f64;
        let targets: Vec<f64> = data.iter().map(|o| ((o.estimate - o.label).abs() + spec.floor).ln()).collect();
        let mean = |column: &dyn Fn(&Opportunity) -> f64| data.iter().map(column).sum::<f64>() / n;
        let centres: Vec<f64> = (0..width).map(|j| mean(&|o| o.features[j])).collect();
        let spread = |j: usize| mean(&|o| (o.features[j] - centres[j]).powi(2)).sqrt();
        let spreads: Vec<f64> = (0..width).map(|j| if spread(j) > 0.0 { spread(j) } else { 1.0 }).collect();
        let rows: Vec<Vec<f64>> = data.iter().map(|o| standardise(&o.features, &centres, &spreads)).collect();
        let intercept = targets.iter().sum::<f64>() / n;
        let gram = (0..width)
            .map(|j| (0..width).map(|k| rows.iter().map(|x| x[j] * x[k]).sum::<f64>() / n).collect())
            .enumerate()
            .map(|(j, mut row): (usize, Vec<f64>)| {
                row[j] += spec.ridge;
                row
            })
            .collect();
        let moments = (0..width)
            .map(|j| rows.iter().zip(&targets).map(|(x, y)| x[j] * (y - intercept)).sum::<f64>() / n)
            .collect();
        Ok(Self {
            intercept,
            weights: solve(gram, moments),
            centres,
            spreads,
            log_least: targets.iter().copied().fold(f64::INFINITY, f64::min),
            log_most: targets.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// s(x).
    pub fn at(&self, features: &[f64]) -> Result<f64, Error> {
        shape("the features", features.len(), self.weights.len(), "feature of the scale model")?;
        let x = standardise(features, &self.centres, &self.spreads);
        let log = self.intercept + x.iter().zip(&self.weights).map(|(x, w)| x * w).sum::<f64>();
        in_range(
            log.is_finite(),
            "the predicted logarithm of the scale",
            log,
            "the finite numbers",
            "pass finite features",
        )?;
        Ok(log.clamp(self.log_least, self.log_most).exp())
    }
}

/// What the scale model of a decision looks at: the entropy of the prediction, the width of the base action's bounds, the
/// chance of an unusable reply, and the epistemic variance.
pub fn scale_features(evidence: &Evidence) -> Vec<f64> {
    let branch = evidence.advice().none();
    let law = evidence.advice().law();
    vec![
        law.entropy(),
        branch.bounds().width(branch.base()),
        law.probability(Response::Unusable),
        branch.epistemic_variance(),
    ]
}

fn standardise(features: &[f64], centres: &[f64], spreads: &[f64]) -> Vec<f64> {
    features.iter().zip(centres.iter().zip(spreads)).map(|(x, (centre, spread))| (x - centre) / spread).collect()
}

/// Solves a symmetric positive definite system by elimination; the ridge keeps every pivot positive.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let row = &above[pivot];
        let head = right[pivot];
        for (under, value) in below.iter_mut().zip(&mut right[pivot + 1..]) {
            let factor = under[pivot] / row[pivot];
            under.iter_mut().zip(row).for_each(|(entry, upper)| *entry -= factor * upper);
            *value -= factor * head;
        }
    }
    for pivot in (0..size).rev() {
        let known: f64 = (pivot + 1..size).map(|k| matrix[pivot][k] * right[k]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_solves_a_known_system() {
        let solution = solve(vec![vec![4.0, 2.0], vec![2.0, 3.0]], vec![10.0, 9.0]);
        assert!((solution[0] - 1.5).abs() < 1e-12 && (solution[1] - 2.0).abs() < 1e-12, "{solution:?}");
    }
}
