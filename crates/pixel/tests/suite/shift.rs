//! A goal that moves in the course of a run.

use counsel_decision::Seed;
use counsel_pixel::{PixelSpec, World, compass, rule};
use counsel_world::{Environment, Promise, check_environment};
use proptest::prelude::*;

const AFTER: u64 = 3;

fn moving(spec: PixelSpec, seed: u64) -> World {
    World::new(&PixelSpec { goal_moves_after: Some(AFTER), ..spec }, Seed::root(seed)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_goal_moves_once_and_far(seed in any::<u64>(), large in any::<bool>()) {
        let spec = if large { PixelSpec::large() } else { PixelSpec::default() };
        let mut world = moving(spec, seed);
        let grids: Vec<_> = (0..2 * AFTER)
            .map(|episode| {
                world.enter(episode);
                world.reset(Seed::root(episode));
                world.state().grid().clone()
            })
            .collect();
        let (before, after) = grids.split_at(grids.len() / 2);
        let (first, then) = (&before[0], &after[0]);
        prop_assert!(before.iter().all(|grid| grid == first));
        prop_assert!(after.iter().all(|grid| grid == then));
        prop_assert_eq!(first.start(), then.start());
        let walls = |text: String| text.replace(['S', 'G'], ".");
        prop_assert_eq!(walls(first.text()), walls(then.text()), "only the goal moves");
        let (x, y) = then.start();
        let far = |distance: Option<u32>| distance.is_some_and(|steps| steps as usize >= spec.size - 1);
        prop_assert!(far(then.distance(x, y)), "as far from the start as the grid is wide");
        let (x, y) = first.goal();
        prop_assert!(far(then.distance(x, y)), "and from where it was");
    }
}

#[test]
fn the_second_place_owes_nothing_to_the_first_episodes() {
    let mut world = moving(PixelSpec::default(), 7);
    world.enter(AFTER);
    let then = world.state().grid().clone();
    let mut other = moving(PixelSpec::default(), 7);
    (0..=AFTER).for_each(|episode| other.enter(episode));
    assert_eq!(then, *other.state().grid());
    other.enter(0);
    assert_ne!(then, *other.state().grid(), "a run can be played again from its start");
    let plain = World::new(&PixelSpec::default(), Seed::root(7)).unwrap();
    assert_eq!(plain.state().grid().text(), other.state().grid().text(), "the first grid is that of the seed");
}

#[test]
fn in_the_open_every_cell_between_the_corners_can_be_the_second_place() {
    let mut places: Vec<_> = (0..50)
        .map(|seed| {
            let mut world = moving(PixelSpec { walls: 0.0, ..PixelSpec::default() }, seed);
            world.enter(AFTER);
            world.state().grid().goal()
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    let between: Vec<_> = (0..9).map(|x| (x, 8 - x)).collect();
    assert_eq!(places, between);
}

#[test]
fn a_world_whose_goal_moves_conforms_before_and_after() {
    let spec = PixelSpec { goal_moves_after: Some(AFTER), ..PixelSpec::default() };
    let promise = Promise { horizon: spec.horizon as usize, rewards: -spec.step_cost..=spec.goal_reward };
    for episode in [0, AFTER] {
        let mut world = World::new(&spec, Seed::root(1)).unwrap();
        world.enter(episode);
        check_environment(&mut world, &promise, 3, Seed::root(2)).unwrap();
    }
}

#[test]
fn a_snapshot_is_restored_across_the_move() {
    let mut world = moving(PixelSpec::default(), 2);
    let before = world.snapshot();
    world.enter(AFTER);
    let after = world.snapshot();
    world.restore(&before);
    assert_eq!(world.snapshot(), before);
    world.restore(&after);
    assert_eq!(world.snapshot(), after);
}

/// What was heard of the compass is over when the goal moves, in windows that look as before; the rule never changes its mind.
#[test]
fn the_compass_turns_where_the_window_stays_the_same() {
    let (mut alike, mut turned) = (0, 0);
    for seed in 0..50 {
        let mut world = moving(PixelSpec::default(), seed);
        let first = world.state().clone();
        world.enter(AFTER);
        let then = world.state().clone();
        if first.observation() == then.observation() {
            alike += 1;
            turned += u32::from(compass(&first) != compass(&then));
            assert_eq!(rule(&first.observation()), rule(&then.observation()));
        }
    }
    assert!(alike > 40 && turned > 5, "{alike} {turned}");
}
