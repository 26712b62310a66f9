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
use super::table::{Block, Table, add_scaled};
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Input {
    place: usize,
    value: f64,
}

/// A paid response as it is remembered, by number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Remembered {
    context: usize,
    response: usize,
}

/// The feature-generalising predictor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    spec: FeatureSpec,
    actions: usize,
    inputs: usize,
    /// A row per input with a weight per response.
    weights: Table,
    temperature: f64,
    /// The inputs of every context that differs from those before.
    contexts: Vec<Vec<Input>>,
    history: Vec<Remembered>,
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
            weights: Table::zeros(inputs, actions + 1),
            temperature: 1.0,
            contexts: Vec::new(),
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
        let mut law = Table::zeros(1, self.actions + 1);
        self.fill_scores(inputs, law.row_mut(0));
        law.numbers_mut(0).iter_mut().for_each(|score| *score /= temperature);
        soft_max(law.numbers_mut(0));
        law.numbers(0).to_vec()
    }

    /// Writes b_y + w_y·x of every response into a row.
    fn fill_scores(&self, inputs: &[Input], row: &mut [Block]) {
        row.fill(Block::default());
        inputs.iter().for_each(|input| add_scaled(row, self.weights.row(input.place), input.value));
    }

    /// The responses that a step looks at: all, or an even selection.
    fn selection(&self) -> Vec<Remembered> {
        let chosen = self.history.len().min(self.spec.memory);
        (0..chosen).map(|pick| self.history[pick * self.history.len() / chosen]).collect()
    }

    /// The bound on the curvature of every input's weights.
    fn curvature(&self, selection: &[Remembered]) -> Vec<f64> {
        let mut curvature = vec![self.spec.penalty; self.inputs];
        for paid in selection {
            let inputs = &self.contexts[paid.context];
            let size: f64 = inputs.iter().map(|input| input.value.abs()).sum();
            inputs.iter().for_each(|input| curvature[input.place] += 0.5 * input.value.abs() * size);
        }
        curvature
    }

    /// Steps down the loss. Contexts that come back have one law at each step, which is reckoned once.
    fn learn(&mut self) {
        let selection = self.selection();
        let curvature = self.curvature(&selection);
        let mut contexts: Vec<usize> = selection.iter().map(|paid| paid.context).collect();
        contexts.sort_unstable();
        contexts.dedup();
        let mut laws = Table::zeros(self.contexts.len(), self.actions + 1);
        let mut surprise = Table::zeros(1, self.actions + 1);
        for _ in 0..self.spec.steps {
            for &context in &contexts {
                self.fill_scores(&self.contexts[context], laws.row_mut(context));
                soft_max(laws.numbers_mut(context));
            }
            let mut gradient = Table::zeros(self.inputs, self.actions + 1);
            (0..self.inputs)
                .for_each(|input| add_scaled(gradient.row_mut(input), self.weights.row(input), self.spec.penalty));
            for paid in &selection {
                surprise.row_mut(0).copy_from_slice(laws.row(paid.context));
                surprise.numbers_mut(0)[paid.response] -= 1.0;
                for input in &self.contexts[paid.context] {
                    add_scaled(gradient.row_mut(input.place), surprise.row(0), input.value);
                }
            }
            for (input, bound) in curvature.iter().enumerate() {
                let weights = self.weights.numbers_mut(input).iter_mut();
                weights.zip(gradient.numbers(input)).for_each(|(weight, slope)| *weight -= slope / bound);
            }
        }
    }
}

impl Predictor for Feature {
    fn law(&self, context: &Context) -> ResponseLaw {
        ResponseLaw::proportional_to(&self.probabilities(&self.inputs_of(context), self.temperature))
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.remember(context, paid);
        self.learn();
    }

    /// Remembers all of them, then takes the steps once: one fit per batch, not one per answer.
    fn observe_all(&mut self, paid: &[(Context, PaidResponse)]) {
        paid.iter().for_each(|(context, paid)| self.remember(context, *paid));
        if !paid.is_empty() {
            self.learn();
        }
    }
}

impl Feature {
    fn remember(&mut self, context: &Context, paid: PaidResponse) {
        let inputs = self.inputs_of(context);
        let known = self.contexts.iter().position(|known| *known == inputs);
        let context = known.unwrap_or_else(|| {
            self.contexts.push(inputs);
            self.contexts.len() - 1
        });
        self.history.push(Remembered { context, response: paid.response().index(self.actions).min(self.actions) });
    }
}

/// Turns scores into probabilities.
fn soft_max(scores: &mut [f64]) {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter_mut().for_each(|score| *score = (*score - largest).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
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
