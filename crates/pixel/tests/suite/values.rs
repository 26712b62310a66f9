//! Exact values are expectations: against trying everything, rollouts, value iteration and shortest ways.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_pixel::{Error, Grid, Look, Move, PixelSpec, State, Values, World};
use counsel_world::Environment;
use rand::{Rng, RngExt};

use crate::{drawn, small, states};

/// A policy that depends on what the agent sees and gives every move a chance: like a learner's, uneven and stubborn.
fn soft(state: &State) -> [f64; 4] {
    let seen = state.observation();
    let mix = |hash: u64, look: &Look| (hash ^ *look as u64).wrapping_mul(0x0100_0000_01b3);
    let mut rng = Seed::root(seen.looks().iter().fold(7, mix)).rng();
    let mut chances = [0.1; 4];
    chances[rng.random_range(0..4_u32) as usize] += 0.4;
    chances[rng.random_range(0..4_u32) as usize] += 0.2;
    chances
}

/// The expected return of a move and then the policy, by trying everything.
fn expected(world: &mut World, way: Move, policy: fn(&State) -> [f64; 4], discount: f64) -> f64 {
    let transition = world.step(way.into());
    if transition.end.is_some() {
        return transition.reward;
    }
    let here = world.snapshot();
    let chances = policy(&here);
    let mut value = 0.0;
    for (way, chance) in Move::ALL.into_iter().zip(chances) {
        world.restore(&here);
        value += chance * expected(world, way, policy, discount);
    }
    transition.reward + discount * value
}

#[test]
fn values_are_expectations() {
    let mut successes = 0;
    for (seed, discount) in (0..12).zip([1.0, 0.9, 0.5].into_iter().cycle()) {
        let grid = drawn(&small(0.2, 6), seed);
        let mut world = World::on(Arc::clone(&grid));
        let values = Values::of_policy(&grid, soft, discount).unwrap();
        for steps in [1, 3, 5] {
            for state in states(&grid, steps).filter(|state| state.end().is_none()) {
                let worth = values.q(&state).unwrap();
                for way in Move::ALL {
                    world.restore(&state);
                    let brute = expected(&mut world, way, soft, discount);
                    let label = worth[way as usize];
                    successes += u32::from(brute > 0.0);
                    assert!((label - brute).abs() < 1e-12, "seed {seed} {way}: {label} {brute}\n{}", state.text());
                }
                let mean: f64 = soft(&state).iter().zip(worth).map(|(chance, worth)| chance * worth).sum();
                assert!((values.v(&state).unwrap() - mean).abs() < 1e-12);
            }
        }
    }
    assert!(successes > 500, "{successes}");
}

fn pick(chances: [f64; 4], rng: &mut impl Rng) -> Action {
    let mut left = rng.random::<f64>();
    for (way, chance) in Move::ALL.into_iter().zip(chances) {
        left -= chance;
        if left < 0.0 {
            return way.into();
        }
    }
    Move::West.into()
}

#[test]
fn values_are_averages_of_rollouts() {
    const ROLLOUTS: u32 = 3000;
    let mut rng = Seed::root(1).rng();
    let mut telling = 0;
    for seed in 0..4 {
        let spec = PixelSpec { size: 7, horizon: 40, ..PixelSpec::default() };
        let grid = drawn(&spec, seed);
        let mut world = World::on(Arc::clone(&grid));
        let values = Values::of_policy(&grid, soft, 1.0).unwrap();
        for state in states(&grid, 15).filter(|state| state.optimum().is_some_and(|best| best.distance <= 2)) {
            let worth = values.q(&state).unwrap();
            for way in Move::ALL {
                let returns: Vec<f64> = (0..ROLLOUTS)
                    .map(|_| {
                        world.restore(&state);
                        let mut transition = world.step(way.into());
                        let mut sum = transition.reward;
                        while transition.end.is_none() {
                            transition = world.step(pick(soft(world.state()), &mut rng));
                            sum += transition.reward;
                        }
                        sum
                    })
                    .collect();
                let n = f64::from(ROLLOUTS);
                let mean = returns.iter().sum::<f64>() / n;
                // Returns lie within 1.25 of each other; Hoeffding's bound is exceeded once in 80,000 times.
                let slack = 1.25 * (12.0_f64 / (2.0 * n)).sqrt();
                let label = worth[way as usize];
                assert!((mean - label).abs() <= slack, "seed {seed} {way}: {mean} is not {label} +- {slack}");
                telling += u32::from(worth.iter().any(|other| other - label > 2.0 * slack));
            }
        }
    }
    assert!(telling > 10, "only {telling} values differ from the best by more than chance");
}

