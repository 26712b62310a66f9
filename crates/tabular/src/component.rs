//! A random process without structure, for component tests of predictors, gates and bounds.
//!
//! Every state and action leads to `branching` different states with probabilities drawn uniformly from the simplex.
//! One good action per state has a mean reward from U[0.6, 1], the others from U[0, 0.5]; rewards are Bernoulli. The good
//! action is best for the next reward, and not always for the return.

use counsel_decision::refusal::{at_least, fits};
use counsel_decision::{Action, Seed};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::{Error, RewardLaw, TabularMdp, TabularSpec};

/// The parameters of a random process.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `states` | 10 | 1 or more |
/// | `actions` | 4 | 1 or more |
/// | `horizon` | 10 | 1 or more |
/// | `branching` | 3 | 1 to `states` |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ComponentMdp {
    /// How many states there are.
    pub states: usize,
    /// How many actions there are in each.
    pub actions: usize,
    /// How many steps an episode has.
    pub horizon: usize,
    /// How many states an action can lead to.
    pub branching: usize,
}

impl Default for ComponentMdp {
    fn default() -> Self {
        Self { states: 10, actions: 4, horizon: 10, branching: 3 }
    }
}

impl ComponentMdp {
    /// The good action of every state, from the seed's stream "good".
    pub fn good_actions(&self, seed: Seed) -> Vec<Action> {
        let mut rng = seed.stream("good").rng();
        (0..self.states).map(|_| Action::new(rng.random_range(0..self.actions.max(1)))).collect()
    }

    /// The process as tables.
    pub fn build(&self, seed: Seed) -> Result<TabularMdp, Error> {
        at_least("the number of actions", self.actions, 1, "declare an action")?;
        at_least("the branching", self.branching, 1, "let an action lead somewhere")?;
        if self.branching > self.states {
            let (range, remedy) = ("at most the number of states", "lower it or declare more states");
            return Err(Error::Count { what: "the branching", value: self.branching, range, remedy });
        }
        fits("the table of values", &[self.states, self.actions, self.horizon], "make the world smaller")?;
        let mut move_rng = seed.stream("transitions").rng();
        let mut reward_rng = seed.stream("rewards").rng();
        let good = self.good_actions(seed);
        let mut transitions = Vec::with_capacity(self.states * self.actions);
        let mut rewards = Vec::with_capacity(self.states * self.actions);
        let mut order: Vec<usize> = (0..self.states).collect();
        for entry in 0..self.states * self.actions {
            for place in 0..self.branching {
                order.swap(place, move_rng.random_range(place..self.states));
            }
            // Normalised exponentials are uniform on the simplex.
            let weights: Vec<f64> = (0..self.branching).map(|_| -(1.0 - move_rng.random::<f64>()).ln()).collect();
            let total = weights.iter().sum::<f64>();
            transitions.push(order.iter().zip(&weights).map(|(&next, weight)| (next, weight / total)).collect());
            let is_good = good[entry / self.actions].index() == entry % self.actions;
            rewards.push(if is_good { reward_rng.random_range(0.6..1.0) } else { reward_rng.random_range(0.0..0.5) });
        }
        TabularMdp::new(&TabularSpec {
            states: self.states,
            actions: self.actions,
            horizon: self.horizon,
            transitions,
            rewards,
            law: RewardLaw::Bernoulli,
            ..TabularSpec::default()
        })
    }
}
