//! How often each response has been given, over all contexts, with Dirichlet smoothing:
//! p̂(y) = (n_y + s/K) / (n + s), for K responses and strength s.

use counsel_decision::refusal::in_range;
use counsel_decision::{PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::Predictor;
use crate::{Context, Error};

/// The global frequency of responses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frequency {
    actions: usize,
    weights: Vec<f64>,
}

impl Frequency {
    /// A predictor whose uniform prior is worth `strength` responses.
    pub fn new(actions: usize, strength: f64) -> Result<Self, Error> {
        in_range(
            strength > 0.0 && strength.is_finite(),
            "the smoothing strength",
            strength,
            "(0, infinity)",
            "pass how many responses the prior is worth",
        )?;
        Ok(Self { actions, weights: vec![strength / (actions + 1) as f64; actions + 1] })
    }

    /// The smoothed frequencies.
    pub(super) fn smoothed(&self) -> ResponseLaw {
        ResponseLaw::proportional_to(&self.weights)
    }

    /// Counts a response.
    pub(super) fn count(&mut self, paid: PaidResponse) {
        if let Some(weight) = self.weights.get_mut(paid.response().index(self.actions)) {
            *weight += 1.0;
        }
    }
}

impl Predictor for Frequency {
    fn law(&self, _context: &Context) -> ResponseLaw {
        self.smoothed()
    }

    fn observe(&mut self, _context: &Context, paid: PaidResponse) {
        self.count(paid);
    }
}
