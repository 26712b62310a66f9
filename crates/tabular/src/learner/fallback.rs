//! The learner that acts when no advice is taken.
//!
//! It plans when an episode begins and is frozen within it, except for its counts. Invariant: `policy` is exactly what
//! `propose` does, and `samples` value exactly that policy.

use crate::StagePolicy;
use counsel_decision::{Action, End, Seed, ValueBounds, ValueSamples};

use crate::{Counts, Error, Plan};

/// A learner that proposes the base action.
pub trait Fallback {
    /// Plans for an episode whose every random number comes from `seed`.
    fn begin_episode(&mut self, seed: Seed);

    /// Learns from a transition, whoever chose the action.
    fn observe(
        &mut self,
        state: usize,
        action: Action,
        reward: f64,
        next: usize,
        end: Option<End>,
    ) -> Result<(), Error>;

    /// The plan of the present episode.
    fn plan(&self) -> &Plan;

    /// What was seen so far.
    fn counts(&self) -> &Counts;

    /// The base action: the policy at a uniform number `draw` in [0, 1).
    fn propose(&self, stage: usize, state: usize, draw: f64) -> Action {
        self.policy().draw(stage, state, draw)
    }

    /// What the learner does without advice.
    fn policy(&self) -> &StagePolicy {
        self.plan().policy()
    }

    /// K samples of the declared continuation value.
    fn samples(&self, stage: usize, state: usize) -> ValueSamples {
        self.plan().samples(stage, state)
    }

    /// Bounds on the optimal value.
    fn bounds(&self, stage: usize, state: usize) -> ValueBounds {
        self.plan().bounds().at(stage, state)
    }

    /// How often an action was taken in this state, in the present episode too.
    fn visits(&self, state: usize) -> u64 {
        self.counts().state_visits(state)
    }
}
