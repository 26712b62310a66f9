//! The feature-generalising predictor: multinomial logistic regression on the features of the context,
//! p̂(y | z) ∝ exp((b_y + w_y·x) / T), learned online from paid responses.
//!
//! After each paid response the weights take a few steps down the penalised loss of the remembered responses. Each step
//! divides the gradient of a weight by a bound on its curvature (half of Σ_i |x_ij| Σ_l |x_il|, plus the penalty), so
//! the loss never rises, no learning rate has to be chosen, and the same responses give the same weights bit for bit.
//! Past `memory` responses an even selection over the whole history is used.

use counsel_decision::refusal::{at_least, in_range};
use counsel_decision::{PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::Predictor;
use crate::{Context, Error};

/// How the feature predictor learns.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `penalty` | 0.1 | (0, infinity) |
/// | `steps` | 8 | [1, infinity) |
/// | `memory` | 256 | [1, infinity) |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FeatureSpec {
    /// The quadratic penalty on the weights, in units of one response.
    pub penalty: f64,
    /// Steps after each paid response.
    pub steps: usize,
    /// How many responses a step looks at, at most.
    pub memory: usize,
}

impl Default for FeatureSpec {
    fn default() -> Self {
        Self { penalty: 0.1, steps: 8, memory: 256 }
    }
}

/// A paid response with its context.
#[derive(Debug, Clone, PartialEq)]
pub struct Paid {
    /// Where it was given.
    pub context: Context,
    /// What was given.
    pub response: PaidResponse,
}

/// The feature-generalising predictor.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    spec: FeatureSpec,
    actions: usize,
    inputs: usize,
    weights: Vec<Vec<f64>>,
    temperature: f64,
    history: Vec<(Vec<f64>, usize)>,
}

impl Feature {
    /// A predictor over so many actions and features. It starts uniform.
    pub fn new(actions: usize, features: usize, spec: FeatureSpec) -> Result<Self, Error> {
        let penalty = spec.penalty;
        in_range(penalty > 0.0 && penalty.is_finite(), "the penalty", penalty, "(0, infinity)", "pass a small number")?;
        at_least("the number of steps", spec.steps, 1, "a predictor without steps is `uniform`")?;
        at_least("the memory", spec.memory, 1, "a predictor without memory is `uniform`")?;
        let inputs = features + 1;
        Ok(Self {
            spec,
            actions,
            inputs,
            weights: vec![vec![0.0; inputs]; actions + 1],
            temperature: 1.0,
            history: Vec::new(),
        })
    }

    /// T: above 1 the predictions are flattened, below 1 sharpened.
    pub fn temperature(&self) -> f64 {
        self.temperature
    }

    /// Sets T to the value between 1/20 and 20 that predicts a calibration prefix best, or leaves it at 1 where nothing
    /// is better. The prefix must not have been observed before: it is for calibration, not for fitting.
    pub fn calibrate_temperature(&mut self, prefix: &[Paid]) -> f64 {
        let loss = |log_temperature: f64| self.negative_log_likelihood(prefix, log_temperature.exp());
        let best = golden_section(&loss, -20.0_f64.ln(), 20.0_f64.ln());
        self.temperature = if loss(best) < loss(0.0) { best.exp() } else { 1.0 };
        self.temperature
    }

    /// The mean negative logarithm of the probability given to paid responses, at this temperature; 0 for none.
    pub fn negative_log_likelihood(&self, paid: &[Paid], temperature: f64) -> f64 {
        let losses = paid.iter().map(|paid| {
            let law = self.probabilities(&self.inputs_of(&paid.context), temperature);
            -law[paid.response.response().index(self.actions).min(self.actions)].max(f64::MIN_POSITIVE).ln()
        });
        losses.sum::<f64>() / paid.len().max(1) as f64
    }

    /// The features behind a constant 1. Missing ones count as 0, surplus ones are ignored, so that a law always exists.
    fn inputs_of(&self, context: &Context) -> Vec<f64> {
        let finite = context.features.iter().map(|&x| if x.is_finite() { x } else { 0.0 });
        std::iter::once(1.0).chain(finite).chain(std::iter::repeat(0.0)).take(self.inputs).collect()
    }

    fn probabilities(&self, inputs: &[f64], temperature: f64) -> Vec<f64> {
        let mut law = vec![0.0; self.actions + 1];
        self.fill_law(inputs, temperature, &mut law);
        law
    }

    /// Writes the probabilities into `law`, so that a pass over the history needs one buffer.
    fn fill_law(&self, inputs: &[f64], temperature: f64, law: &mut [f64]) {
        let dot = |row: &Vec<f64>| row.iter().zip(inputs).map(|(w, x)| w * x).sum::<f64>() / temperature;
        law.iter_mut().zip(&self.weights).for_each(|(p, row)| *p = dot(row));
        let largest = law.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        law.iter_mut().for_each(|p| *p = (*p - largest).exp());
        let sum: f64 = law.iter().sum();
        law.iter_mut().for_each(|p| *p /= sum);
    }

    /// One step on an even selection of the history.
    fn step(&mut self) {
        let chosen = self.history.len().min(self.spec.memory);
        let mut gradient: Vec<Vec<f64>> =
            self.weights.iter().map(|row| row.iter().map(|w| self.spec.penalty * w).collect()).collect();
        let mut curvature = vec![self.spec.penalty; self.inputs];
        let mut law = vec![0.0; self.actions + 1];
        for pick in 0..chosen {
            let (inputs, label) = &self.history[pick * self.history.len() / chosen];
            self.fill_law(inputs, 1.0, &mut law);
            let size: f64 = inputs.iter().map(|x| x.abs()).sum();
            curvature.iter_mut().zip(inputs).for_each(|(bound, x)| *bound += 0.5 * x.abs() * size);
            for (response, row) in gradient.iter_mut().enumerate() {
                let surprise = law[response] - if response == *label { 1.0 } else { 0.0 };
                row.iter_mut().zip(inputs).for_each(|(slope, x)| *slope += surprise * x);
            }
        }
        for (row, slopes) in self.weights.iter_mut().zip(&gradient) {
            for ((weight, slope), bound) in row.iter_mut().zip(slopes).zip(&curvature) {
                *weight -= slope / bound;
            }
        }
    }
}

impl Predictor for Feature {
    fn law(&self, context: &Context) -> ResponseLaw {
        ResponseLaw::proportional_to(&self.probabilities(&self.inputs_of(context), self.temperature))
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.history.push((self.inputs_of(context), paid.response().index(self.actions)));
        for _ in 0..self.spec.steps {
            self.step();
        }
    }
}

/// The lowest point of a function with one valley, within rounding.
fn golden_section(loss: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..60 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(left) <= loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}
