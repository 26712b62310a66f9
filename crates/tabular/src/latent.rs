//! A chain whose task is hidden: the known-likelihood world of the informative advisor (Table `tab:informative-advisor`).
//!
//! One of two tasks M, each with prior 1/2, is drawn per episode; in task M, action M is right at every step. The episode
//! returns the share of its steps that were right, paid in full by the last step: earlier rewards are 0 under either
//! task, so nothing but an advisor tells M within the episode.

use counsel_decision::refusal::{at_least, fits, probability};
use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Transition};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The parameters of a latent chain.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `length` | 4 | 1 or more |
/// | `accuracy` | 0.8 | [0, 1] |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LatentChain {
    /// How many steps an episode has.
    pub length: usize,
    /// How often the advisor names the true task.
    pub accuracy: f64,
}

impl Default for LatentChain {
    fn default() -> Self {
        Self { length: 4, accuracy: 0.8 }
    }
}

impl LatentChain {
    /// How likely each task is before the episode.
    pub const PRIOR: [f64; 2] = [0.5, 0.5];

    /// The chain at the start of the episode with this seed.
    pub fn build(&self, seed: Seed) -> Result<LatentWorld, Error> {
        at_least("the length of the latent chain", self.length, 1, "let an episode have a step")?;
        fits("the latent chain", &[self.length], "make the chain shorter")?;
        probability("the accuracy", self.accuracy)?;
        let now = LatentSnapshot { task: 0, stage: 0, right: 0, over: None };
        let mut world = LatentWorld { length: self.length, now };
        world.reset(seed);
        Ok(world)
    }

    /// p(y | M): row M holds the probability that the advisor recommends each action in task M.
    pub fn likelihood(&self) -> [[f64; 2]; 2] {
        [[self.accuracy, 1.0 - self.accuracy], [1.0 - self.accuracy, self.accuracy]]
    }

    /// The value of each action in each task, as the share of the steps it is played in that are right.
    pub fn action_values() -> [[f64; 2]; 2] {
        [[1.0, 0.0], [0.0, 1.0]]
    }
}

/// Where a latent chain stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatentSnapshot {
    /// The hidden task.
    pub task: usize,
    /// How many steps were taken.
    pub stage: usize,
    /// How many of them were right.
    pub right: usize,
    /// Whether, and why, the episode is over.
    pub over: Option<End>,
}

/// A latent chain being played. After the end, further steps pay 0 and repeat the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatentWorld {
    length: usize,
    now: LatentSnapshot,
}

impl LatentWorld {
    /// The hidden task, for the advisor and for labels, never for the agent.
    pub fn task(&self) -> usize {
        self.now.task
    }

    /// How many steps were taken in this episode.
    pub fn stage(&self) -> usize {
        self.now.stage
    }

    /// How many steps an episode has.
    pub fn length(&self) -> usize {
        self.length
    }
}

impl Environment for LatentWorld {
    type Snapshot = LatentSnapshot;

    fn actions(&self) -> usize {
        2
    }

    fn reset(&mut self, seed: Seed) {
        let task = usize::from(seed.stream("task").rng().random::<f64>() >= LatentChain::PRIOR[0]);
        self.now = LatentSnapshot { task, stage: 0, right: 0, over: None };
    }

    /// Changes nothing: the task belongs to the state, and no random number follows it.
    fn reseed(&mut self, _seed: Seed) {}

    fn step(&mut self, action: Action) -> Transition {
        if self.now.over.is_some() {
            return Transition { reward: 0.0, end: self.now.over };
        }
        assert!(action.index() < 2, "action {action} of only 2 actions");
        self.now.right += usize::from(action.index() == self.now.task);
        self.now.stage += 1;
        if self.now.stage < self.length {
            return Transition { reward: 0.0, end: None };
        }
        self.now.over = Some(End::Truncated);
        Transition { reward: self.now.right as f64 / self.length as f64, end: self.now.over }
    }

    fn snapshot(&self) -> LatentSnapshot {
        self.now
    }

    fn restore(&mut self, snapshot: &LatentSnapshot) {
        self.now = *snapshot;
    }
}
