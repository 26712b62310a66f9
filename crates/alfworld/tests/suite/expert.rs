//! The expert's distance is the length of the shortest plan: it satisfies Bellman's equation in every state that is met.

use counsel_alfworld::{Expert, Game, State};
use counsel_decision::Seed;
use rand::RngExt;

/// 0 exactly where the task is done; elsewhere 1 more than the least distance after a command.
fn check(expert: &Expert, state: &State) {
    let here = expert.distance(state).expect("what is drawn can be solved");
    assert_eq!(here == 0, state.is_won());
    let mut least = u32::MAX;
    let mut best = Vec::new();
    for number in state.admissible() {
        let mut after = state.clone();
        after.command(state.game().command(number).unwrap());
        let there = expert.distance(&after).expect("nothing that can be done is final");
        least = least.min(there);
        if there + 1 == here {
            best.push(number);
        }
        assert!(there + 1 >= here, "{} leads from {here} to {there}", state.game().words(number).unwrap());
    }
    if here > 0 {
        assert_eq!(least + 1, here);
        assert_eq!(expert.best(state), best);
    } else {
        assert!(expert.best(state).is_empty());
    }
}

fn stroll(game: &std::sync::Arc<Game>, seed: Seed) {
    let expert = Expert::of(game).expect("both tasks have an expert");
    let mut rng = seed.rng();
    let mut state = game.start();
    for _ in 0..60 {
        check(&expert, &state);
        let all = state.admissible();
        // Taking and moving are rare among all that can be done, so they get a chance of their own.
        let rare: Vec<_> = all
            .iter()
            .copied()
            .filter(|&number| state.game().words(number).is_some_and(|words| !words.starts_with("go to")))
            .collect();
        let some = if rng.random_bool(0.5) { &rare } else { &all };
        state.command(game.command(some[rng.random_range(0..some.len())]).unwrap());
    }
}

#[test]
fn the_distance_satisfies_bellmans_equation() {
    for (number, recipe) in (0..).zip(super::recipes(60)) {
        stroll(&recipe.game().unwrap(), Seed::root(number).stream("stroll"));
    }
}

#[test]
fn it_does_where_places_are_shared_drawers_open_and_hands_full() {
    for (number, recipe) in (0..).zip(super::recipes(60)) {
        // Two receptacles share a location, the agent starts beside a third, and the last drawer is open.
        let problem = recipe
            .problem()
            .replace(" loc_bar_3)", " loc_bar_2)")
            .replace("atLocation agent1 loc_bar_0", "atLocation agent1 loc_bar_5");
        let drawer =
            problem.lines().rev().find_map(|line| line.strip_prefix("(openable ")).unwrap().trim_end_matches(')');
        let problem = problem.replace("(:init\n", &format!("(:init\n(opened {drawer})\n"));
        let held = problem.lines().find_map(|line| line.strip_prefix("(pickupable ")).unwrap().trim_end_matches(')');
        let is_there = |line: &&str| !line.contains(&format!("(objectAtLocation {held} "));
        let lines: Vec<String> = problem
            .lines()
            .filter(is_there)
            .map(|line| match line.split_once(&format!(" (inReceptacle {held} ")) {
                Some((before, _)) => format!("{before} (holds agent1 {held}) (holdsAny agent1)"),
                None => line.to_owned(),
            })
            .collect();
        let game = Game::from_pddl(&lines.join("\n"), recipe.words()).unwrap();
        assert!(game.start().held().is_some());
        stroll(&game, Seed::root(number).stream("other stroll"));
    }
}

#[test]
fn it_says_what_must_be_taken() {
    for recipe in super::recipes(40) {
        let game = recipe.game().unwrap();
        let expert = Expert::of(&game).unwrap();
        assert!(!expert.objects().is_empty());
        assert!(expert.objects().iter().all(|&o| game.object_class(o) == recipe.goal().object));
    }
}

#[test]
fn a_goal_of_another_kind_or_an_object_in_two_places_has_no_expert() {
    let recipe = super::recipes(1).next().unwrap();
    let problem = recipe.problem();
    let (head, _) = problem.split_once("(:goal").unwrap();
    let hot = format!("{head}(:goal (exists (?o - object) (isHot ?o))))");
    assert_eq!(Expert::of(&Game::from_pddl(&hot, "heat something").unwrap()), None);
    let thing = problem.lines().find_map(|line| line.strip_prefix("(pickupable ")).unwrap().trim_end_matches(')');
    let twice = problem.replace(
        "(:init\n",
        &format!("(:init\n(inReceptacle {thing} cabinet_bar_1) (inReceptacle {thing} cabinet_bar_2)\n"),
    );
    assert_eq!(Expert::of(&Game::from_pddl(&twice, "put it there").unwrap()), None);
}
