//! A player knows what it was told and nothing else.

use counsel_alfworld::{AlfworldSpec, Errand, PLACES, Player, Row, World};
use counsel_decision::{Action, Seed};
use counsel_world::{Environment, Promise, check_environment};
use rand::RngExt;

#[test]
fn the_player_conforms() {
    let mut player = Player::new(AlfworldSpec { step_cost: 0.01, ..AlfworldSpec::default() }, Seed::root(1)).unwrap();
    let promise = Promise { horizon: 50, rewards: -0.01..=1.0 };
    check_environment(&mut player, &promise, 4, Seed::root(2)).unwrap();
}

#[test]
fn notes_are_what_the_texts_said() {
    let (mut player, mut world) = (
        Player::new(AlfworldSpec::default(), Seed::root(7)).unwrap(),
        World::new(AlfworldSpec::default(), Seed::root(7)).unwrap(),
    );
    let mut looks = 0;
    for episode in 0..20 {
        player.reset(Seed::root(episode));
        world.reset(Seed::root(episode));
        assert_eq!(Some(player.errand()), Errand::read(world.standing().state().game().task()).as_ref());
        let mut randomness = Seed::root(episode).stream("walk").rng();
        for _ in 0..50 {
            let action = Action::new(randomness.random_range(0..player.actions()));
            let over = player.step(action).end.is_some();
            world.step(action);
            let (state, told) = (player.standing().state(), world.standing().told());
            let game = state.game();
            if let Some(at) =
                player.notes().at().filter(|&at| told.contains(&format!("the {}, you see", game.receptacle_name(at))))
            {
                looks += 1;
                for &object in player.notes().seen(at).unwrap() {
                    assert!(told.contains(game.object_name(object)), "{told}");
                }
            }
            if over {
                break;
            }
        }
    }
    assert!(looks > 50, "{looks}");
}

#[test]
fn a_row_depends_on_what_was_told_and_not_on_what_is_hidden() {
    // The same house with what is hidden elsewhere looks the same before anything is opened.
    let player = Player::new(AlfworldSpec::default(), Seed::root(11)).unwrap();
    let rows = player.rows();
    assert_eq!(rows.len(), player.actions());
    assert!(rows.iter().flatten().all(|&place| usize::from(place) < PLACES));
    let commands: Vec<&str> = player.standing().commands().collect();
    let rows_of = |starts: &str| -> Vec<Row> {
        commands.iter().zip(&rows).filter(|(words, _)| words.starts_with(starts)).map(|(_, row)| *row).collect()
    };
    let mut walks = rows_of("go to drawer");
    walks.dedup();
    assert!(walks.len() <= 1, "two drawers that nobody looked into are told apart");
    assert_ne!(rows_of("look"), rows_of("inventory"));
}
