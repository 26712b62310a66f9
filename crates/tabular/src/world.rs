//! A tabular process being played.
//!
//! The random numbers of stage h come from `seed.index(h)` and from nothing else. Invariant: two copies with the same
//! seed meet the same randomness at every stage, whatever either did before (common random numbers).

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Transition};
use rand::RngExt;

use crate::{Dynamics, RewardLaw, TabularMdp};

/// Where a played process stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TabularSnapshot {
    /// The present state.
    pub state: usize,
    /// How many steps were taken.
    pub stage: usize,
    /// Where the random numbers to come are drawn from.
    pub seed: Seed,
    /// Whether, and why, the episode is over.
    pub over: Option<End>,
}

/// A tabular process being played. After the end, further steps pay 0 and repeat the end.
#[derive(Debug, Clone, PartialEq)]
pub struct TabularWorld {
    mdp: Arc<TabularMdp>,
    now: TabularSnapshot,
}

impl TabularWorld {
    /// The process at the start of the episode with this seed.
    pub fn new(mdp: Arc<TabularMdp>, seed: Seed) -> Self {
        let now = TabularSnapshot { state: mdp.initial(), stage: 0, seed, over: None };
        Self { mdp, now }
    }

    /// The process that is played.
    pub fn mdp(&self) -> &Arc<TabularMdp> {
        &self.mdp
    }

    /// The present state.
    pub fn state(&self) -> usize {
        self.now.state
    }

    /// How many steps were taken in this episode.
    pub fn stage(&self) -> usize {
        self.now.stage
    }

    /// Whether, and why, the episode is over.
    pub fn over(&self) -> Option<End> {
        self.now.over
    }
}

impl Environment for TabularWorld {
    type Snapshot = TabularSnapshot;

    fn actions(&self) -> usize {
        self.mdp.actions()
    }

    fn reset(&mut self, seed: Seed) {
        self.now = TabularSnapshot { state: self.mdp.initial(), stage: 0, seed, over: None };
    }

    fn reseed(&mut self, seed: Seed) {
        self.now.seed = seed;
    }

    fn step(&mut self, action: Action) -> Transition {
        if self.now.over.is_some() {
            return Transition { reward: 0.0, end: self.now.over };
        }
        let mut rng = self.now.seed.index(self.now.stage as u64).rng();
        let (move_draw, reward_draw) = (rng.random::<f64>(), rng.random::<f64>());
        let mean = self.mdp.reward(self.now.state, action);
        let reward = match self.mdp.law() {
            RewardLaw::Exact => mean,
            RewardLaw::Bernoulli => f64::from(u8::from(reward_draw < mean)),
        };
        self.now.state = drawn(self.mdp.next_states(self.now.state, action), move_draw);
        self.now.stage += 1;
        self.now.over = if self.mdp.is_final(self.now.state) {
            Some(End::Terminated)
        } else if self.now.stage == self.mdp.horizon() {
            Some(End::Truncated)
        } else {
            None
        };
        Transition { reward, end: self.now.over }
    }

    fn snapshot(&self) -> TabularSnapshot {
        self.now
    }

    fn restore(&mut self, snapshot: &TabularSnapshot) {
        self.now = *snapshot;
    }
}

/// The state at which the cumulated probability passes `draw`; the last one takes what rounding leaves.
fn drawn(row: &[(usize, f64)], draw: f64) -> usize {
    let mut left = draw;
    for &(state, probability) in &row[..row.len() - 1] {
        if left < probability {
            return state;
        }
        left -= probability;
    }
    row[row.len() - 1].0
}
