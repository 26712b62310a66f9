//! Broken problems are refused with one clear message, and nothing that is said or written makes the engine panic.

use counsel_alfworld::{Game, NOTHING_HAPPENS};
use proptest::prelude::*;

fn problem() -> String {
    super::recipes(1).next().unwrap().problem()
}

/// The message for a problem in which one text stands for another.
fn refused(old: &str, new: &str) -> String {
    let changed = problem().replacen(old, new, 1);
    assert_ne!(changed, problem(), "`{old}` is not in the problem");
    Game::from_pddl(&changed, "a task").unwrap_err().to_string()
}

#[test]
fn a_broken_problem_is_refused_by_name() {
    let cases = [
        (("(define", "(defined"), "where `define` is due"),
        (("(:domain alfred)", "(:domain blocks)"), "where `:domain alfred` is due"),
        (("(:domain alfred)", "(:domain alfred)\n(:metric minimize (total-cost))"), "where `:objects` is due"),
        (("(:goal", ") (:goal"), "after the last closing parenthesis"),
        (("(:init", "(:init ()"), "is no fact; write a predicate"),
        (("(:init", "(:init é"), "the character 'é' outside a comment"),
        (("(:init", "(:init (openable agent1)"), "`agent1`, which is declared as agent; receptacle is due"),
        (("(:init", "(:init (openable desk_bar_77)"), "`desk_bar_77`, which is not declared"),
        (("(:init", "(:init (openabel cabinet_bar_1)"), "no predicate `openabel` (did you mean `openable`?)"),
        (("(:init", "(:init (openable)"), "another number of arguments than 1"),
        (("(:init", "(:init (atLocation agent1 loc_bar_1)"), "the agent is at 2 locations"),
        (("(:init", "(:init (holdsAny agent1)"), "`holds` gives the agent 0 objects"),
        (("(:init", "(:init (receptacleAtLocation cabinet_bar_1 loc_bar_2)"), "`cabinet_bar_1` is at two locations"),
        (("(:init", "(:init (not (openable cabinet_bar_1))"), "both stated and denied"),
        (("agent1 - agent", "agent1 agent2 - agent"), "there are 2 agents"),
        (("agent1 - agent", "agent1 - agent agent1 - agent"), "`agent1` is declared twice"),
        (("agent1 - agent", "agent1 - robot"), "there is no type `robot`"),
        (("agent1 - agent", "agent1 - agent odd|id - object"), "`odd|id` cannot be an id"),
        (("(:goal (exists", "(:goal (exits"), "no predicate `exits`; see the domain"),
        (("(:goal (exists (?r", "(:goal (exists (r"), "its variables cannot be read"),
        (("(inReceptacle ?o ?r)))", "(inReceptacle ?o ?x)))"), "something that is not declared: `?x`"),
    ];
    for ((old, new), message) in cases {
        let said = refused(old, new);
        assert!(said.contains(message), "{new}: {said}");
    }
    assert!(Game::from_pddl("", "a task").unwrap_err().to_string().contains("a missing `)`"));
    let deep = "(".repeat(100_000);
    assert!(Game::from_pddl(&deep, "a task").unwrap_err().to_string().contains("more than 100"));
}

#[test]
fn a_goal_that_would_take_for_ever_is_refused() {
    let variables: Vec<String> = (0..12).map(|number| format!("?v{number} - object")).collect();
    let (head, _) = problem().split_once("(:goal").map(|(head, goal)| (head.to_owned(), goal.to_owned())).unwrap();
    let goal = format!("{head}(:goal (exists ({}) (or (isHot ?v0) (isHot ?v11)))))", variables.join(" "));
    assert!(Game::from_pddl(&goal, "a task").unwrap_err().to_string().contains("too many combinations"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_problem_never_panics(at in any::<prop::sample::Index>(), length in 0_usize..40, new in "[ -~\n]{0,12}") {
        let problem = problem();
        let from = at.index(problem.len());
        let to = (from + length).min(problem.len());
        let damaged = format!("{}{new}{}", &problem[..from], &problem[to..]);
        if let Ok(game) = Game::from_pddl(&damaged, "a task") {
            let mut state = game.start();
            for number in state.admissible() {
                state.say(game.words(number).unwrap());
            }
        }
    }

    #[test]
    fn nonsense_changes_nothing(words in "\\PC{0,40}") {
        let game = super::recipes(1).next().unwrap().game().unwrap();
        let mut state = game.start();
        prop_assume!(!state.admissible_words().any(|known| known == words.trim()));
        prop_assert_eq!(state.say(&words), NOTHING_HAPPENS);
        prop_assert_eq!(state, game.start());
    }
}
