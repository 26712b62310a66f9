//! An advisor that repeats itself: asking again about the same context brings little news.
//!
//! In each context the first answer is right or wrong once and for all, drawn from the context's own stream. Every later
//! call repeats that with probability `persistence` and is drawn afresh otherwise. All wrong answers in a context name
//! the same wrong action. Whether a reply can be understood is drawn anew at each call.
//!
//! Invariant: a context's answers do not depend on what was asked in other contexts.

use std::collections::BTreeMap;

use counsel_decision::refusal::probability;
use counsel_decision::{ContextKey, Response, ResponseLaw, Seed};
use rand::RngExt;

use crate::simulated::displaced;
use crate::{Context, Error, Simulated, Simulation, Spoken, Truth};

/// What is settled in a context after the first call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Settled {
    right: bool,
    wrong_offset: usize,
}

/// A simulated advisor whose errors are correlated within a context.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlated {
    base: Simulated,
    persistence: f64,
    seed: Seed,
    settled: BTreeMap<ContextKey, Settled>,
}

impl Correlated {
    /// An advisor as reliable as `base`, whose contexts draw from `seed`.
    pub fn new(base: Simulated, persistence: f64, seed: Seed) -> Result<Self, Error> {
        probability("the persistence", persistence)?;
        Ok(Self { base, persistence, seed, settled: BTreeMap::new() })
    }

    fn first(&self, context: &Context) -> Settled {
        let stream = self.seed.stream("correlated").index(context.key.0);
        Settled {
            right: stream.stream("right").rng().random::<f64>() < self.base.reliability(context),
            wrong_offset: stream.stream("wrong offset").rng().random_range(1..self.base.actions()),
        }
    }
}

impl Simulation for Correlated {
    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken {
        let (settled, right) = match self.settled.get(&context.key) {
            None => {
                let settled = self.first(context);
                self.settled.insert(context.key, settled);
                (settled, settled.right)
            }
            Some(&settled) => {
                let repeats = seed.stream("repeats").rng().random::<f64>() < self.persistence;
                let afresh = seed.stream("right").rng().random::<f64>() < self.base.reliability(context);
                (settled, if repeats { settled.right } else { afresh })
            }
        };
        if !self.base.understood(seed) {
            return Spoken::own(Response::Unusable);
        }
        let wrong = displaced(self.base.actions(), truth, settled.wrong_offset);
        Spoken::own(Response::Recommends(if right { truth.right } else { wrong }))
    }

    /// Before the first call in a context, the law over what may come to be settled; afterwards, the law given what is
    /// settled.
    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw {
        let Some(settled) = self.settled.get(&context.key) else {
            return self.base.law(context, truth);
        };
        let afresh = (1.0 - self.persistence) * self.base.reliability(context);
        let right = afresh + if settled.right { self.persistence } else { 0.0 };
        let wrong = displaced(self.base.actions(), truth, settled.wrong_offset);
        self.base.law_of(truth, right, |action| if action == wrong { 1.0 } else { 0.0 })
    }
}
