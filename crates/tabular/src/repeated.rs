//! Contexts that come round again: the paper's repeatable, covered contexts.
//!
//! Context z is followed by z + 1 whatever is done, and the last by the first, so actions differ in their reward only
//! and the gap of a wrong action is `right - wrong`.

use counsel_decision::refusal::{at_least, fits};
use counsel_decision::{Action, Seed};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::{Error, RewardLaw, TabularMdp, TabularSpec};

/// The parameters of a cycle of contexts.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `contexts` | 12 | 1 or more |
/// | `actions` | 4 | 1 or more |
/// | `passes` | 1 | 1 or more |
/// | `right` | 1.0 | [0, 1] |
/// | `wrong` | 0.0 | [0, 1] |
/// | `law` | `exact` | `exact`, `bernoulli` |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RepeatedContexts {
    /// How many contexts there are.
    pub contexts: usize,
    /// How many actions there are in each.
    pub actions: usize,
    /// How many times an episode goes through all contexts.
    pub passes: usize,
    /// The mean reward of the right action.
    pub right: f64,
    /// The mean reward of every other action.
    pub wrong: f64,
    /// How a reward is drawn from its mean.
    pub law: RewardLaw,
}

impl Default for RepeatedContexts {
    fn default() -> Self {
        Self { contexts: 12, actions: 4, passes: 1, right: 1.0, wrong: 0.0, law: RewardLaw::Exact }
    }
}

impl RepeatedContexts {
    /// The right action of every context, from the seed's stream "right".
    pub fn right_actions(&self, seed: Seed) -> Vec<Action> {
        let mut rng = seed.stream("right").rng();
        (0..self.contexts).map(|_| Action::new(rng.random_range(0..self.actions.max(1)))).collect()
    }

    /// The contexts as tables, one state each.
    pub fn build(&self, seed: Seed) -> Result<TabularMdp, Error> {
        at_least("the number of passes", self.passes, 1, "let an episode see the contexts")?;
        let sizes = [self.contexts, self.actions, self.contexts, self.passes];
        fits("the table of values", &sizes, "make the world smaller")?;
        let cells = self.contexts * self.actions;
        let next = |entry: usize| vec![((entry / self.actions + 1) % self.contexts, 1.0)];
        let mut rewards = vec![self.wrong; cells];
        for (context, right) in self.right_actions(seed).into_iter().enumerate().filter(|_| self.actions > 0) {
            rewards[context * self.actions + right.index()] = self.right;
        }
        TabularMdp::new(&TabularSpec {
            states: self.contexts,
            actions: self.actions,
            horizon: self.contexts * self.passes,
            transitions: (0..cells).map(next).collect(),
            rewards,
            law: self.law,
            ..TabularSpec::default()
        })
    }
}
