//! A combination lock: in each state one secret action advances, any other goes back to the start.
//!
//! An advance pays 1 / horizon, from the last state too, from which it leads around to the first. So the return of an
//! episode is the share of its steps that advance: 1 for who knows the code.
//!
//! DIFFERENCE: the paper does not print the lock's reward; see "The lock" in docs/DIFFERENCES.md.

use counsel_decision::refusal::{at_least, fits};
use counsel_decision::{Action, Seed};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::{Error, TabularMdp, TabularSpec};

/// The parameters of a combination lock.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `length` | 8 | 1 or more |
/// | `actions` | 4 | 1 or more |
/// | `horizon` | 16 | 1 or more |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lock {
    /// How many states there are.
    pub length: usize,
    /// How many actions there are in each.
    pub actions: usize,
    /// How many steps an episode has.
    pub horizon: usize,
}

impl Default for Lock {
    fn default() -> Self {
        Self { length: 8, actions: 4, horizon: 16 }
    }
}

impl Lock {
    /// The secret action of every state, from the seed's stream "code".
    pub fn code(&self, seed: Seed) -> Vec<Action> {
        let mut rng = seed.stream("code").rng();
        (0..self.length).map(|_| Action::new(rng.random_range(0..self.actions.max(1)))).collect()
    }

    /// The lock as tables.
    pub fn build(&self, seed: Seed) -> Result<TabularMdp, Error> {
        at_least("the length of the lock", self.length, 1, "give the lock a state")?;
        at_least("the horizon", self.horizon, 1, "let an episode have a step")?;
        fits("the table of values", &[self.length, self.actions, self.horizon], "make the world smaller")?;
        let mut transitions = vec![vec![(0, 1.0)]; self.length * self.actions];
        let mut rewards = vec![0.0; self.length * self.actions];
        for (state, secret) in self.code(seed).into_iter().enumerate().filter(|_| self.actions > 0) {
            let entry = state * self.actions + secret.index();
            transitions[entry] = vec![((state + 1) % self.length, 1.0)];
            rewards[entry] = 1.0 / self.horizon as f64;
        }
        TabularMdp::new(&TabularSpec {
            states: self.length,
            actions: self.actions,
            horizon: self.horizon,
            transitions,
            rewards,
            ..TabularSpec::default()
        })
    }
}
