//! A simulated advisor: it is shown a context and the truth, and says something.
//!
//! Its law is that of the parsed response, before the response is drawn; all of its chance comes from the seed of the call.

use counsel_decision::{Reply, Response, ResponseLaw, Seed};

use crate::{Context, Truth};

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
    /// What it says to one paid question.
    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken;

    /// The law of its next response in this context.
    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw;

    /// What it says, as text.
    fn reply(&mut self, context: &Context, truth: Truth, seed: Seed) -> Reply {
        self.respond(context, truth, seed).reply()
    }
}
