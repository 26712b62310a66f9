//! A Crafter world to play in.

use counsel_decision::{Action, End, Environment, Seed, Transition};
use rand::Rng;

use crate::{Act, Error, State};

/// After how many steps the original cuts an episode.
pub const MAX_STEPS: u32 = 10_000;

/// A world, with an episode under way: `crafter.Env(seed=seed)` after its first reset.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    seed: u64,
    episode: u64,
    state: State,
}

impl World {
    /// The world of this seed, in its first episode.
    pub fn new(seed: u64) -> Self {
        Self { seed, episode: 1, state: State::begin(seed, 1, MAX_STEPS) }
    }

    /// The same with episodes of so many steps at most.
    pub fn with_max_steps(seed: u64, max_steps: u32) -> Result<Self, Error> {
        if max_steps == 0 {
            return Err(Error::NoSteps);
        }
        Ok(Self { seed, episode: 1, state: State::begin(seed, 1, max_steps) })
    }

    /// Begins the first episode of this seed, or the next one of the present seed, which has an area of its own.
    pub fn begin(&mut self, seed: Option<u64>) {
        (self.seed, self.episode) = match seed {
            Some(seed) => (seed, 1),
            None => (self.seed, self.episode.saturating_add(1)),
        };
        self.state = State::begin(self.seed, self.episode, self.state.max_steps());
    }

    /// Where the episode stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The same, to play on after the end, as the original can.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Environment for World {
    type Snapshot = State;

    fn actions(&self) -> usize {
        Act::ALL.len()
    }

    fn reset(&mut self, seed: Seed) {
        self.begin(Some(seed.rng().next_u64()));
    }

    fn reseed(&mut self, seed: Seed) {
        self.state.reseed(seed);
    }

    /// An action past 16 is none: the player waits.
    fn step(&mut self, action: Action) -> Transition {
        match self.state.end() {
            Some(end) => Transition { reward: 0.0, end: Some(end) },
            None => self.state.step(Act::try_from(action).unwrap_or(Act::Noop)).into(),
        }
    }

    fn snapshot(&self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, snapshot: &State) {
        self.state.clone_from(snapshot);
    }
}

impl State {
    /// Whether, and why, the episode is over. Who dies in the last step has died.
    pub fn end(&self) -> Option<End> {
        if self.player().health() == 0 {
            Some(End::Terminated)
        } else if self.steps() >= self.max_steps() {
            Some(End::Truncated)
        } else {
            None
        }
    }
}
