//! A grid from a seed.
//!
//! Start and goal come first, then exactly the declared share of the other cells becomes wall, every choice as likely as
//! any other. A grid whose goal cannot be reached is thrown away and the next is drawn from the same stream. So grids
//! are uniform among the solvable ones, and the same seed gives the same grid.

use counsel_decision::Seed;
use rand::{Rng, RngExt};

use crate::grid::number;
use crate::{Ends, Error, Grid, PixelSpec};

impl Grid {
    /// The grid of a seed.
    pub fn draw(spec: &PixelSpec, seed: Seed) -> Result<Self, Error> {
        spec.check()?;
        Ok(Self::drawn(spec, seed))
    }

    /// The grid of a seed, for a specification that has been checked.
    pub(crate) fn drawn(spec: &PixelSpec, seed: Seed) -> Self {
        let mut rng = seed.stream("grid").rng();
        let cells = spec.cells();
        // Start and goal stand first in this order of the cells, and the walls follow them.
        let mut order: Vec<u16> = (0..cells).map(number).collect();
        order.swap(1, cells - 1);
        let drawn_from = match spec.ends {
            Ends::Corners => 2,
            Ends::Anywhere => 0,
        };
        let taken = 2 + spec.wall_cells();
        let mut is_wall = vec![false; cells];
        loop {
            shuffle(&mut order, drawn_from..taken, &mut rng);
            is_wall.fill(false);
            order[2..taken].iter().for_each(|&cell| is_wall[usize::from(cell)] = true);
            if let Some(grid) = Self::joined(spec, &is_wall, order[0], order[1]) {
                return grid;
            }
        }
    }

    /// The same walls and start with the goal at its second place, every cell that is far enough as likely as any other; this
    /// grid where there is none.
    pub(crate) fn with_goal_moved(&self, seed: Seed) -> Self {
        let places = self.second_places();
        let mut rng = seed.stream("second-goal").rng();
        // Numbers of 32 bits are drawn alike on every machine.
        let drawn = rng.random_range(0..u32::from(number(places.len())).max(1)) as usize;
        let moved = places.get(drawn).map(|&cell| self.place(cell)).and_then(|(x, y)| self.with_goal(x, y).ok());
        moved.unwrap_or_else(|| self.clone())
    }
}

/// Puts into each of these places a cell that is drawn from it and those after it. Whatever the order was before, the
/// new one owes nothing to it.
fn shuffle(order: &mut [u16], places: std::ops::Range<usize>, rng: &mut impl Rng) {
    for place in places {
        // Numbers of 32 bits are drawn alike on every machine.
        let left = u32::from(number(order.len() - place));
        order.swap(place, place + rng.random_range(0..left) as usize);
    }
}
