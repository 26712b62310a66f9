//! Advice that has been tampered with, as in the section "Does the certificate reject corrupted advice?".
//!
//! With a declared rate a usable response is replaced by a wrong move, all equally likely: plausible, because it can be
//! read and executed like any other. An unusable response stays unusable. What is spared is the truth where a simulation
//! knows it ([`Corruption::apply`]), and the advised action where nobody does ([`Corruption::strike`]).

use counsel_decision::refusal::{at_least, probability};
use counsel_decision::{Action, Response, ResponseLaw, Seed};
use rand::{Rng, RngExt};

use crate::simulated::wrong_action;
use crate::{Context, Error, Simulation, Spoken, Truth};

/// The tampering itself, for any source of responses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corruption {
    moves: usize,
    rate: f64,
}

impl Corruption {
    /// Replaces this share of the usable responses by one of the first `moves` actions.
    pub fn new(moves: usize, rate: f64) -> Result<Self, Error> {
        at_least("the number of actions", moves, 2, "a wrong answer needs a second action")?;
        probability("the rate of corruption", rate)?;
        Ok(Self { moves, rate })
    }

    /// What can be said instead of the spared action.
    fn wrong_moves(&self, spared: Action) -> impl Iterator<Item = Action> {
        (0..self.moves).map(Action::new).filter(move |&other| other != spared)
    }

    /// What becomes of a response where the truth is known: another action than the right one.
    pub fn apply(&self, response: Response, truth: Truth, seed: Seed) -> Spoken {
        let seed = seed.stream("corruption");
        if response == Response::Unusable || seed.rng().random::<f64>() >= self.rate {
            return Spoken::own(response);
        }
        Spoken { response: Response::Recommends(wrong_action(self.moves, truth, seed)), corrupted: true }
    }

    /// What becomes of a response where the truth is not known: another move than the advised one.
    ///
    /// Both numbers are drawn whatever the response is, so that the randomness of a call does not depend on its answer.
    pub fn strike(&self, response: Response, randomness: &mut impl Rng) -> Spoken {
        let strikes = randomness.random::<f64>() < self.rate;
        // Drawn with the 16 bits of an action's number: another width would draw other numbers from the same seed.
        let other = usize::from(randomness.random_range(0..u16::try_from(self.moves).unwrap_or(u16::MAX)));
        match response {
            Response::Recommends(advised) if strikes => {
                let count = self.wrong_moves(advised).count();
                let wrong = self.wrong_moves(advised).nth(other % count);
                Spoken { response: wrong.map_or(Response::Unusable, Response::Recommends), corrupted: true }
            }
            own => Spoken::own(own),
        }
    }

    /// What becomes of a law: p'(a) = (1 - rate) p(a), plus for wrong actions rate (1 - p(⊥)) / (A - 1).
    pub fn law(&self, law: &ResponseLaw, truth: Truth) -> ResponseLaw {
        let unusable = law.probability(Response::Unusable);
        let moved = self.rate * (1.0 - unusable) / (self.moves as f64 - 1.0);
        let weights: Vec<f64> = Response::all(law.actions())
            .map(|response| match response {
                Response::Unusable => unusable,
                Response::Recommends(action) if action == truth.right => (1.0 - self.rate) * law.probability(response),
                Response::Recommends(_) => (1.0 - self.rate) * law.probability(response) + moved,
            })
            .collect();
        ResponseLaw::proportional_to(&weights)
    }

    /// The law of what [`Corruption::strike`] makes of a known response, over so many actions: a point, spread over the
    /// wrong moves.
    pub fn law_after(&self, response: Response, actions: usize) -> Result<ResponseLaw, counsel_decision::Error> {
        let mut law = vec![0.0; actions + 1];
        match response {
            Response::Recommends(advised) if self.rate > 0.0 => {
                law[advised.index()] = 1.0 - self.rate;
                let count = self.wrong_moves(advised).count();
                self.wrong_moves(advised).for_each(|wrong| law[wrong.index()] += self.rate / count as f64);
            }
            response => law[response.index(actions)] = 1.0,
        }
        ResponseLaw::new(actions, law)
    }
}

/// A simulated advisor whose answers are tampered with.
#[derive(Debug, Clone, PartialEq)]
pub struct Corrupted<S> {
    advisor: S,
    corruption: Corruption,
}

impl<S: Simulation> Corrupted<S> {
    /// Tampers with this advisor.
    pub fn new(advisor: S, corruption: Corruption) -> Self {
        Self { advisor, corruption }
    }
}

impl<S: Simulation> Simulation for Corrupted<S> {
    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken {
        let own = self.advisor.respond(context, truth, seed);
        let after = self.corruption.apply(own.response, truth, seed);
        Spoken { corrupted: own.corrupted || after.corrupted, ..after }
    }

    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw {
        self.corruption.law(&self.advisor.law(context, truth), truth)
    }
}
