//! BabyAI keeps the promises that every environment makes.

use counsel_babyai::words::Task;
use counsel_babyai::{Act, World, levels, success_reward};
use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Promise, check_environment};

fn check(id: &str, max_steps: u32, episodes: usize) {
    let mut world = World::with_max_steps(id, max_steps).unwrap();
    let promise = Promise { horizon: max_steps as usize, rewards: 0.0..=1.0 };
    check_environment(&mut world, &promise, episodes, Seed::root(5)).unwrap_or_else(|error| panic!("{id}: {error}"));
}

#[test]
fn the_levels_of_the_studies_conform() {
    for task in Task::ALL {
        check(task.level(), 64, 6);
    }
}

#[test]
fn every_level_conforms() {
    for level in levels() {
        check(level.id, 12, 2);
    }
}

#[test]
fn after_success_a_step_of_the_trait_pays_nothing_while_the_original_plays_on() {
    let mut world = World::with_max_steps("BabyAI-GoToObj-v0", 64).unwrap();
    world.reset(Some(7));
    let mut paid = 0.0;
    while let Some(optimum) = world.state().optimum().unwrap() {
        let act = optimum.acts.iter().next().unwrap();
        let transition = Environment::step(&mut world, Action::new(act as usize));
        if transition.end == Some(End::Terminated) {
            paid = transition.reward;
            break;
        }
    }
    let steps = world.state().steps();
    assert_eq!(paid, success_reward(steps, 64));
    let (before, done) = (world.snapshot(), Action::new(Act::Done as usize));
    let after = Environment::step(&mut world, done);
    assert_eq!((after.reward, after.end), (0.0, Some(End::Terminated)));
    assert_eq!(world.snapshot(), before);
    assert!(world.step(Act::Done).reward > 0.0, "the original pays again");
}
