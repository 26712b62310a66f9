//! The world keeps the promises of `Environment`, and pays what its specification says.

use std::sync::Arc;

use counsel_decision::{Action, Seed};
use counsel_pixel::{Ends, Grid, Move, PixelSpec, Redraw, World};
use counsel_world::{End, Environment, Promise, check_environment};

use crate::{drawn, small};

#[test]
fn every_kind_of_world_conforms() {
    for (ends, redraw) in [
        (Ends::Corners, Redraw::Never),
        (Ends::Corners, Redraw::EachEpisode),
        (Ends::Anywhere, Redraw::Never),
        (Ends::Anywhere, Redraw::EachEpisode),
    ] {
        for (spec, episodes) in [(PixelSpec::default(), 3), (PixelSpec::large(), 1), (small(0.3, 20), 8)] {
            let spec = PixelSpec { ends, redraw, ..spec };
            let mut world = World::new(&spec, Seed::root(3)).unwrap();
            let promise = Promise { horizon: spec.horizon as usize, rewards: -spec.step_cost..=spec.goal_reward };
            check_environment(&mut world, &promise, episodes, Seed::root(1)).unwrap();
        }
    }
}

/// The return of the first best move at every step.
fn best_return(world: &mut World) -> f64 {
    let mut sum = 0.0;
    while let (None, Some(optimum)) = (world.state().end(), world.state().optimum()) {
        sum += world.step(optimum.moves.iter().next().unwrap().into()).reward;
    }
    sum
}

#[test]
fn returns_are_those_of_the_paper() {
    let open = PixelSpec { walls: 0.0, ..PixelSpec::default() };
    let mut world = World::new(&open, Seed::root(0)).unwrap();
    assert!((best_return(&mut world) - 0.85).abs() < 1e-12);
    world.reset(Seed::root(0));
    let idle: Vec<_> = (0..81).map(|_| world.step(Move::North.into())).collect();
    assert_eq!(idle[79].end, None);
    assert_eq!(idle[80].end, Some(End::Truncated));
    let sum: f64 = idle.iter().map(|transition| transition.reward).sum();
    assert!((sum + 0.81).abs() < 1e-12, "{sum}");

    let large = PixelSpec { walls: 0.0, ..PixelSpec::large() };
    let mut world = World::new(&large, Seed::root(0)).unwrap();
    assert!((best_return(&mut world) - 0.75).abs() < 1e-12);
}

#[test]
fn obstacles_stop_a_move_and_the_step_still_counts() {
    let drawing = "S#...\n.....\n.....\n.....\n....G";
    let spec = PixelSpec { size: 5, window: 3, ..PixelSpec::default() };
    let mut world = World::on(Arc::new(Grid::read(&spec, drawing).unwrap()));
    for (steps, way) in [(1, Move::North), (2, Move::West), (3, Move::East)] {
        let transition = world.step(way.into());
        assert_eq!((transition.reward, transition.end), (-0.01, None));
        assert_eq!((world.state().place(), world.state().steps()), ((0, 0), steps));
    }
    world.step(Action(4));
    assert_eq!((world.state().place(), world.state().steps()), ((0, 0), 4), "an action past 3 waits");
    world.step(Move::South.into());
    assert_eq!(world.state().place(), (0, 1));
    world.step(Move::East.into());
    assert_eq!(world.state().place(), (1, 1));
}

#[test]
fn who_reaches_the_goal_at_the_last_step_has_reached_it() {
    let spec = PixelSpec { size: 5, walls: 0.0, window: 3, horizon: 8, ..PixelSpec::default() };
    let mut world = World::new(&spec, Seed::root(0)).unwrap();
    assert!((best_return(&mut world) - 0.93).abs() < 1e-12);
    assert_eq!((world.state().steps(), world.state().end()), (8, Some(End::Terminated)));
}

#[test]
fn a_world_draws_grids_when_its_specification_says_so() {
    let spec = PixelSpec::default();
    let mut world = World::new(&spec, Seed::root(5)).unwrap();
    let first = Arc::clone(world.state().grid());
    assert_eq!(first, drawn(&spec, 5), "a world is played on the grid of its seed");
    world.reset(Seed::root(6));
    assert_eq!(*world.state().grid(), first);

    let spec = PixelSpec { redraw: Redraw::EachEpisode, ..spec };
    let mut world = World::new(&spec, Seed::root(5)).unwrap();
    world.reset(Seed::root(6));
    assert_eq!(*world.state().grid(), drawn(&spec, 6));
    assert_ne!(world.state().grid().text(), first.text());

    let mut world = World::on(drawn(&spec, 5));
    world.reset(Seed::root(6));
    assert_eq!(world.state().grid().text(), first.text(), "a given grid stays");
}
