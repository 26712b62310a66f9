//! A game in full, to be read: the same words as the original's, quirks included.

use counsel_alfworld::Game;

const PROBLEM: &str = "(define (problem p) (:domain alfred)
(:objects agent1 - agent loc_bar_0 loc_bar_1 loc_bar_2 - location
 mug_bar_1 mug_bar_2 knife_bar_1 apple_bar_1 desklamp_bar_1 - object
 desk_bar_1 shelf_bar_1 microwave_bar_1 - receptacle
 mugType knifeType appleType desklampType - otype deskType shelfType microwaveType - rtype)
(:init (atLocation agent1 loc_bar_0)
 (receptacleAtLocation desk_bar_1 loc_bar_1) (receptacleAtLocation shelf_bar_1 loc_bar_1)
 (receptacleAtLocation microwave_bar_1 loc_bar_2)
 (receptacleType desk_bar_1 deskType) (receptacleType shelf_bar_1 shelfType) (receptacleType microwave_bar_1 microwaveType)
 (openable microwave_bar_1)
 (canContain deskType mugType) (canContain shelfType mugType) (canContain deskType knifeType)
 (objectType mug_bar_1 mugType) (objectType mug_bar_2 mugType) (objectType knife_bar_1 knifeType)
 (objectType apple_bar_1 appleType) (objectType desklamp_bar_1 desklampType)
 (inReceptacle mug_bar_1 desk_bar_1) (inReceptacle mug_bar_2 microwave_bar_1) (inReceptacle knife_bar_1 desk_bar_1)
 (inReceptacle apple_bar_1 desk_bar_1) (inReceptacle desklamp_bar_1 microwave_bar_1)
 (objectAtLocation mug_bar_1 loc_bar_1) (objectAtLocation mug_bar_2 loc_bar_2) (objectAtLocation knife_bar_1 loc_bar_1)
 (objectAtLocation apple_bar_1 loc_bar_1) (objectAtLocation desklamp_bar_1 loc_bar_2)
 (pickupable mug_bar_1) (pickupable mug_bar_2) (pickupable knife_bar_1) (pickupable apple_bar_1)
 (heatable mug_bar_1) (sliceable apple_bar_1) (toggleable desklamp_bar_1))
(:goal (exists (?o - object) (and (isHot ?o) (isSliced apple_bar_1)))))";

#[test]
fn a_game_reads_as_the_original_does() {
    let mut state = Game::from_pddl(PROBLEM, "heat a mug and slice an apple").unwrap().start();
    assert_eq!(
        state.introduction(),
        "-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a desk \
         1, a microwave 1, and a shelf 1.\n\nYour task is to: heat a mug and slice an apple."
    );
    let script = [
        ("look", "You are in the middle of a room. Looking quickly around you, you see nothing."),
        ("inventory", "You are not carrying anything."),
        ("examine desk 1", "Nothing happens."),
        ("go to desk 1", "You arrive at desk 1. On the desk 1, you see a apple 1, a knife 1, and a mug 2."),
        ("go to shelf 1", "Nothing happens."),
        ("examine shelf 1", "On the shelf 1, you see nothing."),
        ("look", "You are facing the desk 1, and shelf 1. Next to it, you see nothing."),
        (" take mug 2 from desk 1\n", "You pick up the mug 2 from the desk 1."),
        ("examine mug 2", "There's nothing special about mug 2."),
        ("take knife 1 from desk 1", "Nothing happens."),
        ("move mug 2 to shelf 1", "You move the mug 2 to the shelf 1."),
        ("look", "You are facing the desk 1, and shelf 1. Next to it, you see a mug 2."),
        ("take mug 2 from shelf 1", "You pick up the mug 2 from the shelf 1."),
        ("go to microwave 1", "You arrive at microwave 1. The microwave 1 is closed."),
        ("use desklamp 1", "You turn on the desklamp 1."),
        ("use desklamp 1", "You turn on the desklamp 1."),
        ("heat mug 2 with microwave 1", "You heat the mug 2 using the microwave 1."),
        ("examine mug 2", "This is a hot mug 2."),
        (
            "open microwave 1",
            "You open the microwave 1. The microwave 1 is open. In it, you see a desklamp 1, and a mug 1.",
        ),
        ("close microwave 1", "You close the microwave 1."),
        ("GO TO DESK 1", "Nothing happens."),
        ("go to desk 1", "You arrive at desk 1. On the desk 1, you see a apple 1, and a knife 1."),
        ("move mug 2 to desk 1", "You move the mug 2 to the desk 1."),
        ("take knife 1 from desk 1", "You pick up the knife 1 from the desk 1."),
        ("inventory", "You are carrying: a knife 1."),
    ];
    for (words, text) in script {
        assert_eq!(state.say(words), text, "{words}");
        assert!(!state.is_won());
    }
    let admissible: Vec<&str> = state.admissible_words().collect();
    assert_eq!(
        admissible,
        [
            "examine desk 1",
            "examine knife 1",
            "examine shelf 1",
            "go to microwave 1",
            "help",
            "inventory",
            "look",
            "move knife 1 to desk 1",
            "slice apple 1 with knife 1",
        ]
    );
    assert_eq!(state.say("slice apple 1 with knife 1"), "You sliced the apple 1 with the knife 1.");
    assert!(state.is_won());
}
