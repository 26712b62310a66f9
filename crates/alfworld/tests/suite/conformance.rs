//! The world keeps the promises of `Environment`.

use counsel_alfworld::{AlfworldSpec, NOTHING_HAPPENS, Recipe, Task, World};
use counsel_decision::{Action, Seed};
use counsel_world::{End, Environment, Promise, check_environment};

#[test]
fn drawn_and_given_games_conform() {
    let spec = AlfworldSpec { step_cost: 0.01, ..AlfworldSpec::default() };
    let promise = Promise { horizon: 50, rewards: -0.01..=1.0 };
    let mut world = World::new(spec.clone(), Seed::root(1)).unwrap();
    check_environment(&mut world, &promise, 4, Seed::root(2)).unwrap();
    let games = super::recipes(3).map(|recipe| recipe.game().unwrap()).collect();
    let mut world = World::of(games, spec).unwrap();
    check_environment(&mut world, &promise, 4, Seed::root(3)).unwrap();
}

#[test]
fn an_action_is_a_place_in_the_list_and_what_is_not_there_does_nothing() {
    let mut world = World::new(AlfworldSpec::default(), Seed::root(5)).unwrap();
    let commands: Vec<String> = world.standing().commands().map(str::to_owned).collect();
    assert_eq!(world.actions(), commands.len());
    let mut twin = world.clone();
    for (number, command) in commands.iter().enumerate() {
        let before = world.snapshot();
        assert_eq!(world.step(Action::new(number)), twin.say(command), "{command}");
        assert_eq!(world, twin);
        world.restore(&before);
        twin.restore(&before);
    }
    let state = world.standing().state().clone();
    assert_eq!(world.step(Action::new(commands.len())).end, None);
    assert_eq!((world.standing().told(), world.standing().steps()), (NOTHING_HAPPENS, 1));
    assert_eq!(*world.standing().state(), state);
}

#[test]
fn success_pays_once_and_the_clock_cuts() {
    let game = Recipe::draw(Task::PickAndPlace, counsel_alfworld::Family::Training, Seed::root(3)).game().unwrap();
    let expert = counsel_alfworld::Expert::of(&game).unwrap();
    let plan = expert.plan(&game.start());
    let mut world = World::of(vec![game.clone()], AlfworldSpec { step_cost: 0.25, ..AlfworldSpec::default() }).unwrap();
    for (number, &command) in plan.iter().enumerate() {
        let transition = world.say(game.words(command).unwrap());
        let is_last = number + 1 == plan.len();
        assert_eq!(transition.reward, if is_last { 0.75 } else { -0.25 });
        assert_eq!(transition.end, is_last.then_some(End::Terminated));
    }
    let after = world.say("look");
    assert_eq!((after.reward, after.end), (0.0, Some(End::Terminated)));
    let mut short = World::of(vec![game], AlfworldSpec { horizon: 2, ..AlfworldSpec::default() }).unwrap();
    assert_eq!(short.say("look").end, None);
    assert_eq!(short.say("dance").end, Some(End::Truncated));
}
