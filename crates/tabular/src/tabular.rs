//! A finite-horizon, time-homogeneous decision process written out as tables.
//!
//! P(s' | s, a) is kept as sparse rows, r(s, a) as a mean in [0, 1]. Invariant: every row is a distribution over
//! existing states, so a checked process can be played and solved without further checks.

use counsel_decision::Action;
use counsel_decision::refusal::{at_least, below, fits, in_range, probability, shape};
use serde::{Deserialize, Serialize};

use crate::{Dynamics, Error};

/// How far the probabilities of a row may be from 1 in total.
const ROUNDING: f64 = 1e-9;

/// How a reward is drawn from its mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RewardLaw {
    /// The mean itself.
    #[default]
    Exact,
    /// 1 with the mean as probability, else 0.
    Bernoulli,
}

/// A decision process as written. Tables have one entry per state and action, at `state * actions + action`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TabularSpec {
    /// S.
    pub states: usize,
    /// A.
    pub actions: usize,
    /// H.
    pub horizon: usize,
    /// The state every episode starts in.
    pub initial: usize,
    /// The possible next states of each state and action, with their probabilities.
    pub transitions: Vec<Vec<(usize, f64)>>,
    /// The mean reward of each state and action.
    pub rewards: Vec<f64>,
    /// How a reward is drawn from its mean.
    pub law: RewardLaw,
    /// The states whose entry ends the episode.
    pub final_states: Vec<usize>,
}

/// A checked decision process.
#[derive(Debug, Clone, PartialEq)]
pub struct TabularMdp {
    states: usize,
    actions: usize,
    horizon: usize,
    initial: usize,
    starts: Vec<usize>,
    next: Vec<(usize, f64)>,
    rewards: Vec<f64>,
    law: RewardLaw,
    finals: Vec<bool>,
}

impl TabularMdp {
    /// Checks a process as written.
    pub fn new(spec: &TabularSpec) -> Result<Self, Error> {
        let &TabularSpec { states, actions, horizon, initial, law, .. } = spec;
        at_least("the number of states", states, 1, "declare a state")?;
        at_least("the number of actions", actions, 1, "declare an action")?;
        at_least("the horizon", horizon, 1, "let an episode have a step")?;
        fits("the table of values", &[states, actions, horizon], "make the world smaller")?;
        below("the largest action", actions - 1, usize::from(u16::MAX))?;
        below("the initial state", initial, states)?;
        shape("the table of transitions", spec.transitions.len(), states * actions, "state and action")?;
        shape("the table of rewards", spec.rewards.len(), states * actions, "state and action")?;
        for &mean in &spec.rewards {
            in_range((0.0..=1.0).contains(&mean), "a mean reward", mean, "[0, 1]", "rescale the rewards")?;
        }
        let mut finals = vec![false; states];
        for &state in &spec.final_states {
            below("a final state", state, states)?;
            finals[state] = true;
        }
        if finals[initial] {
            let range = "no final state";
            return Err(Error::Count { what: "the initial state", value: initial, range, remedy: "start elsewhere" });
        }
        let mut starts = vec![0];
        let mut next = Vec::new();
        for (entry, row) in spec.transitions.iter().enumerate() {
            for &(state, p) in row {
                below("a next state", state, states)?;
                probability("a transition probability", p)?;
            }
            let sum = row.iter().fold(0.0, |sum, &(_, p)| sum + p);
            if (sum - 1.0).abs() > ROUNDING {
                return Err(Error::NotADistribution { state: entry / actions, action: entry % actions, sum });
            }
            next.extend(row.iter().copied().filter(|&(_, p)| p > 0.0));
            starts.push(next.len());
        }
        Ok(Self { states, actions, horizon, initial, starts, next, rewards: spec.rewards.clone(), law, finals })
    }

    /// The same process, cut after so many steps.
    pub fn with_horizon(&self, horizon: usize) -> Result<Self, Error> {
        at_least("the horizon", horizon, 1, "let an episode have a step")?;
        fits("the table of values", &[self.states, self.actions, horizon], "make the world smaller")?;
        Ok(Self { horizon, ..self.clone() })
    }

    /// The state every episode starts in.
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// How a reward is drawn from its mean.
    pub fn law(&self) -> RewardLaw {
        self.law
    }

    /// The possible next states with their probabilities.
    pub fn next_states(&self, state: usize, action: Action) -> &[(usize, f64)] {
        let entry = self.entry(state, action);
        &self.next[self.starts[entry]..self.starts[entry + 1]]
    }

    /// The states whose entry ends the episode, in order.
    pub fn final_states(&self) -> Vec<usize> {
        (0..self.states).filter(|&state| self.finals[state]).collect()
    }

    /// The largest reward one step can pay.
    pub fn reward_max(&self) -> f64 {
        match self.law {
            RewardLaw::Exact => self.rewards.iter().copied().fold(0.0, f64::max),
            RewardLaw::Bernoulli => 1.0,
        }
    }

    fn entry(&self, state: usize, action: Action) -> usize {
        assert!(action.index() < self.actions, "action {action} of only {} actions", self.actions);
        state * self.actions + action.index()
    }
}

impl Dynamics for TabularMdp {
    fn states(&self) -> usize {
        self.states
    }

    fn actions(&self) -> usize {
        self.actions
    }

    fn horizon(&self) -> usize {
        self.horizon
    }

    fn is_final(&self, state: usize) -> bool {
        self.finals[state]
    }

    fn reward(&self, state: usize, action: Action) -> f64 {
        self.rewards[self.entry(state, action)]
    }

    fn expect(&self, state: usize, action: Action, values: &[f64]) -> f64 {
        self.next_states(state, action).iter().map(|&(next, probability)| probability * values[next]).sum()
    }
}
