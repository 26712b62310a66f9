//! A Crafter world to play in.

use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Transition};
use rand::Rng;

use crate::{Act, Error, State};

/// After how many steps the original cuts an episode.
pub const MAX_STEPS: u32 = 10_000;

/// From which seeds episodes are drawn. The two have none in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The even ones.
    Training = 0,
    /// The odd ones.
    Evaluation = 1,
}

/// A world, with an episode under way: `crafter.Env(seed=seed)` after its first reset.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    family: Family,
    seed: u64,
    episode: u64,
    state: State,
}

impl World {
    /// The world of this seed, in its first episode.
    pub fn new(seed: u64) -> Self {
        Self::begun(seed, MAX_STEPS)
    }

    /// The same with episodes of so many steps at most.
    pub fn with_max_steps(seed: u64, max_steps: u32) -> Result<Self, Error> {
        if max_steps == 0 {
            return Err(Error::NoSteps);
        }
        Ok(Self::begun(seed, max_steps))
    }

    fn begun(seed: u64, max_steps: u32) -> Self {
        Self { family: Family::Training, seed, episode: 1, state: State::begin(seed, 1, max_steps) }
    }

    /// Lets [`reset`](Environment::reset) draw from these seeds from now on; at first it draws from those of training.
    pub fn draw_from(&mut self, family: Family) {
        self.family = family;
    }

    /// The seed of the present episode's environment.
    pub fn seed(&self) -> u64 {
        self.seed
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
        self.begin(Some(seed.rng().next_u64() & !1 | self.family as u64));
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
