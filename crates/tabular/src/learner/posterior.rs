//! The belief over models: P(· | s, a) ~ Dirichlet(α / S + N(s, a, ·)) and r(s, a) / r_max ~ Beta(1 + r, 1 + n - r),
//! r being the sum of the rewards seen, divided by r_max.
//!
//! A reward between 0 and r_max counts as that fraction of a success. Invariant: the model with a given seed depends on
//! the counts and on that seed alone.

use counsel_decision::refusal::{Refusal, in_range};
use counsel_decision::{Action, Seed};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Gamma};
use serde::{Deserialize, Serialize};

use crate::{Counts, Model, Outline};

/// The Dirichlet and Beta posterior with a prior of total weight α on the next states.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModelPosterior {
    /// α: how many transitions the prior is worth, spread evenly over the next states.
    pub weight: f64,
}

impl Default for ModelPosterior {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}

impl ModelPosterior {
    pub(crate) fn check(self) -> Result<(), Refusal> {
        let ok = self.weight.is_finite() && self.weight > 0.0;
        in_range(ok, "the prior weight", self.weight, "the positive numbers", "use 1 for a weak prior")
    }

    /// Draws the model of this seed.
    pub fn model(self, task: &Outline, counts: &Counts, seed: Seed) -> Model {
        let mut rng = seed.rng();
        let mut model = Model::blank(task);
        let each = self.weight / task.states() as f64;
        for state in (0..task.states()).filter(|&state| !task.is_final(state)) {
            for action in (0..task.actions()).map(Action::new) {
                let (row, reward) = model.cell_mut(state, action);
                dirichlet(row, each, counts.next_states(state, action), &mut rng);
                let visits = counts.visits(state, action) as f64;
                let successes = (counts.reward_sum(state, action) / task.reward_max()).clamp(0.0, visits);
                *reward = task.reward_max() * beta(1.0 + successes, 1.0 + visits - successes, &mut rng);
            }
        }
        model
    }
}

/// Fills `row` from the Dirichlet distribution with parameters `each + counts`.
fn dirichlet(row: &mut [f64], each: f64, counts: &[u64], rng: &mut impl Rng) {
    let mut total = 0.0;
    for (probability, &count) in row.iter_mut().zip(counts) {
        *probability = gamma(each + count as f64, rng);
        total += *probability;
    }
    if total > 0.0 {
        row.iter_mut().for_each(|probability| *probability /= total);
    } else {
        // Every draw was too small for a float, which needs a tiny prior and no data: the law is then, to that
        // precision, a single next state chosen evenly.
        let vertex = rng.random_range(0..row.len());
        row[vertex] = 1.0;
    }
}

fn beta(successes: f64, failures: f64, rng: &mut impl Rng) -> f64 {
    let (up, down) = (gamma(successes, rng), gamma(failures, rng));
    up / (up + down)
}

fn gamma(shape: f64, rng: &mut impl Rng) -> f64 {
    Gamma::new(shape, 1.0).expect("a prior weight that passed its check makes every shape positive").sample(rng)
}
