//! Advice that has been tampered with, as in the section "Does the certificate reject corrupted advice?".
//!
//! With a declared rate a usable response is replaced by a wrong action, all equally likely: plausible, because it can be
//! read and executed like any other. An unusable response stays unusable.

use counsel_decision::refusal::{at_least, probability};
use counsel_decision::{Response, ResponseLaw, Seed};
use rand::RngExt;

use crate::simulated::wrong_action;
use crate::{Context, Error, Simulation, Spoken, Truth};

/// The tampering itself, for any source of responses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corruption {
    actions: usize,
    rate: f64,
}

impl Corruption {
    /// Replaces this share of the usable responses.
    pub fn new(actions: usize, rate: f64) -> Result<Self, Error> {
        at_least("the number of actions", actions, 2, "a wrong answer needs a second action")?;
        probability("the rate of corruption", rate)?;
        Ok(Self { actions, rate })
    }

    /// What becomes of a response.
    pub fn apply(&self, response: Response, truth: Truth, seed: Seed) -> Spoken {
        let seed = seed.stream("corruption");
        if response == Response::Unusable || seed.rng().random::<f64>() >= self.rate {
            return Spoken::own(response);
        }
        Spoken { response: Response::Recommends(wrong_action(self.actions, truth, seed)), corrupted: true }
    }

    /// What becomes of a law: p'(a) = (1 - rate) p(a), plus for wrong actions rate (1 - p(⊥)) / (A - 1).
    pub fn law(&self, law: &ResponseLaw, truth: Truth) -> ResponseLaw {
        let unusable = law.probability(Response::Unusable);
        let moved = self.rate * (1.0 - unusable) / (self.actions as f64 - 1.0);
        let weights: Vec<f64> = Response::all(law.actions())
            .map(|response| match response {
                Response::Unusable => unusable,
                Response::Recommends(action) if action == truth.right => (1.0 - self.rate) * law.probability(response),
                Response::Recommends(_) => (1.0 - self.rate) * law.probability(response) + moved,
            })
            .collect();
        ResponseLaw::proportional_to(&weights)
    }
}

/// A simulated advisor whose answers are tampered with.
#[derive(Debug, Clone, PartialEq)]
pub struct Corrupted<S> {
    advisor: S,
    corruption: Corruption,
    version: String,
}

impl<S: Simulation> Corrupted<S> {
    /// Tampers with this advisor.
    pub fn new(advisor: S, corruption: Corruption) -> Self {
        let version = format!("corrupted-1 {}", advisor.version());
        Self { advisor, corruption, version }
    }
}

impl<S: Simulation> Simulation for Corrupted<S> {
    fn version(&self) -> &str {
        &self.version
    }

    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken {
        let own = self.advisor.respond(context, truth, seed);
        let after = self.corruption.apply(own.response, truth, seed);
        Spoken { corrupted: own.corrupted || after.corrupted, ..after }
    }

    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw {
        self.corruption.law(&self.advisor.law(context, truth), truth)
    }
}
