//! Grids are solvable, have the declared walls, are drawn without favour, and can be written down and read.

use std::collections::BTreeSet;
use std::sync::Arc;

use counsel_decision::Seed;
use counsel_pixel::{Ends, Grid, Look, PixelSpec, State};

use crate::{drawn, small, states};

fn count(grid: &Grid, wanted: Look) -> usize {
    let side = grid.spec().size.cast_signed();
    (0..side).flat_map(|y| (0..side).map(move |x| grid.look(x, y))).filter(|&look| look == wanted).count()
}

#[test]
fn every_grid_is_solvable_and_has_the_declared_walls() {
    let dense = PixelSpec { walls: 0.4, ..PixelSpec::default() };
    let widest = PixelSpec { size: 64, walls: 0.4, horizon: 1000, ..PixelSpec::default() };
    for (spec, seeds) in
        [(PixelSpec::default(), 2000), (PixelSpec::large(), 1000), (dense, 500), (small(0.4, 9), 2000), (widest, 3)]
    {
        for ends in [Ends::Corners, Ends::Anywhere] {
            let spec = PixelSpec { ends, ..spec };
            let mut texts = BTreeSet::new();
            for seed in 0..seeds {
                let grid = drawn(&spec, seed);
                assert_eq!(count(&grid, Look::Wall), spec.wall_cells());
                assert_eq!(count(&grid, Look::Goal), 1);
                let (x, y) = grid.start();
                assert!(grid.distance(x, y).is_some_and(|distance| distance > 0), "{}", grid.text());
                if ends == Ends::Corners {
                    assert_eq!((grid.start(), grid.goal()), ((0, 0), (spec.size - 1, spec.size - 1)));
                }
                texts.insert(grid.text());
            }
            assert!(texts.len() as u64 * 10 >= 9 * seeds, "grids repeat: only {} differ", texts.len());
        }
    }
}

#[test]
fn walls_and_ends_fall_everywhere() {
    let mut walls = [[0_u32; 5]; 5];
    let mut ends = BTreeSet::new();
    for seed in 0..3000 {
        let grid = drawn(&small(0.2, 30), seed);
        for (y, row) in walls.iter_mut().enumerate() {
            for (x, walls) in row.iter_mut().enumerate() {
                *walls += u32::from(grid.look(x.cast_signed(), y.cast_signed()) == Look::Wall);
            }
        }
        ends.insert((grid.start(), grid.goal()));
    }
    // 5 of 25 cells are walls: 600 of 3000 each, if solvability were no condition. Six standard deviations are 131.
    assert!(walls.as_flattened().iter().all(|walls| (450..750).contains(walls)), "{walls:?}");
    assert!(ends.len() > 580, "only {} of 600 pairs of ends", ends.len());
}

#[test]
fn without_walls_distances_are_those_of_the_streets() {
    let grid = drawn(&PixelSpec { walls: 0.0, ..PixelSpec::default() }, 0);
    for state in states(&grid, 0) {
        let (x, y) = state.place();
        assert_eq!(grid.distance(x, y), Some(u32::try_from(16 - x - y).unwrap()));
    }
    assert_eq!(grid.distance(9, 0), None);
}

#[test]
fn a_grid_is_read_as_it_is_written() {
    for seed in 0..50 {
        let grid = drawn(&small(0.3, 30), seed);
        assert_eq!(Grid::read(grid.spec(), &grid.text()).as_ref(), Ok(&*grid));
    }
}

#[test]
fn the_goal_can_move() {
    let spec = PixelSpec { size: 5, window: 3, ..PixelSpec::default() };
    let grid = Grid::read(&spec, "S..#.\n...##\n.....\n.....\n....G").unwrap();
    let moved = grid.with_goal(0, 4).unwrap();
    assert_eq!((moved.goal(), moved.start(), moved.distance(0, 0)), ((0, 4), (0, 0), Some(4)));
    assert_eq!(moved.look(4, 4), Look::Free);
    assert_eq!(moved.with_goal(4, 4).unwrap(), grid);
    let refusal = |x, y| grid.with_goal(x, y).unwrap_err().to_string();
    let remedy = "choose a free cell that can be reached from the start";
    assert_eq!(refusal(3, 0), format!("the goal cannot be at (3, 0): a wall is there; {remedy}"));
    assert_eq!(refusal(4, 0), format!("the goal cannot be at (4, 0): no way leads there; {remedy}"));
    assert_eq!(refusal(0, 0), format!("the goal cannot be at (0, 0): the agent starts there; {remedy}"));
    assert_eq!(refusal(0, 5), format!("the goal cannot be at (0, 5): that is outside the grid; {remedy}"));
    assert!(State::new(Arc::new(grid), 4, 0, 0).is_err(), "nobody starts on an island");
}

#[test]
fn the_same_seed_draws_the_same_grid_and_others_draw_others() {
    let spec = PixelSpec::default();
    let texts: BTreeSet<String> = (0..200).map(|seed| drawn(&spec, seed).text()).collect();
    assert_eq!(texts.len(), 200);
    assert_eq!(drawn(&spec, 7), drawn(&spec, 7));
    let seed = Seed::root(7);
    assert_ne!(Grid::draw(&spec, seed.index(0)), Grid::draw(&spec, seed.index(1)));
}
