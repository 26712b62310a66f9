//! The predictor that has foretold paid answers best: several learn side by side, and the one with the best score speaks.
//!
//! The score of a predictor is the sum of the logarithms of the probabilities that it gave to paid answers before it learned
//! from them, so it is a score on answers that it had not seen, and nothing but paid answers enters it.

use counsel_decision::{PaidResponse, ResponseLaw};
use serde::{Deserialize, Serialize};

use super::{AnyPredictor, Feature, FeatureSpec, Forest, ForestSpec, Predictor};
use crate::{Context, Error};

/// A predictor and its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Candidate {
    predictor: AnyPredictor,
    score: f64,
}

/// Several predictors, of which the best speaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    actions: usize,
    candidates: Vec<Candidate>,
}

impl Chosen {
    /// Logistic regression and a forest, with their defaults.
    pub fn new(actions: usize, features: usize) -> Result<Self, Error> {
        let linear = AnyPredictor::Feature(Feature::new(actions, features, FeatureSpec::default())?);
        let forest = AnyPredictor::Forest(Forest::new(actions, features, ForestSpec::default())?);
        let candidates = [linear, forest].map(|predictor| Candidate { predictor, score: 0.0 }).into();
        Ok(Self { actions, candidates })
    }

    /// The predictor that speaks: the one with the best score, and of several the first.
    pub fn best(&self) -> &AnyPredictor {
        let best = self.candidates.iter().rev().max_by(|one, other| one.score.total_cmp(&other.score));
        &best.unwrap_or(&self.candidates[0]).predictor
    }

    fn score(&mut self, context: &Context, paid: PaidResponse) {
        let place = paid.response().index(self.actions).min(self.actions);
        for Candidate { predictor, score } in &mut self.candidates {
            *score += predictor.law(context).as_slice()[place].max(f64::MIN_POSITIVE).ln();
        }
    }
}

impl Predictor for Chosen {
    fn law(&self, context: &Context) -> ResponseLaw {
        self.best().law(context)
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.score(context, paid);
        self.candidates.iter_mut().for_each(|candidate| candidate.predictor.observe(context, paid));
    }

    fn observe_all(&mut self, paid: &[(Context, PaidResponse)]) {
        paid.iter().for_each(|(context, paid)| self.score(context, *paid));
        self.candidates.iter_mut().for_each(|candidate| candidate.predictor.observe_all(paid));
    }
}
