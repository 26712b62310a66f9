//! What was seen: N(s, a, s'), n(s, a) and the mean reward r̂(s, a), for a world that does not change with the stage.
//!
//! Invariant: Σ_{s'} N(s, a, s') = n(s, a), and a reward that is always the same has exactly itself as mean.

use counsel_decision::Action;
use counsel_decision::refusal::below;

use crate::{Error, Outline};

/// Transition counts and mean rewards.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    states: usize,
    actions: usize,
    reward_max: f64,
    transitions: Vec<u64>,
    visits: Vec<u64>,
    rewards: Vec<f64>,
}

impl Counts {
    /// Nothing seen yet.
    pub fn new(task: &Outline) -> Self {
        let cells = task.states() * task.actions();
        Self {
            states: task.states(),
            actions: task.actions(),
            reward_max: task.reward_max(),
            transitions: vec![0; cells * task.states()],
            visits: vec![0; cells],
            rewards: vec![0.0; cells],
        }
    }

    /// Adds one transition.
    pub fn observe(&mut self, state: usize, action: Action, reward: f64, next: usize) -> Result<(), Error> {
        below("the state", state, self.states)?;
        below("the action", action.index(), self.actions)?;
        below("the next state", next, self.states)?;
        if !(0.0..=self.reward_max).contains(&reward) {
            return Err(Error::Reward { reward, reward_max: self.reward_max });
        }
        let cell = state * self.actions + action.index();
        self.transitions[cell * self.states + next] += 1;
        self.visits[cell] += 1;
        self.rewards[cell] += (reward - self.rewards[cell]) / self.visits[cell] as f64;
        Ok(())
    }

    /// S.
    pub fn states(&self) -> usize {
        self.states
    }

    /// A.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// n(s, a).
    pub fn visits(&self, state: usize, action: Action) -> u64 {
        self.visits[self.cell(state, action)]
    }

    /// N(s, a, ·), one count per next state.
    pub fn next_states(&self, state: usize, action: Action) -> &[u64] {
        let from = self.cell(state, action) * self.states;
        &self.transitions[from..from + self.states]
    }

    /// r̂(s, a), the mean of the rewards seen, or 0 before the first.
    pub fn mean_reward(&self, state: usize, action: Action) -> f64 {
        self.rewards[self.cell(state, action)]
    }

    /// The sum of the rewards seen.
    pub fn reward_sum(&self, state: usize, action: Action) -> f64 {
        self.mean_reward(state, action) * self.visits(state, action) as f64
    }

    fn cell(&self, state: usize, action: Action) -> usize {
        assert!(action.index() < self.actions, "action {action} of only {} actions", self.actions);
        state * self.actions + action.index()
    }
}
