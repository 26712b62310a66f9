//! The feature-generalising predictor: multinomial logistic regression on the features of the context,
//! p̂(y | z) ∝ exp((b_y + w_y·x) / T), learned online from paid responses.
//!
//! After each paid response the weights take a few steps down the penalised loss of the remembered responses. Each step
//! divides the gradient of a weight by a bound on its curvature (half of Σ_i |x_ij| Σ_l |x_il|, plus the penalty), so
//! the loss never rises, no learning rate has to be chosen, and the same responses give the same weights bit for bit.
//! Past `memory` responses an even selection over the whole history is used.

use std::ops::Range;

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

/// An input that is not 0.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Input {
    place: usize,
    value: f64,
}

impl Input {
    /// Where its weights are, one per response.
    fn row(self, responses: usize) -> Range<usize> {
        self.place * responses..(self.place + 1) * responses
    }
}

/// The feature-generalising predictor.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    spec: FeatureSpec,
    actions: usize,
    inputs: usize,
    /// A row per input with a weight per response, so that all responses are reckoned side by side.
    weights: Vec<f64>,
    temperature: f64,
    history: Vec<(Vec<Input>, usize)>,
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
            weights: vec![0.0; inputs * (actions + 1)],
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

    /// The features behind a constant 1, as far as they are not 0. Missing ones and those that are not finite count as 0,
    /// surplus ones are ignored, so that a law always exists.
    fn inputs_of(&self, context: &Context) -> Vec<Input> {
        let values = std::iter::once(1.0).chain(context.features.iter().copied()).take(self.inputs);
        let inputs = values.enumerate().map(|(place, value)| Input { place, value });
        inputs.filter(|input| input.value.is_finite() && input.value != 0.0).collect()
    }

    fn probabilities(&self, inputs: &[Input], temperature: f64) -> Vec<f64> {
        let mut law = vec![0.0; self.actions + 1];
        self.fill_law(inputs, temperature, &mut law);
        law
    }

    /// Writes the probabilities into `law`, so that a pass over the history needs one buffer.
    fn fill_law(&self, inputs: &[Input], temperature: f64, law: &mut [f64]) {
        law.fill(0.0);
        for input in inputs {
            let weights = &self.weights[input.row(law.len())];
            law.iter_mut().zip(weights).for_each(|(p, w)| *p += w * input.value);
        }
        law.iter_mut().for_each(|p| *p /= temperature);
        let largest = law.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        law.iter_mut().for_each(|p| *p = (*p - largest).exp());
        let sum: f64 = law.iter().sum();
        law.iter_mut().for_each(|p| *p /= sum);
    }

    /// The remembered responses that count: all, or an even selection.
    fn remembered(&self) -> impl Iterator<Item = &(Vec<Input>, usize)> {
        let chosen = self.history.len().min(self.spec.memory);
        (0..chosen).map(move |pick| &self.history[pick * self.history.len() / chosen])
    }

    /// The bound on the curvature of every input's weights.
    fn curvature(&self) -> Vec<f64> {
        let mut curvature = vec![self.spec.penalty; self.inputs];
        for (inputs, _) in self.remembered() {
            let size: f64 = inputs.iter().map(|input| input.value.abs()).sum();
            inputs.iter().for_each(|input| curvature[input.place] += 0.5 * input.value.abs() * size);
        }
        curvature
    }

    /// One step down.
    fn step(&mut self, curvature: &[f64]) {
        let responses = self.actions + 1;
        let mut gradient: Vec<f64> = self.weights.iter().map(|w| self.spec.penalty * w).collect();
        let mut surprise = vec![0.0; responses];
        for (inputs, label) in self.remembered() {
            self.fill_law(inputs, 1.0, &mut surprise);
            surprise[*label] -= 1.0;
            for input in inputs {
                let slopes = &mut gradient[input.row(responses)];
                slopes.iter_mut().zip(&surprise).for_each(|(slope, surprise)| *slope += surprise * input.value);
            }
        }
        let rows = self.weights.chunks_exact_mut(responses).zip(gradient.chunks_exact(responses));
        for ((weights, slopes), bound) in rows.zip(curvature) {
            weights.iter_mut().zip(slopes).for_each(|(weight, slope)| *weight -= slope / bound);
        }
    }
}

impl Predictor for Feature {
    fn law(&self, context: &Context) -> ResponseLaw {
        ResponseLaw::proportional_to(&self.probabilities(&self.inputs_of(context), self.temperature))
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.history.push((self.inputs_of(context), paid.response().index(self.actions).min(self.actions)));
        let curvature = self.curvature();
        for _ in 0..self.spec.steps {
            self.step(&curvature);
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
