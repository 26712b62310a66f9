//! A policy that may depend on the stage: π_h(a | s).
//!
//! Invariant: one distribution over actions per stage and state.

use counsel_decision::Action;
use counsel_decision::refusal::{at_least, below, probability, shape};

use crate::Error;

/// The probability of every action at every stage and state.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePolicy {
    states: usize,
    actions: usize,
    probabilities: Vec<f64>,
}

impl StagePolicy {
    /// (1 - ε) times `choices[stage * states + state]` plus ε times the uniform distribution.
    pub fn softened(states: usize, actions: usize, choices: &[Action], epsilon: f64) -> Result<Self, Error> {
        at_least("the number of states", states, 1, "declare a state")?;
        at_least("the number of actions", actions, 1, "declare an action")?;
        let stages = choices.len().div_ceil(states).max(1);
        shape("the table of choices", choices.len(), stages * states, "stage and state")?;
        probability("epsilon", epsilon)?;
        let mut probabilities = vec![epsilon / actions as f64; choices.len() * actions];
        for (row, choice) in probabilities.chunks_exact_mut(actions).zip(choices) {
            below("a chosen action", choice.index(), actions)?;
            row[choice.index()] += 1.0 - epsilon;
        }
        Ok(Self { states, actions, probabilities })
    }

    /// The probability of each action.
    pub fn probabilities(&self, stage: usize, state: usize) -> &[f64] {
        assert!(state < self.states, "state {state} of only {} states", self.states);
        let from = (stage * self.states + state) * self.actions;
        &self.probabilities[from..from + self.actions]
    }

    /// The action at which the cumulated probability passes `draw`, a number in [0, 1).
    pub fn draw(&self, stage: usize, state: usize, draw: f64) -> Action {
        let row = self.probabilities(stage, state);
        let mut left = draw;
        let mut chosen = 0;
        for (action, &probability) in row.iter().enumerate() {
            if probability > 0.0 {
                chosen = action;
                if left < probability {
                    break;
                }
                left -= probability;
            }
        }
        Action::new(chosen)
    }

    /// How many states it covers.
    pub fn states(&self) -> usize {
        self.states
    }

    /// How many actions it chooses from.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// How many stages it covers.
    pub fn horizon(&self) -> usize {
        self.probabilities.len() / (self.states * self.actions)
    }
}
