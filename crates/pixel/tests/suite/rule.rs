//! What the local rule says, where it is wrong, and how the agent's surroundings read in words.

use std::sync::Arc;

use counsel_pixel::{Ends, Grid, Move, PixelSpec, SWEEP, State, World, compass, rule};
use counsel_world::{End, Environment};

use crate::{drawn, states};

/// The state with the agent at the letter `A`, in a grid that starts there.
fn at(drawing: &str) -> State {
    let spec = PixelSpec { size: 5, ..PixelSpec::default() };
    State::start(Arc::new(Grid::read(&spec, &drawing.replace('A', "S")).unwrap()))
}

fn advice(drawing: &str) -> Move {
    rule(&at(drawing).observation())
}

#[test]
fn the_rule_goes_to_a_goal_in_sight() {
    assert_eq!(advice(".....\n.....\nG.A..\n.....\n....."), Move::West);
    assert_eq!(advice("..G..\n.....\n..A..\n.....\n....."), Move::North);
    assert_eq!(advice(".....\n.....\n..A..\n....G\n....."), Move::East, "the farther axis first");
    assert_eq!(advice(".....\n.....\n..A..\n.....\n...G."), Move::South);
    assert_eq!(advice(".....\n.....\n..A..\n.....\nG...."), Move::West, "across if both are alike");
    assert_eq!(advice(".....\n.....\n..A#.\n....G\n....."), Move::South, "the other axis if the first is blocked");
}

#[test]
fn the_rule_runs_into_what_stands_before_the_goal() {
    let conflict = at(".....\n.....\n..A#G\n.....\n.....");
    assert_eq!(rule(&conflict.observation()), Move::East);
    assert!(conflict.observation().is_blocked(Move::East));
    assert_eq!(advice(".....\n.....\n..A#.\n..#.G\n....."), Move::East, "both ways are blocked");
}

#[test]
fn the_rule_sweeps_while_the_goal_is_out_of_sight() {
    assert_eq!(SWEEP, [Move::East, Move::South, Move::West, Move::North]);
    assert_eq!(advice("A....\n.....\n.....\n.....\n....G"), Move::East);
    assert_eq!(advice("A#...\n.....\n.....\n.....\n....G"), Move::South);
    assert_eq!(advice("G....\n.....\n.....\n.....\n...#A").name(), "north", "east is the edge, west a wall");
    assert_eq!(advice("G...A\n....#\n.....\n.....\n.....").name(), "west");
}

/// The paper's remark on its advisor: adherence to a local rule is not optimality (tab:pilot-advisor-audit).
#[test]
fn the_rule_is_often_right_and_not_always() {
    let (mut decisions, mut right, mut conflicts, mut successes) = (0, 0, 0, 0);
    for seed in 0..200 {
        let grid = drawn(&PixelSpec::default(), seed);
        for state in states(&grid, 0).filter(|state| state.end().is_none()) {
            let seen = state.observation();
            let advised = rule(&seen);
            decisions += 1;
            right += u32::from(state.optimum().unwrap().moves.contains(advised));
            conflicts += u32::from(seen.is_blocked(advised));
        }
        let mut world = World::on(grid);
        while world.state().end().is_none() {
            world.step(rule(&world.observation()).into());
        }
        successes += u32::from(world.state().end() == Some(End::Terminated));
    }
    let share = |count: u32| f64::from(count) / f64::from(decisions);
    assert!((0.7..0.95).contains(&share(right)), "{}", share(right));
    assert!((0.0005..0.05).contains(&share(conflicts)), "{}", share(conflicts));
    assert!((20..180).contains(&successes), "{successes}");
}

#[test]
fn the_compass_points_to_a_goal_out_of_sight() {
    let south = at("A#...\n.....\n.....\n.....\n....G");
    assert_eq!((compass(&south), rule(&south.observation())), (Move::South, Move::South), "east is a wall");
    let west = at("....A\n.....\n.....\n.....\nG....");
    assert_eq!(
        (compass(&west), rule(&west.observation())),
        (Move::West, Move::South),
        "the sweep goes on to the south"
    );
    let stuck = at("....G\n.....\n.....\n.#...\nA#...");
    assert_eq!(compass(&stuck), Move::North, "the wall is on the way to the east");
    for seed in 0..50 {
        for state in states(&drawn(&PixelSpec::default(), seed), 0).filter(|state| state.end().is_none()) {
            let seen = state.observation();
            assert!(seen.goal().is_none() || compass(&state) == rule(&seen), "in sight they agree");
        }
    }
}

#[test]
fn in_the_open_the_rule_is_always_right() {
    let spec = PixelSpec { walls: 0.0, window: 9, ends: Ends::Anywhere, ..PixelSpec::default() };
    for seed in 0..50 {
        for state in states(&drawn(&spec, seed), 0).filter(|state| state.observation().goal().is_some()) {
            let advised = rule(&state.observation());
            assert!(state.optimum().is_none_or(|best| best.moves.contains(advised)), "{}", state.text());
        }
    }
}

#[test]
fn a_situation_reads_as_plain_facts() {
    let seen = at("..#..\n.....\n..A..\n#...G\n.....").observation();
    assert_eq!(
        seen.situation().to_string(),
        "The goal is 2 cells east and 1 cell south of you. To the north: 1 free cell, then a wall. To the east: 2 free \
         cells, as far as you see. To the south: 2 free cells, as far as you see. To the west: 2 free cells, as far as you \
         see."
    );
    let seen = at("A#...\n.....\n.....\n.....\n....G").observation();
    assert_eq!(
        seen.situation().facts(),
        [
            "You do not see the goal.",
            "To the north: the edge of the grid.",
            "To the east: a wall.",
            "To the south: 2 free cells, as far as you see.",
            "To the west: the edge of the grid.",
        ]
    );
    let seen = at(".....\n.....\n.....\n...AG\n.....").observation();
    assert_eq!(
        seen.situation().facts()[..4],
        [
            "The goal is 1 cell east of you.",
            "To the north: 2 free cells, as far as you see.",
            "To the east: the goal.",
            "To the south: 1 free cell, then the edge of the grid.",
        ]
    );
}
