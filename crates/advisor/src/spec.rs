//! A simulated advisor as declared, and as built.

use counsel_decision::{ResponseLaw, Seed};
use serde::{Deserialize, Serialize};

use crate::{Context, Correlated, Corrupted, Corruption, Error, Reliability, Simulated, Simulation, Spoken, Truth};

/// A simulated advisor as declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum AdvisorSpec {
    /// Independent calls with a declared reliability.
    Simulated {
        /// How often it is right.
        reliability: Reliability,
        /// How often it cannot be understood.
        #[serde(default)]
        parse_failure: f64,
    },
    /// Another advisor, tampered with.
    Corrupted {
        /// The share of usable responses that are replaced by a wrong action.
        rate: f64,
        /// The advisor.
        advisor: Box<AdvisorSpec>,
    },
    /// Calls that repeat what was said first in the context.
    Correlated {
        /// How often it is right.
        reliability: Reliability,
        /// How often it cannot be understood.
        #[serde(default)]
        parse_failure: f64,
        /// How often a later call repeats the first.
        persistence: f64,
    },
}

impl AdvisorSpec {
    /// The advisor on so many actions; correlated contexts draw from `seed`.
    pub fn build(&self, actions: usize, seed: Seed) -> Result<SimulatedAdvisor, Error> {
        Ok(match self {
            Self::Simulated { reliability, parse_failure } => {
                SimulatedAdvisor::Simulated(Simulated::new(actions, reliability.clone(), *parse_failure)?)
            }
            Self::Corrupted { rate, advisor } => SimulatedAdvisor::Corrupted(Box::new(Corrupted::new(
                advisor.build(actions, seed)?,
                Corruption::new(actions, *rate)?,
            ))),
            Self::Correlated { reliability, parse_failure, persistence } => {
                let base = Simulated::new(actions, reliability.clone(), *parse_failure)?;
                SimulatedAdvisor::Correlated(Correlated::new(base, *persistence, seed)?)
            }
        })
    }
}

/// A simulated advisor at work.
#[derive(Debug, Clone, PartialEq)]
pub enum SimulatedAdvisor {
    /// Independent calls.
    Simulated(Simulated),
    /// Tampered with.
    Corrupted(Box<Corrupted<SimulatedAdvisor>>),
    /// Calls that repeat.
    Correlated(Correlated),
}

impl Simulation for SimulatedAdvisor {
    fn respond(&mut self, context: &Context, truth: Truth, seed: Seed) -> Spoken {
        match self {
            Self::Simulated(advisor) => advisor.respond(context, truth, seed),
            Self::Corrupted(advisor) => advisor.respond(context, truth, seed),
            Self::Correlated(advisor) => advisor.respond(context, truth, seed),
        }
    }

    fn law(&self, context: &Context, truth: Truth) -> ResponseLaw {
        match self {
            Self::Simulated(advisor) => advisor.law(context, truth),
            Self::Corrupted(advisor) => advisor.law(context, truth),
            Self::Correlated(advisor) => advisor.law(context, truth),
        }
    }
}
