//! Shortest ways by breadth-first search are those that trying every sequence of moves finds.

use std::sync::Arc;

use counsel_pixel::{Grid, Move, Moves, PixelSpec, State, World};
use counsel_world::{End, Environment};

use crate::{drawn, small, states};

/// Whether some sequence of so many moves reaches the goal.
fn is_reached(world: &mut World, from: &State, moves: u32) -> bool {
    Move::ALL.into_iter().any(|way| {
        world.restore(from);
        match (world.step(way.into()).end, moves) {
            (Some(End::Terminated), _) => true,
            (_, 1) => false,
            _ => {
                let here = world.snapshot();
                here != *from && is_reached(world, &here, moves - 1)
            }
        }
    })
}

#[test]
fn the_search_agrees_with_trying_every_sequence() {
    let mut tried = 0;
    for seed in 0..60 {
        let grid = drawn(&small(0.3, 100), seed);
        let mut world = World::on(Arc::clone(&grid));
        for state in states(&grid, 0) {
            let Some(optimum) = state.optimum() else {
                assert_eq!(state.end(), Some(End::Terminated));
                continue;
            };
            let (x, y) = state.place();
            assert_eq!(grid.distance(x, y), Some(optimum.distance));
            if optimum.distance > 6 {
                continue;
            }
            tried += 1;
            for moves in 1..optimum.distance {
                assert!(!is_reached(&mut world, &state, moves), "{}", state.text());
            }
            let best: Moves = Move::ALL
                .into_iter()
                .filter(|&way| {
                    world.restore(&state);
                    let over = world.step(way.into()).end == Some(End::Terminated);
                    let here = world.snapshot();
                    over || optimum.distance > 1 && is_reached(&mut world, &here, optimum.distance - 1)
                })
                .collect();
            assert_eq!(best, optimum.moves, "{}", state.text());
            assert_ne!(best, Moves::default());
        }
    }
    assert!(tried > 500, "{tried}");
}

/// Relaxation until nothing changes, with no queue and no order: every cell is one step farther than its nearest
/// neighbour.
#[test]
fn on_large_grids_the_search_agrees_with_relaxation() {
    for (spec, seed) in [(PixelSpec::default(), 1), (PixelSpec::large(), 2), (PixelSpec::large(), 3)] {
        let grid = drawn(&spec, seed);
        let far = u32::try_from(spec.cells()).unwrap();
        let mut distances = vec![vec![far; spec.size]; spec.size];
        let (x, y) = grid.goal();
        distances[y][x] = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for state in states(&grid, 0).filter(|state| state.end().is_none()) {
                for way in Move::ALL {
                    let mut world = World::on(Arc::clone(&grid));
                    world.restore(&state);
                    world.step(way.into());
                    let ((x, y), (next_x, next_y)) = (state.place(), world.state().place());
                    let through = distances[next_y][next_x] + 1;
                    changed |= through < distances[y][x];
                    distances[y][x] = distances[y][x].min(through);
                }
            }
        }
        for state in states(&grid, 0) {
            let (x, y) = state.place();
            assert_eq!(grid.distance(x, y), Some(distances[y][x]));
        }
    }
}

#[test]
fn a_way_around_is_found() {
    let spec = PixelSpec { size: 5, window: 3, ..PixelSpec::default() };
    let grid = Grid::read(&spec, "S#...\n.#.#.\n.#.#.\n.#.#.\n...#G").unwrap();
    let optimum = State::start(Arc::new(grid)).optimum().unwrap();
    assert_eq!((optimum.distance, optimum.moves.iter().collect::<Vec<_>>()), (16, vec![Move::South]));
    assert_eq!((optimum.moves.bits(), format!("{:?}", optimum.moves)), (4, "{South}".to_owned()));
}
