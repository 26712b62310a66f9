//! Drawn games: solvable, varied, and of disjoint families.

use std::collections::BTreeSet;

use counsel_alfworld::{Expert, Family, Goal, Recipe, Task};
use counsel_decision::Seed;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_drawn_game_can_be_solved_in_a_few_commands(seed in any::<u64>(), look in any::<bool>(), judged in any::<bool>()) {
        let task = if look { Task::LookAtObject } else { Task::PickAndPlace };
        let family = if judged { Family::Evaluation } else { Family::Training };
        let recipe = Recipe::draw(task, family, Seed::root(seed));
        let game = recipe.game().unwrap();
        let expert = Expert::of(&game).unwrap();
        let distance = expert.distance(&game.start()).unwrap();
        prop_assert!((3..=6).contains(&distance), "{}", distance);
        let mut state = game.start();
        let plan = expert.plan(&state);
        prop_assert_eq!(plan.len(), distance as usize);
        for number in plan {
            prop_assert!(!state.is_won());
            let words = game.words(number).unwrap();
            state.say(words);
        }
        prop_assert!(state.is_won());
        prop_assert_eq!(recipe.goal().family(), family);
        prop_assert_eq!(recipe, Recipe::draw(task, family, Seed::root(seed)));
    }
}

#[test]
fn the_families_share_no_goal_and_have_the_same_rooms() {
    for task in Task::ALL {
        let [train, judge] = [Family::Training, Family::Evaluation].map(|family| Goal::all(task, family));
        let words = |goal: &Goal| (goal.object.clone(), goal.target.clone());
        let learned: BTreeSet<_> = train.iter().map(words).collect();
        assert!(judge.iter().all(|goal| !learned.contains(&words(goal))));
        assert!(judge.len() * 2 < train.len() && judge.len() * 6 > train.len(), "{} {}", train.len(), judge.len());
        let rooms = |goals: &[Goal]| goals.iter().map(|goal| goal.room.clone()).collect::<BTreeSet<_>>();
        assert_eq!(rooms(train), rooms(judge));
    }
    let targets = |family| {
        let goals = Goal::all(Task::PickAndPlace, family);
        goals.iter().map(|goal| goal.target.clone()).collect::<BTreeSet<_>>()
    };
    assert!(targets(Family::Evaluation).is_subset(&targets(Family::Training)));
}

#[test]
fn games_differ_in_room_size_and_goal() {
    let games: Vec<_> = super::recipes(200).collect();
    let goals: BTreeSet<_> = games.iter().map(|recipe| recipe.goal().clone()).collect();
    let sizes: BTreeSet<_> = games.iter().map(|recipe| recipe.game().unwrap().receptacles().count()).collect();
    let problems: BTreeSet<_> = games.iter().map(Recipe::problem).collect();
    assert!(goals.len() > 80 && sizes.len() > 5, "{} {sizes:?}", goals.len());
    assert_eq!(problems.len(), 200);
}
