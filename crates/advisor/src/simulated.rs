//! An advisor with a declared reliability.
//!
//! With probability `parse_failure` nothing can be understood; otherwise it names the right action with its
//! reliability, and else one of the wrong actions, all equally likely. Calls are independent.

use counsel_decision::refusal::{at_least, probability};
use counsel_decision::{Action, Response, ResponseLaw, Seed};
use rand::RngExt;

use crate::{Context, Error, Reliability, Simulation, Spoken, Truth};

/// A simulated advisor whose calls are independent.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulated {
    actions: usize,
    reliability: Reliability,
    parse_failure: f64,
}

impl Simulated {
    /// An advisor on at least two actions.
    pub fn new(actions: usize, reliability: Reliability, parse_failure: f64) -> Result<Self, Error> {
        at_least("the number of actions", actions, 2, "a wrong answer needs a second action")?;
        probability("the rate of parse failures", parse_failure)?;
        Ok(Self { actions, reliability: reliability.checked()?, parse_failure })
    }

    /// How many actions it can name.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How often it is right in this context, given that it can be understood.
    pub fn reliability(&self, context: &Context) -> f64 {
        self.reliability.at(context.key)
    }

    /// Whether the answer drawn with this seed can be understood.
    pub(crate) fn understood(&self, seed: Seed) -> bool {
        seed.stream("parse failure").rng().random::<f64>() >= self.parse_failure
    }

    /// The law in which the right action has probability `right` and the wrong actions share the rest as `wrong` says,
    /// given that the answer can be understood.
    pub(crate) fn law_of(&self, truth: Truth, right: f64, wrong: impl Fn(Action) -> f64) -> ResponseLaw {
        let understood = 1.0 - self.parse_failure;
        let mut weights: Vec<f64> = (0..self.actions)
            .map(Action::new)
            .map(|action| if action == truth.right { right } else { (1.0 - right) * wrong(action) })
            .map(|p| understood * p)
            .collect();
        weights.push(self.parse_failure);
        ResponseLaw::proportional_to(&weights)
    }
}

/// One of the wrong actions, all equally likely.
pub(crate) fn wrong_action(actions: usize, truth: Truth, seed: Seed) -> Action {
    displaced(actions, truth, seed.stream("wrong action").rng().random_range(1..actions))
}

/// The wrong action that comes `offset` places after the right one.
pub(crate) fn displaced(actions: usize, truth: Truth, offset: usize) -> Action {
    Action::new((truth.right.index() + offset) % actions)
}

impl Simulation for Simulated {
    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken {
        if !self.understood(seed) {
            return Spoken::own(Response::Unusable);
        }
        let right = seed.stream("right").rng().random::<f64>() < self.reliability(context);
        let action = if right { truth.right } else { wrong_action(self.actions, truth, seed) };
        Spoken::own(Response::Recommends(action))
    }

    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw {
        self.law_of(truth, self.reliability(context), |_| 1.0 / (self.actions as f64 - 1.0))
    }
}
