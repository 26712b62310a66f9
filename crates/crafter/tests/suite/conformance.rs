//! The world keeps the promises of `Environment`.

use counsel_crafter::{Act, CrafterSpec, Family, World};
use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Promise, check_environment};

#[test]
fn the_world_conforms() {
    let mut world = World::with_max_steps(0, 25).unwrap();
    let promise = Promise { horizon: 25, rewards: -0.9..=1.1 };
    check_environment(&mut world, &promise, 3, Seed::root(1)).unwrap();
}

#[test]
fn an_episode_ends_by_the_clock_or_by_death_and_stays_ended() {
    let mut world = World::with_max_steps(3, 2).unwrap();
    assert_eq!(world.step(Act::Noop.into()).end, None);
    assert_eq!(world.step(Act::Noop.into()).end, Some(End::Truncated));
    let over = world.snapshot();
    let again = world.step(Act::Do.into());
    assert_eq!((again.reward, again.end), (0.0, Some(End::Truncated)));
    assert_eq!(world.snapshot(), over, "nothing happens after the end");
    // Whoever only waits starves, or is eaten before.
    let mut world = World::new(3);
    let end = (0..10_000).find_map(|_| world.step(Act::Noop.into()).end);
    assert_eq!(end, Some(End::Terminated));
    assert_eq!(world.state().player().health(), 0);
}

#[test]
fn another_luck_changes_what_happens_and_not_what_is() {
    let mut world = World::new(5);
    let before = world.snapshot();
    world.reseed(Seed::root(9));
    assert_eq!(world.state().semantic(), before.semantic());
    let mut walk = |randomness: u64| {
        world.restore(&before);
        world.reseed(Seed::root(randomness));
        (0..30).for_each(|_| _ = world.step(Act::Noop.into()));
        world.state().semantic()
    };
    assert_eq!(walk(1), walk(1));
    assert_ne!(walk(1), walk(2));
}

#[test]
fn an_action_that_there_is_not_waits() {
    let (mut strange, mut waiting) = (World::new(1), World::new(1));
    strange.step(Action::new(17));
    waiting.step(Act::Noop.into());
    assert_eq!(strange, waiting);
}

#[test]
fn the_next_episode_of_a_seed_has_an_area_of_its_own() {
    let mut world = World::new(1);
    let first = world.state().semantic();
    world.begin(None);
    assert_ne!(world.state().semantic(), first);
    world.begin(Some(1));
    assert_eq!(world.state().semantic(), first);
    assert!(World::with_max_steps(0, 0).unwrap_err().to_string().contains("max_steps is 0"));
}

#[test]
fn training_and_evaluation_share_no_seed() {
    let mut world = CrafterSpec::default().world().unwrap();
    let mut seeds = |family| {
        world.draw_from(family);
        let drawn = (0..20).map(|episode| {
            world.reset(Seed::root(1).index(episode));
            world.seed()
        });
        drawn.collect::<Vec<u64>>()
    };
    assert!(seeds(Family::Training).iter().all(|seed| seed % 2 == 0));
    assert!(seeds(Family::Evaluation).iter().all(|seed| seed % 2 == 1));
}

#[test]
fn a_horizon_that_cannot_be_is_refused() {
    for horizon in [0, 10_001] {
        let error = CrafterSpec { horizon }.world().unwrap_err().to_string();
        assert!(error.contains(&horizon.to_string()) && error.contains("1 to 10000"), "{error}");
    }
}
