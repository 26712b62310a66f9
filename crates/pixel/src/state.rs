//! Where an episode stands: the agent's cell and the clock, on a grid.
//!
//! Invariant: the agent stands on a cell from which a way leads to the goal. Copies share the grid, so a copy costs a few
//! bytes however large the grid is.

use std::sync::Arc;

use counsel_world::{End, Transition};

use crate::grid::NO_WAY;
use crate::{Error, Grid, Move, PixelSpec};

/// The agent's cell and the clock, on a grid.
#[derive(Debug, Clone)]
pub struct State {
    grid: Arc<Grid>,
    cell: u16,
    steps: u32,
}

impl State {
    /// The beginning of an episode.
    pub fn start(grid: Arc<Grid>) -> Self {
        let cell = grid.start_cell();
        Self { grid, cell, steps: 0 }
    }

    /// An episode with the agent at column `x` and row `y` after so many steps.
    pub fn new(grid: Arc<Grid>, x: usize, y: usize, steps: u32) -> Result<Self, Error> {
        let cell = grid.free_cell("the agent", x, y)?;
        if grid.steps_to_goal(cell) == NO_WAY {
            return Err(Error::NoPlace { what: "the agent", x, y, why: "no way leads to the goal" });
        }
        Ok(Self { grid, cell, steps })
    }

    /// The grid it is played on.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The parameters of the grid.
    pub fn spec(&self) -> &PixelSpec {
        self.grid.spec()
    }

    /// Column and row of the agent.
    pub fn place(&self) -> (usize, usize) {
        self.grid.place(self.cell)
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Whether, and why, the episode is over. Who reaches the goal at the last step has reached it.
    pub fn end(&self) -> Option<End> {
        if self.cell == self.grid.goal_cell() {
            Some(End::Terminated)
        } else if self.steps >= self.spec().horizon {
            Some(End::Truncated)
        } else {
            None
        }
    }

    /// Performs one move, or waits for one step. After the end nothing moves and nothing is paid.
    pub(crate) fn step(&mut self, way: Option<Move>) -> Transition {
        if let Some(end) = self.end() {
            return Transition { reward: 0.0, end: Some(end) };
        }
        if let Some(way) = way {
            self.cell = self.grid.next(self.cell)[way as usize];
        }
        self.steps += 1;
        let end = self.end();
        let spec = self.spec();
        let reward = if end == Some(End::Terminated) { spec.goal_reward } else { -spec.step_cost };
        Transition { reward, end }
    }

    pub(crate) fn cell(&self) -> u16 {
        self.cell
    }

    /// The same grid with the agent and the clock elsewhere.
    pub(crate) fn put(&mut self, cell: u16, steps: u32) {
        (self.cell, self.steps) = (cell, steps);
    }

    /// Whether both are played on the same grid.
    pub(crate) fn is_on(&self, grid: &Arc<Grid>) -> bool {
        // Copies share their grid, so the cells have rarely to be looked at.
        Arc::ptr_eq(&self.grid, grid) || self.grid == *grid
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        (self.cell, self.steps) == (other.cell, other.steps) && self.is_on(&other.grid)
    }
}
