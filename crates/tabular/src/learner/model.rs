//! A guess of the world: P(s' | s, a) and r(s, a) for every state and action, solved like the world itself.
//!
//! Invariant: the row of every state that is not final is a distribution, or all 0 where the empirical model has seen
//! nothing.

use crate::Dynamics;
use counsel_decision::Action;

use crate::{Counts, Outline};

/// A dense model of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    task: Outline,
    transitions: Vec<f64>,
    rewards: Vec<f64>,
}

impl Model {
    /// The model without transitions or rewards, to be filled in.
    pub(crate) fn blank(task: &Outline) -> Self {
        let cells = task.states() * task.actions();
        Self { task: task.clone(), transitions: vec![0.0; cells * task.states()], rewards: vec![0.0; cells] }
    }

    /// The empirical frequencies P̂ and mean rewards r̂.
    pub fn empirical(task: &Outline, counts: &Counts) -> Self {
        let mut model = Self::blank(task);
        for state in 0..task.states() {
            for action in (0..task.actions()).map(Action::new) {
                let visits = counts.visits(state, action).max(1) as f64;
                let (row, reward) = model.cell_mut(state, action);
                row.iter_mut().zip(counts.next_states(state, action)).for_each(|(p, &n)| *p = n as f64 / visits);
                *reward = counts.mean_reward(state, action);
            }
        }
        model
    }

    /// The task it is a model of.
    pub fn task(&self) -> &Outline {
        &self.task
    }

    /// P(· | s, a), one probability per next state.
    pub fn next_states(&self, state: usize, action: Action) -> &[f64] {
        let from = (state * self.task.actions() + action.index()) * self.task.states();
        &self.transitions[from..from + self.task.states()]
    }

    /// The row and the reward of one state and action.
    pub(crate) fn cell_mut(&mut self, state: usize, action: Action) -> (&mut [f64], &mut f64) {
        let cell = state * self.task.actions() + action.index();
        let from = cell * self.task.states();
        (&mut self.transitions[from..from + self.task.states()], &mut self.rewards[cell])
    }
}

impl Dynamics for Model {
    fn states(&self) -> usize {
        self.task.states()
    }

    fn actions(&self) -> usize {
        self.task.actions()
    }

    fn horizon(&self) -> usize {
        self.task.horizon()
    }

    fn is_final(&self, state: usize) -> bool {
        self.task.is_final(state)
    }

    fn reward(&self, state: usize, action: Action) -> f64 {
        self.rewards[state * self.task.actions() + action.index()]
    }

    fn expect(&self, state: usize, action: Action, values: &[f64]) -> f64 {
        self.next_states(state, action).iter().zip(values).map(|(probability, value)| probability * value).sum()
    }
}
