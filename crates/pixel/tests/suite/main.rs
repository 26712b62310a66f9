//! The pixel world through the conformance kit, every exact number against a slower way to it, and the world as it is
//! shown and told.

mod appraisal;
mod briefing;
mod conformance;
mod drawing;
mod enumeration;
mod golden;
mod levels;
mod optimum;
mod picture;
mod refusals;
mod rule;
mod shift;
mod values;
mod window;

use std::sync::Arc;

use counsel_decision::Seed;
use counsel_pixel::{Ends, Grid, PixelSpec, State};

/// A small grid with start and goal anywhere.
fn small(walls: f64, horizon: u32) -> PixelSpec {
    PixelSpec { size: 5, walls, window: 3, horizon, ends: Ends::Anywhere, ..PixelSpec::default() }
}

fn drawn(spec: &PixelSpec, seed: u64) -> Arc<Grid> {
    Arc::new(Grid::draw(spec, Seed::root(seed)).unwrap())
}

/// Every state of a grid at one step, from the north-west.
fn states(grid: &Arc<Grid>, steps: u32) -> impl Iterator<Item = State> {
    let size = grid.spec().size;
    (0..size * size).filter_map(move |cell| State::new(Arc::clone(grid), cell % size, cell / size, steps).ok())
}
