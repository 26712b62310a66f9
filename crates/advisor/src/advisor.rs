//! An advisor: it is shown a context and says something.
//!
//! A simulation is told the truth as well. Its law is that of the parsed response, before the response is drawn;
//! all of its chance comes from the seed of the call.

use counsel_decision::{Reply, Response, ResponseLaw, Seed};

use crate::{Context, Truth};

/// Anybody who answers.
pub trait Advisor {
    /// The version of the advisor, so that kept answers of different versions are never mixed.
    fn version(&self) -> &str;

    /// The answer to one paid question.
    fn reply(&mut self, context: &Context, seed: Seed) -> Reply;
}

/// What a simulated advisor said, and whether it had been tampered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spoken {
    /// The response as it is meant.
    pub response: Response,
    /// Whether a corruption replaced the advisor's own response.
    pub corrupted: bool,
}

impl Spoken {
    /// The advisor's own response.
    pub fn own(response: Response) -> Self {
        Self { response, corrupted: false }
    }

    /// The text that carries the response, in the vocabulary of `Parser::numbered`.
    pub fn reply(self) -> Reply {
        Reply::simulated(match self.response {
            Response::Recommends(action) => format!("a{}", action.index()),
            // A sentence is no word of any numbered vocabulary.
            Response::Unusable => String::from("I would rather think about it some more"),
        })
    }
}

/// An advisor that knows the truth and its own law.
pub trait Simulation {
    /// The version of the advisor.
    fn version(&self) -> &str;

    /// What it says to one paid question.
    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken;

    /// The law of its next response in this context.
    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw;

    /// What it says, as text.
    fn reply(&mut self, context: &Context, truth: Truth, seed: Seed) -> Reply {
        self.respond(context, truth, seed).reply()
    }
}

/// A simulation that has been told the truth about the context at hand, so that it can stand where any advisor can.
#[derive(Debug)]
pub struct Informed<'a, S> {
    simulation: &'a mut S,
    truth: Truth,
}

impl<'a, S: Simulation> Informed<'a, S> {
    /// Tells the truth to a simulation.
    pub fn new(simulation: &'a mut S, truth: Truth) -> Self {
        Self { simulation, truth }
    }
}

impl<S: Simulation> Advisor for Informed<'_, S> {
    fn version(&self) -> &str {
        self.simulation.version()
    }

    fn reply(&mut self, context: &Context, seed: Seed) -> Reply {
        self.simulation.reply(context, self.truth, seed)
    }
}
