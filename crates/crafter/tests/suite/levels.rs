//! Crafter as the command line knows it.

use counsel_crafter::{Act, Crafter, Picture};
use counsel_decision::Action;
use counsel_world::Levels;

#[test]
fn the_one_level_opens_and_others_are_refused() {
    assert_eq!(Crafter.levels()[0].id, "crafter");
    let refusal = |id: &str, max_steps| Crafter.open(id, max_steps).err().unwrap();
    assert!(refusal("craftr", None).contains("did you mean `crafter`"));
    assert!(refusal("crafter", Some(0)).contains("max_steps is 0"));
    let mut shown = Crafter.open("crafter", Some(1)).unwrap();
    assert_eq!(shown.controls().len(), Act::ALL.len());
    assert!(shown.act(Action::new(0)).truncated);
}

#[test]
fn an_episode_shows_what_its_state_is() {
    let mut shown = Crafter.open("crafter", None).unwrap();
    shown.begin(Some(4));
    let first = shown.observation_json();
    assert!(shown.picture().starts_with("survive and achieve (step 0 of 10000, day)\n"));
    assert!(
        shown.picture().contains("health 9, food 9, drink 9, energy 9\nyou carry nothing\nyou are awake and face down")
    );
    shown.begin(None);
    assert_ne!(shown.observation_json(), first, "the next episode is another one");
    shown.begin(Some(4));
    assert_eq!(shown.observation_json(), first);
    let state = counsel_crafter::State::begin(4, 1, 10_000);
    let digest = counsel_advisor::Digest::of(Picture::of(&state).bytes()).to_string();
    assert!(first.contains(&digest));
}
