//! Contexts in which the advisor is sometimes reliable, and an observable feature that says where.
//!
//! The contexts are visited in a cycle. In each, action 1 is right and pays 1, and action 0, the fallback's habit, pays
//! nothing. Half of the contexts, drawn from the seed, carry feature 1 and a reliable advisor; the rest carry 0.

use counsel_decision::refusal::{fits, probability};
use counsel_decision::{Action, Seed};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::{Error, TabularMdp, TabularSpec};

/// The parameters of contexts of different reliability.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `contexts` | 24 | 2 or more, even |
/// | `reliability_high` | 0.9 | [0, 1] |
/// | `reliability_low` | 0.1 | [0, 1] |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeterogeneousContexts {
    /// How many contexts there are.
    pub contexts: usize,
    /// How often the advisor is right where the feature is 1.
    pub reliability_high: f64,
    /// How often the advisor is right where the feature is 0.
    pub reliability_low: f64,
}

impl Default for HeterogeneousContexts {
    fn default() -> Self {
        Self { contexts: 24, reliability_high: 0.9, reliability_low: 0.1 }
    }
}

/// Contexts with what is known, and what is true, of the advisor in each.
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturedContexts {
    /// The contexts as tables, one state each.
    pub mdp: TabularMdp,
    /// How often the advisor is right in each context. Hidden from the agent.
    pub reliability: Vec<f64>,
    /// What the agent sees of each context: a constant 1, and the feature.
    pub features: Vec<[f64; 2]>,
}

impl HeterogeneousContexts {
    /// What the fallback does by habit.
    pub const HABIT: Action = Action(0);
    /// The right action of every context.
    pub const RIGHT: Action = Action(1);

    /// The contexts, with features drawn from the seed's stream "features".
    pub fn build(&self, seed: Seed) -> Result<FeaturedContexts, Error> {
        let what = "the number of contexts";
        if self.contexts < 2 || self.contexts % 2 == 1 {
            let range = "even and at least 2";
            return Err(Error::Count { what, value: self.contexts, range, remedy: "let it be halved" });
        }
        fits("the table of values", &[self.contexts, 2, self.contexts], "make the world smaller")?;
        for reliability in [self.reliability_high, self.reliability_low] {
            probability("a reliability", reliability)?;
        }
        let mut features: Vec<[f64; 2]> =
            (0..self.contexts).map(|place| [1.0, if place < self.contexts / 2 { 1.0 } else { 0.0 }]).collect();
        let mut rng = seed.stream("features").rng();
        for place in (1..self.contexts).rev() {
            features.swap(place, rng.random_range(0..=place));
        }
        let reliability = features
            .iter()
            .map(|&[_, feature]| if feature == 1.0 { self.reliability_high } else { self.reliability_low })
            .collect();
        Ok(FeaturedContexts { mdp: self.cycle()?, reliability, features })
    }

    fn cycle(&self) -> Result<TabularMdp, Error> {
        TabularMdp::new(&TabularSpec {
            states: self.contexts,
            actions: 2,
            horizon: self.contexts,
            transitions: (0..2 * self.contexts).map(|entry| vec![((entry / 2 + 1) % self.contexts, 1.0)]).collect(),
            rewards: [0.0, 1.0].repeat(self.contexts),
            ..TabularSpec::default()
        })
    }
}