/// Sweeps over cells and steps in the wrong order, until no value moves.
#[test]
fn dynamic_programming_equals_value_iteration() {
    for (spec, seed) in [(small(0.3, 20), 1), (small(0.2, 9), 2), (PixelSpec::default(), 3)] {
        let grid = drawn(&spec, seed);
        let exact = Values::optimal(&grid, 0.97).unwrap();
        let all: Vec<State> = (0..spec.horizon).flat_map(|steps| states(&grid, steps)).collect();
        let place =
            |state: &State| state.steps() as usize * spec.cells() + state.place().1 * spec.size + state.place().0;
        let mut table = vec![0.0; spec.cells() * (spec.horizon as usize + 1)];
        let mut world = World::on(Arc::clone(&grid));
        loop {
            let mut moved: f64 = 0.0;
            for state in all.iter().filter(|state| state.end().is_none()) {
                let best = Move::ALL.map(|way| {
                    world.restore(state);
                    let transition = world.step(way.into());
                    let after = if transition.end.is_some() { 0.0 } else { table[place(world.state())] };
                    transition.reward + 0.97 * after
                });
                let best = best.into_iter().fold(f64::MIN, f64::max);
                moved = moved.max((best - table[place(state)]).abs());
                table[place(state)] = best;
            }
            if moved == 0.0 {
                break;
            }
        }
        for state in all.iter().filter(|state| state.end().is_none()) {
            assert!((exact.v(state).unwrap() - table[place(state)]).abs() < 1e-12);
        }
    }
}

#[test]
fn optimal_values_choose_the_shortest_ways_while_there_is_time() {
    for seed in 0..20 {
        let grid = drawn(&PixelSpec::default(), seed);
        let values = Values::optimal(&grid, 1.0).unwrap();
        for steps in [0, 40, 70, 80] {
            for state in states(&grid, steps).filter(|state| state.end().is_none()) {
                let optimum = state.optimum().unwrap();
                let worth = values.q(&state).unwrap();
                let best = worth.into_iter().fold(f64::MIN, f64::max);
                if optimum.distance + steps <= 81 {
                    let value = 1.0 - 0.01 * f64::from(optimum.distance - 1);
                    assert!((best - value).abs() < 1e-12);
                    let is_best = |way: &Move| worth[*way as usize] > best - 1e-9;
                    assert_eq!(Move::ALL.into_iter().filter(is_best).collect::<counsel_pixel::Moves>(), optimum.moves);
                } else {
                    assert!(worth.iter().all(|worth| (worth + 0.01 * f64::from(81 - steps)).abs() < 1e-12));
                }
            }
        }
    }
}

#[test]
fn a_policy_is_asked_once_per_cell() {
    let grid = drawn(&small(0.2, 6), 0);
    let cells = states(&grid, 0).count() - 1;
    let mut asked = 0;
    let even = |_: &State| {
        asked += 1;
        [0.25; 4]
    };
    Values::of_policy(&grid, even, 1.0).unwrap();
    assert_eq!(asked, cells);
}

#[test]
fn what_is_over_or_elsewhere_has_no_value() {
    let grid = drawn(&small(0.2, 6), 0);
    let values = Values::optimal(&grid, 1.0).unwrap();
    let (x, y) = grid.goal();
    let there = State::new(Arc::clone(&grid), x, y, 0).unwrap();
    let start = State::start(Arc::clone(&grid));
    let late = State::new(Arc::clone(&grid), grid.start().0, grid.start().1, 6).unwrap();
    let elsewhere = State::start(drawn(&small(0.2, 6), 1));
    assert!(values.q(&start).is_some() && values.v(&start).is_some());
    for state in [there, late, elsewhere] {
        assert_eq!((values.q(&state), values.v(&state)), (None, None));
    }
    let copy = State::start(Arc::new(Grid::clone(&grid)));
    assert_eq!(values.q(&copy), values.q(&start), "an equal grid is the same grid");
}

#[test]
fn improper_policies_and_discounts_are_refused() {
    let grid = drawn(&small(0.2, 6), 0);
    for wrong in [[0.0; 4], [0.3; 4], [f64::NAN; 4], [1.5, -0.5, 0.0, 0.0]] {
        assert!(matches!(Values::of_policy(&grid, |_| wrong, 1.0), Err(Error::ImproperPolicy { .. })), "{wrong:?}");
    }
    for wrong in [-0.1, 1.1, f64::NAN] {
        let text = Values::optimal(&grid, wrong).unwrap_err().to_string();
        assert!(text.contains(&format!("the discount is {wrong}")), "{text}");
    }
    let endless = drawn(&PixelSpec { horizon: u32::MAX, ..PixelSpec::default() }, 0);
    let text = Values::optimal(&endless, 1.0).unwrap_err().to_string();
    assert!(text.contains("make the grid or the horizon smaller"), "{text}");
}
