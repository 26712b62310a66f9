//! Exact values: what every move is worth in every cell at every step, without a single rollout.
//!
//! The world is deterministic, so cells and steps make a table. From the last step back to the first, with s' the cell
//! a move leads to:
//!
//! Q(s, t, a) = goal_reward if s' is the goal, else -step_cost + discount V(s', t + 1), where V is 0 at the horizon and
//! V(s, t) = sum over a of pi(a | s, t) Q(s, t, a), or for the optimal values max over a of Q(s, t, a).

use std::sync::Arc;

use counsel_decision::refusal::{fits, probability};

use crate::grid::{NO_WAY, number};
use crate::{Error, Grid, State};

/// How far the sum of four probabilities may be from 1.
const SLACK: f64 = 1e-9;

/// What cells and moves are worth under a policy, at every step.
#[derive(Debug, Clone)]
pub struct Values {
    grid: Arc<Grid>,
    discount: f64,
    /// V, at `step * cells + cell`; the row of the horizon is 0.
    table: Vec<f64>,
}

impl Values {
    /// The values of a policy that gives each state the probabilities of the four moves. It is asked once per cell, at
    /// step 0, and may depend on anything but the clock.
    pub fn of_policy(
        grid: &Arc<Grid>,
        mut policy: impl FnMut(&State) -> [f64; 4],
        discount: f64,
    ) -> Result<Self, Error> {
        let mut state = State::start(Arc::clone(grid));
        let mut laws = vec![[0.0; 4]; grid.spec().cells()];
        for cell in cells(grid) {
            state.put(cell, 0);
            laws[usize::from(cell)] = checked(policy(&state))?;
        }
        Self::induct(grid, discount, |cell, worth| mean(laws[usize::from(cell)], worth))
    }

    /// The values of the best policy.
    pub fn optimal(grid: &Arc<Grid>, discount: f64) -> Result<Self, Error> {
        Self::induct(grid, discount, |_, worth| worth.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Backward induction: `back` says what a cell is worth, given what its moves are worth.
    fn induct(grid: &Arc<Grid>, discount: f64, back: impl Fn(u16, [f64; 4]) -> f64) -> Result<Self, Error> {
        probability("the discount", discount)?;
        let (size, horizon) = (grid.spec().cells(), grid.spec().horizon);
        let rows = (horizon as usize).saturating_add(1);
        fits("the table of values", &[size, rows], "make the grid or the horizon smaller")?;
        let mut values = Self { grid: Arc::clone(grid), discount, table: vec![0.0; size * rows] };
        let cells: Vec<u16> = cells(grid).collect();
        for step in (0..horizon).rev() {
            for &cell in &cells {
                let worth = values.worth(cell, step);
                values.table[step as usize * size + usize::from(cell)] = back(cell, worth);
            }
        }
        Ok(values)
    }

    /// The grid that the values are of.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// What a state is worth, by its own clock; nothing if the episode is over or played on another grid.
    pub fn v(&self, state: &State) -> Option<f64> {
        self.is_under_way(state).then(|| self.table[self.place(state.cell(), state.steps())])
    }

    /// What the four moves are worth in a state, by its own clock; nothing if the episode is over or played on another
    /// grid.
    pub fn q(&self, state: &State) -> Option<[f64; 4]> {
        self.is_under_way(state).then(|| self.worth(state.cell(), state.steps()))
    }

    fn is_under_way(&self, state: &State) -> bool {
        state.end().is_none() && state.is_on(&self.grid)
    }

    /// What the four moves are worth, given the values of the next step.
    fn worth(&self, cell: u16, step: u32) -> [f64; 4] {
        let spec = self.grid.spec();
        self.grid.next(cell).map(|next| {
            if next == self.grid.goal_cell() {
                spec.goal_reward
            } else {
                self.discount * self.table[self.place(next, step + 1)] - spec.step_cost
            }
        })
    }

    fn place(&self, cell: u16, step: u32) -> usize {
        step as usize * self.grid.spec().cells() + usize::from(cell)
    }
}

/// The cells from which the agent can still act: those with a way to the goal, without the goal.
fn cells(grid: &Grid) -> impl Iterator<Item = u16> {
    (0..grid.spec().cells()).map(number).filter(|&cell| !matches!(grid.steps_to_goal(cell), 0 | NO_WAY))
}

fn checked(law: [f64; 4]) -> Result<[f64; 4], Error> {
    let sum: f64 = law.iter().sum();
    if law.iter().any(|chance| !(0.0..=1.0).contains(chance)) || (sum - 1.0).abs() > SLACK {
        return Err(Error::ImproperPolicy { probabilities: format!("{law:?}") });
    }
    Ok(law)
}

fn mean(law: [f64; 4], worth: [f64; 4]) -> f64 {
    law.into_iter().zip(worth).map(|(chance, worth)| chance * worth).sum()
}
