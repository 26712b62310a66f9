//! What a learner is told about the world before it starts: its size, and never its tables.
//!
//! Invariant: from stage h on, no policy can collect more than V_max(h) = (H - h) r_max.

use crate::{Dynamics, TabularMdp};
use counsel_decision::refusal::{below, in_range};
use counsel_world::End;

use crate::Error;
use crate::error::positive;

/// The declared frame of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    states: usize,
    actions: usize,
    horizon: usize,
    finals: Vec<bool>,
    reward_max: f64,
}

impl Outline {
    /// A frame with rewards from 0 to `reward_max` and known final states.
    pub fn new(
        states: usize,
        actions: usize,
        horizon: usize,
        final_states: &[usize],
        reward_max: f64,
    ) -> Result<Self, Error> {
        positive("the number of states", states)?;
        positive("the number of actions", actions)?;
        positive("the horizon", horizon)?;
        below("the largest action", actions - 1, usize::from(u16::MAX))?;
        let ok = reward_max.is_finite() && reward_max > 0.0;
        in_range(ok, "reward_max", reward_max, "the positive numbers", "declare the largest reward of one step")?;
        let mut finals = vec![false; states];
        for &state in final_states {
            below("a final state", state, states)?;
            finals[state] = true;
        }
        Ok(Self { states, actions, horizon, finals, reward_max })
    }

    /// The frame of a tabular world.
    pub fn of(mdp: &TabularMdp) -> Result<Self, Error> {
        Self::new(mdp.states(), mdp.actions(), mdp.horizon(), &mdp.final_states(), mdp.reward_max())
    }

    /// S.
    pub fn states(&self) -> usize {
        self.states
    }

    /// A.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// H.
    pub fn horizon(&self) -> usize {
        self.horizon
    }

    /// Whether entering this state ends the episode.
    pub fn is_final(&self, state: usize) -> bool {
        self.finals[state]
    }

    /// Refuses an end that contradicts the declared final states. Being cut by the horizon says nothing about a state.
    pub(crate) fn check_end(&self, next: usize, end: Option<End>) -> Result<(), Error> {
        below("the next state", next, self.states)?;
        let terminated = end == Some(End::Terminated);
        if terminated == self.finals[next] { Ok(()) } else { Err(Error::End { next, terminated }) }
    }

    /// r_max, the largest reward of one step.
    pub fn reward_max(&self) -> f64 {
        self.reward_max
    }

    /// V_max(h), the largest return from this stage on.
    pub fn value_max(&self, stage: usize) -> f64 {
        (self.horizon - stage) as f64 * self.reward_max
    }
}
