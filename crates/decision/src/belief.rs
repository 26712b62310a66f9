//! Belief over environment models and its update by a response, Eq. `main:update`:
//! b^y(M) ∝ p(y | M, z) b(M).
//!
//! A belief is a weighted list of models: every model with its exact probability (exact posterior), or models drawn from
//! the belief with equal weights (importance-weighted posterior). The update is the same.

use serde::{Deserialize, Serialize};

use crate::refusal::shape;
use crate::response::check_distribution;
use crate::{Error, Response, ResponseLaw};

/// b(M): a weight per model, adding up to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Belief(Vec<f64>);

impl Belief {
    /// Every model with its exact probability.
    pub fn exact(probabilities: Vec<f64>) -> Result<Self, Error> {
        check_distribution("the belief", &probabilities)?;
        Ok(Self(probabilities))
    }

    /// `count` models drawn from the belief, equally weighted.
    pub fn drawn(count: usize) -> Self {
        Self(vec![1.0 / count as f64; count])
    }

    /// The weights, one per model.
    pub fn weights(&self) -> &[f64] {
        &self.0
    }

    /// The probability of each response when the model is uncertain: p(y | z) = Σ_M p(y | M, z) b(M).
    pub fn predict(&self, likelihood: &Likelihood) -> Result<ResponseLaw, Error> {
        shape("the belief", self.0.len(), likelihood.models(), "model of the likelihood")?;
        let responses = likelihood.actions + 1;
        let mut law = vec![0.0; responses];
        for (row, weight) in likelihood.table.chunks_exact(responses).zip(&self.0) {
            law.iter_mut().zip(row).for_each(|(p, q)| *p += weight * q);
        }
        ResponseLaw::new(likelihood.actions, law)
    }

    /// The belief after a response, or nothing if no believed model could have given it.
    pub fn given(&self, likelihood: &Likelihood, response: Response) -> Option<Posterior> {
        let mut weights: Vec<f64> =
            self.0.iter().enumerate().map(|(model, b)| b * likelihood.probability(model, response)).collect();
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Some(Posterior(Self(weights)))
    }
}

/// A belief that has been conditioned on a response. Only [`Belief::given`] makes one; an unconditional belief cannot pass
/// for it:
///
/// ```compile_fail
/// let unconditional = counsel_decision::Posterior(counsel_decision::Belief::drawn(8));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior(Belief);

impl Posterior {
    /// The conditioned belief.
    pub fn belief(&self) -> &Belief {
        &self.0
    }

    /// Goes on with the conditioned belief.
    pub fn into_belief(self) -> Belief {
        self.0
    }

    /// 1 / Σ w²: how many equally weighted models the posterior is worth.
    pub fn effective_sample_size(&self) -> f64 {
        1.0 / self.0.weights().iter().map(|w| w * w).sum::<f64>()
    }
}

/// A validated likelihood p(y | M, z): one response law per model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Likelihood {
    actions: usize,
    table: Vec<f64>,
}

impl Likelihood {
    /// A likelihood laid out as `table[model * (actions + 1) + response]`, each row a distribution.
    pub fn new(actions: usize, table: Vec<f64>) -> Result<Self, Error> {
        let models = (table.len() / (actions + 1)).max(1);
        shape("the likelihood", table.len(), models * (actions + 1), "model and response")?;
        for row in table.chunks_exact(actions + 1) {
            check_distribution("a model's responses", row)?;
        }
        Ok(Self { actions, table })
    }

    /// How many models it covers.
    pub fn models(&self) -> usize {
        self.table.len() / (self.actions + 1)
    }

    /// The table, row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.table
    }

    /// p(y | M).
    pub fn probability(&self, model: usize, response: Response) -> f64 {
        self.table[model * (self.actions + 1) + response.index(self.actions)]
    }
}
