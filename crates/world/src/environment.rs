//! The environment an agent acts in, as far as the rest of the workspace needs to know it.
//!
//! Invariant (tested by [`check_environment`](crate::check_environment)): after `restore(snapshot())` the same actions give the
//! same transitions, bit for bit.

use counsel_decision::{Action, Seed};

/// Why an episode is over. Termination is part of the task; truncation is only the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The task reached a final state: no value follows.
    Terminated,
    /// The horizon cut the episode: value may have followed.
    Truncated,
}

/// What one action did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transition {
    /// The reward received.
    pub reward: f64,
    /// Whether, and why, the episode ended.
    pub end: Option<End>,
}

/// A world that can be copied and put back, so that "what if" questions have exact answers.
pub trait Environment {
    /// A complete copy of the state, random numbers included.
    type Snapshot: Clone + PartialEq + std::fmt::Debug;

    /// How many actions there are now. In most worlds that never changes; where it does, an action past them is still taken by
    /// `step`, and the world says what it does.
    fn actions(&self) -> usize;

    /// Starts an episode whose every random number comes from `seed`.
    fn reset(&mut self, seed: Seed);

    /// Replaces the random numbers to come and leaves the state as it is, so that copies of one state can be continued
    /// under different randomness, or under the same.
    fn reseed(&mut self, seed: Seed);

    /// Performs one action. Once the episode is over, a step pays 0 and repeats the end.
    fn step(&mut self, action: Action) -> Transition;

    /// Copies the whole state.
    fn snapshot(&self) -> Self::Snapshot;

    /// Puts a copied state back.
    fn restore(&mut self, snapshot: &Self::Snapshot);
}
