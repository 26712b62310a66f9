//! What holds of every sequence of actions.

use counsel_crafter::{Act, Being, Direction, FEATURES, Item, MOST, Object, Observation, Picture, SIDE, State, rule};
use counsel_decision::Action;
use proptest::prelude::*;

/// Nothing is where it cannot be, and nobody has what cannot be had.
fn check(state: &State) {
    let semantic = state.semantic();
    let is_player = |object: &&Object| object.being == Being::Player;
    assert_eq!(state.objects().iter().filter(is_player).count(), 1);
    assert!(semantic.iter().all(|number| (1..=18).contains(number)));
    for object in state.objects() {
        assert!(usize::from(object.place.x) < SIDE && usize::from(object.place.y) < SIDE);
        assert_eq!(state.object(object.place), Some(object), "a cell and its object agree");
    }
    assert!(state.player().inventory.iter().all(|(_, amount)| amount <= MOST));
    let seen = state.observation();
    let mut places = Vec::new();
    seen.active_features(&mut places);
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]) && places[places.len() - 1] < FEATURES);
}

/// The facts are sentences about what there is.
fn check_words(seen: &Observation) {
    let facts = seen.facts();
    assert!(facts.len() >= 3 && facts.iter().all(|fact| fact.ends_with('.')), "{facts:?}");
    assert!(facts[0].contains(&format!("health {}", seen.inventory.count(Item::Health))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_actions_break_the_world(seed: u64, numbers in proptest::collection::vec(0..40_usize, 1..400)) {
        let mut state = State::begin(seed, 1, 10_000);
        let mut picture = Picture::black();
        for (step, number) in numbers.into_iter().enumerate() {
            // Beyond the 17 actions the rule plays, which gets farther.
            let act = Act::try_from(Action::new(number)).unwrap_or_else(|_| rule(&state.observation()));
            state.step(act);
            if step % 7 == 0 {
                picture.draw(&state);
                check(&state);
                check_words(&state.observation());
            }
        }
        check(&state);
    }

    #[test]
    fn the_edge_of_the_area_holds(seed in 0..50_u64, way in 0..4_usize) {
        let mut state = State::begin(seed, 1, 10_000);
        for _ in 0..150 {
            state.step(Act::Move(Direction::ALL[way]));
            for act in [Act::Do, Act::Place(counsel_crafter::Placed::Stone)] {
                state.step(act);
            }
        }
        check(&state);
        check_words(&state.observation());
    }
}
