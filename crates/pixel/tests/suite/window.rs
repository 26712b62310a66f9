//! What the agent is given follows from the window and from nothing else.

use std::sync::Arc;

use counsel_decision::Seed;
use counsel_pixel::{Ends, Grid, Look, Move, Observation, Offset, PixelSpec, State, World, rule};
use counsel_world::Environment;
use proptest::prelude::*;
use rand::RngExt;

use crate::{drawn, states};

/// Everything that is derived from what the agent sees.
fn given(state: &State) -> (Observation, Vec<usize>, Vec<u8>, String, Move) {
    let seen = state.observation();
    let mut places = Vec::new();
    state.active_features(&mut places);
    let (image, words, advice) = (seen.image(3), seen.situation().to_string(), rule(&seen));
    (seen, places, image.shades, words, advice)
}

/// The same grid with other walls where the agent does not see them, if the goal can still be reached.
fn disguised(state: &State, seed: u64) -> Option<State> {
    let (x, y) = state.place();
    let reach = state.spec().window / 2;
    let mut rng = Seed::root(seed).rng();
    let text: Vec<String> = (state.grid().text().lines().enumerate())
        .map(|(row, line)| {
            let change = |(column, character): (usize, char)| {
                let seen = row.abs_diff(y) <= reach && column.abs_diff(x) <= reach;
                let wall = rng.random::<f64>() < 0.3;
                if seen || "SG".contains(character) { character } else { ['.', '#'][usize::from(wall)] }
            };
            line.chars().enumerate().map(change).collect()
        })
        .collect();
    let grid = Grid::read(state.spec(), &text.join("\n")).ok()?;
    State::new(Arc::new(grid), x, y, state.steps() / 2).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_out_of_sight_and_the_clock_change_nothing(seed in 0_u64..1000, other in any::<u64>(), steps in 0_u32..81) {
        let spec = PixelSpec { ends: Ends::Anywhere, ..PixelSpec::default() };
        let grid = drawn(&spec, seed);
        for state in states(&grid, steps) {
            if let Some(other) = disguised(&state, other) {
                prop_assert_eq!(given(&state), given(&other));
            }
        }
    }

    #[test]
    fn the_window_shows_the_cells_around_the_agent(seed in 0_u64..1000, window in 1_usize..5) {
        let spec = PixelSpec { window: 2 * window + 1, ..PixelSpec::default() };
        let reach = window.cast_signed();
        let grid = drawn(&spec, seed);
        for state in states(&grid, 0) {
            let seen = state.observation();
            let (x, y) = (state.place().0.cast_signed(), state.place().1.cast_signed());
            prop_assert_eq!(seen.looks().len(), spec.window * spec.window);
            let mut goal = None;
            for south in -reach..=reach {
                for east in -reach..=reach {
                    let offset = Offset { east, south };
                    let look = grid.look(x + east, y + south);
                    prop_assert_eq!(seen.look(offset), Some(look));
                    if look == Look::Goal {
                        goal = Some(offset);
                    }
                }
            }
            prop_assert_eq!(seen.goal(), goal);
            for offset in [Offset { east: reach + 1, south: 0 }, Offset { east: 0, south: -reach - 1 }] {
                prop_assert_eq!(seen.look(offset), None);
            }
        }
    }
}

#[test]
fn disguises_differ() {
    let grid = drawn(&PixelSpec::default(), 0);
    let changed = (0..50).filter_map(|seed| disguised(&State::start(Arc::clone(&grid)), seed));
    assert!(changed.filter(|state| state.grid().text() != grid.text()).count() > 10);
}

#[test]
fn features_are_one_look_per_cell_and_one_direction() {
    let spec = PixelSpec { ends: Ends::Anywhere, window: 3, ..PixelSpec::default() };
    assert_eq!(spec.feature_count(), 45);
    let mut directions = [0; 9];
    let mut places = vec![99; 3];
    for seed in 0..30 {
        for state in states(&drawn(&spec, seed), 0).filter(|state| state.end().is_none()) {
            state.active_features(&mut places);
            assert_eq!(places.len(), 10);
            let seen = state.observation();
            for (cell, &look) in seen.looks().iter().enumerate() {
                assert_eq!(places[cell], 4 * cell + look as usize);
            }
            let direction = places[9] - 36;
            let wind = seen.goal().map_or(4, |goal| 3 * (goal.south.signum() + 1) + goal.east.signum() + 1);
            assert_eq!(direction.cast_signed(), wind);
            directions[direction] += 1;
            assert!(direction < 9, "the last one is within the row");
        }
    }
    assert!(directions.iter().all(|&count| count > 0), "{directions:?}");
}

#[test]
fn a_move_is_blocked_if_it_leads_nowhere() {
    let grid = drawn(&PixelSpec::large(), 4);
    let mut world = World::on(Arc::clone(&grid));
    for state in states(&grid, 0).filter(|state| state.end().is_none()) {
        for way in Move::ALL {
            world.restore(&state);
            world.step(way.into());
            assert_eq!(state.observation().is_blocked(way), world.state().place() == state.place());
        }
    }
}

#[test]
fn an_observation_can_be_written_over_another() {
    let (first, second) = (drawn(&PixelSpec::default(), 1), drawn(&PixelSpec { window: 3, ..PixelSpec::large() }, 2));
    let (first, second) = (State::start(first), State::start(second));
    let mut seen = first.observation();
    second.observe(&mut seen);
    assert_eq!((&seen, seen.window()), (&second.observation(), 3));
}
