//! Exact values by backward induction.
//!
//! Q_h(s, a) = r(s, a) + Σ P(s' | s, a) V_{h+1}(s'), with V_h = max_a Q_h for the optimal values and Σ_a π_h Q_h for
//! those of a policy; V is 0 after the horizon and in final states. Invariant: no sampling
//! anywhere.

use counsel_decision::{Action, argmax};

use crate::{Dynamics, StagePolicy};

/// Q_h(s, a) and V_h(s) for every stage. Final states have value 0.
#[derive(Debug, Clone, PartialEq)]
pub struct StageValues {
    states: usize,
    actions: usize,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl StageValues {
    fn zero(world: &impl Dynamics) -> Self {
        let (states, actions, horizon) = (world.states(), world.actions(), world.horizon());
        Self { states, actions, q: vec![0.0; horizon * states * actions], v: vec![0.0; (horizon + 1) * states] }
    }

    /// Q_h(s, a).
    pub fn q(&self, stage: usize, state: usize, action: Action) -> f64 {
        self.action_values(stage, state)[action.index()]
    }

    /// Q_h(s, ·), one value per action.
    pub fn action_values(&self, stage: usize, state: usize) -> &[f64] {
        assert!(state < self.states, "state {state} of only {} states", self.states);
        let from = (stage * self.states + state) * self.actions;
        &self.q[from..from + self.actions]
    }

    /// V_h(s). The stage may be the horizon, where it is 0.
    pub fn v(&self, stage: usize, state: usize) -> f64 {
        assert!(state < self.states, "state {state} of only {} states", self.states);
        self.v[stage * self.states + state]
    }

    /// The actions within `tolerance` of the largest Q_h(s, ·).
    pub fn best_actions(&self, stage: usize, state: usize, tolerance: f64) -> Vec<Action> {
        let actions = (0..self.actions).map(Action::new);
        actions.filter(|&action| self.gap(stage, state, action) <= tolerance).collect()
    }

    /// max Q_h(s, ·) - Q_h(s, a): the Bellman gap when the values are optimal.
    pub fn gap(&self, stage: usize, state: usize, action: Action) -> f64 {
        let row = self.action_values(stage, state);
        row[argmax(row).index()] - row[action.index()]
    }

    /// The first best action of every stage and state, at `stage * states + state`.
    pub fn greedy(&self) -> Vec<Action> {
        self.q.chunks_exact(self.actions).map(argmax).collect()
    }

    /// Renews one stage from the values of the next; `back` turns Q_h(s, ·) into V_h(s).
    fn backup(&mut self, world: &impl Dynamics, stage: usize, back: impl Fn(usize, &[f64]) -> f64) {
        let (head, next) = self.v.split_at_mut((stage + 1) * self.states);
        let next = &next[..self.states];
        for state in (0..self.states).filter(|&state| !world.is_final(state)) {
            let from = (stage * self.states + state) * self.actions;
            let row = &mut self.q[from..from + self.actions];
            for (index, value) in row.iter_mut().enumerate() {
                let action = Action::new(index);
                *value = world.reward(state, action) + world.expect(state, action, next);
            }
            head[stage * self.states + state] = back(state, row);
        }
    }
}

/// The optimal values Q* of a world.
pub fn optimal(world: &impl Dynamics) -> StageValues {
    let mut values = StageValues::zero(world);
    for stage in (0..world.horizon()).rev() {
        values.backup(world, stage, |_, row| row[argmax(row).index()]);
    }
    values
}

/// The values Q^π of a policy in a world, to the horizon.
pub fn of_policy(world: &impl Dynamics, policy: &StagePolicy) -> StageValues {
    let mut values = StageValues::zero(world);
    for stage in (0..world.horizon()).rev() {
        values.backup(world, stage, |state, row| mean(policy.probabilities(stage, state), row));
    }
    values
}

fn mean(probabilities: &[f64], values: &[f64]) -> f64 {
    probabilities.iter().zip(values).map(|(probability, value)| probability * value).sum()
}
