//! A pixel world to play in.
//!
//! Nothing in an episode is left to chance: with [`Redraw::Never`] all episodes of a world are alike, and with
//! [`Redraw::EachEpisode`] they differ in their grid. A world whose goal moves is told by [`World::enter`] which episode of
//! the run comes next; nothing that the agent sees tells it.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_world::{Environment, Transition};

use crate::{Error, Grid, Move, Observation, PixelSpec, Redraw, State};

/// A world, with an episode under way. After the end, further steps pay 0 and repeat the end.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    redraw: Redraw,
    state: State,
    shift: Option<Shift>,
}

/// A goal that moves.
#[derive(Debug, Clone, PartialEq)]
struct Shift {
    /// After how many episodes.
    after: u64,
    first: Arc<Grid>,
    then: Arc<Grid>,
}

impl World {
    /// The world of this seed, at the start of an episode.
    pub fn new(spec: &PixelSpec, seed: Seed) -> Result<Self, Error> {
        spec.check()?;
        Ok(Self::drawn(spec, seed))
    }

    /// The world of this seed, for a specification that has been checked.
    pub(crate) fn drawn(spec: &PixelSpec, seed: Seed) -> Self {
        let first = Arc::new(Grid::drawn(spec, seed));
        let moved = |after| Shift { after, first: first.clone(), then: Arc::new(first.with_goal_moved(seed)) };
        Self { redraw: spec.redraw, shift: spec.goal_moves_after.map(moved), state: State::start(first) }
    }

    /// A world that stays on this grid, whatever its specification says about drawing others.
    pub fn on(grid: Arc<Grid>) -> Self {
        Self { redraw: Redraw::Never, state: State::start(grid), shift: None }
    }

    /// Begins the episode of a run with this number, from 0: where the goal moves, it is where it is in that episode.
    pub fn enter(&mut self, episode: u64) {
        if let Some(Shift { after, first, then }) = &self.shift {
            self.state = State::start(Arc::clone(if episode < *after { first } else { then }));
        }
    }

    /// Where the episode stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What the agent sees now.
    pub fn observation(&self) -> Observation {
        self.state.observation()
    }

    /// Writes the places of the ones in the row of features.
    pub fn active_features(&self, places: &mut Vec<usize>) {
        self.state.active_features(places);
    }
}

impl Environment for World {
    type Snapshot = State;

    fn actions(&self) -> usize {
        Move::ALL.len()
    }

    fn reset(&mut self, seed: Seed) {
        let grid = match self.redraw {
            Redraw::Never => Arc::clone(self.state.grid()),
            Redraw::EachEpisode => Arc::new(Grid::drawn(self.state.spec(), seed)),
        };
        self.state = State::start(grid);
    }

    /// Nothing to come is random, so there is nothing to replace.
    fn reseed(&mut self, _seed: Seed) {}

    /// An action past 3 is no move: the agent waits, and the step costs what a step costs.
    fn step(&mut self, action: Action) -> Transition {
        self.state.step(Move::try_from(action).ok())
    }

    fn snapshot(&self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, snapshot: &State) {
        self.state.clone_from(snapshot);
    }
}
