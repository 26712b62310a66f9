//! The world as a person meets it: levels, pictures and keys.

use counsel_decision::{Action, Seed};
use counsel_pixel::{Episode, Level, Move, Pixel, PixelSpec, World};
use counsel_world::{Effect, Environment, Levels, Shown};
use serde_json::{Value, json};

#[test]
fn the_levels_are_the_two_grids_of_the_paper() {
    let listed: Vec<(&str, String)> = Pixel.levels().into_iter().map(|level| (level.id, level.about)).collect();
    let expected = [("Pixel-9x9-v0", "9 x 9 cells"), ("Pixel-14x14-v0", "14 x 14 cells")];
    assert_eq!(listed, expected.map(|(id, about)| (id, about.to_owned())));
    assert_eq!(Level::Small.spec(), PixelSpec::default());
    assert_eq!(Level::Large.spec(), PixelSpec::large());
    for level in Level::ALL {
        assert_eq!(Level::find(level.id()), Ok(level));
        assert_eq!(Level::find(level.name()), Ok(level));
        assert!(Pixel.open(level.id(), None).is_ok());
    }
}

#[test]
fn what_cannot_be_opened_is_refused_with_a_remedy() {
    let refusal = |id, max_steps| Pixel.open(id, max_steps).err().expect("refused");
    assert_eq!(
        refusal("Pixel-9x9", None),
        "there is no level `Pixel-9x9` (did you mean `Pixel-9x9-v0`?); `counsel world list` shows all"
    );
    let text = refusal("Pixel-9x9-v0", Some(15));
    assert!(text.starts_with("the horizon is 15, but from corner to corner it takes 16 steps or more; "), "{text}");
}

#[test]
fn a_seed_is_an_episode_and_the_next_one_follows() {
    let grid = |episode: &Episode| episode.state().grid().text();
    let world = |seed| World::new(&PixelSpec::default(), Seed::root(seed)).unwrap().state().grid().text();
    let mut episode = Episode::open(Level::Small, None).unwrap();
    assert_eq!(grid(&episode), world(0));
    episode.begin(Some(7));
    assert_eq!(grid(&episode), world(7));
    episode.act(Action(2));
    episode.begin(None);
    assert_eq!((grid(&episode), episode.state().steps()), (world(8), 0));
    episode.begin(Some(u64::MAX));
    episode.begin(None);
    assert_eq!(grid(&episode), world(0));
}

#[test]
fn a_picture_shows_the_clock_the_window_and_the_grid() {
    let mut episode = Episode::open(Level::Small, Some(40)).unwrap();
    episode.begin(Some(3));
    let away = episode.state().optimum().unwrap().moves.iter().next().unwrap();
    episode.act(away.into());
    let (seen, grid) = (episode.state().observation().text(), episode.state().text());
    let picture = episode.picture();
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!((lines[0], lines.len()), ("find the goal (step 1 of 40)", 10));
    for (row, line) in grid.lines().enumerate() {
        let window = seen.lines().nth(row).unwrap_or("     ");
        assert_eq!(lines[row + 1], format!("  {window}    {line}"));
    }
}

#[test]
fn an_observation_is_the_numbers_of_the_window() {
    let mut episode = Episode::open(Level::Large, None).unwrap();
    episode.begin(Some(11));
    let shown: Value = serde_json::from_str(&episode.observation_json()).unwrap();
    let seen = episode.state().observation();
    let row = |row: usize| -> Vec<u8> { seen.looks()[row * 5..row * 5 + 5].iter().map(|&look| look as u8).collect() };
    assert_eq!(shown, json!({ "window": [row(0), row(1), row(2), row(3), row(4)], "max_steps": 160 }));
    assert_eq!(shown["window"][0], json!([3, 3, 3, 3, 3]), "the agent starts in the north-west corner");
}

#[test]
fn playing_is_stepping_the_world() {
    let mut world = World::new(&PixelSpec::default(), Seed::root(5)).unwrap();
    let mut shown = Pixel.open("Pixel-9x9-v0", None).unwrap();
    shown.begin(Some(5));
    let names: Vec<&str> = shown.controls().iter().map(|control| control.name).collect();
    assert_eq!(names, Move::ALL.map(Move::name));
    loop {
        let best = world.state().optimum().unwrap().moves.iter().next().unwrap();
        let (expected, effect) = (world.step(best.into()), shown.act(best.into()));
        assert_eq!(expected, effect.into());
        if effect.terminated {
            assert_eq!(effect, Effect { reward: 1.0, terminated: true, truncated: false });
            break;
        }
    }
}

#[test]
fn the_last_step_can_reach_the_goal_and_use_up_the_clock() {
    let mut episode = Episode::open(Level::Small, None).unwrap();
    episode.begin(Some(1));
    let least = episode.state().optimum().unwrap().distance;
    let mut episode = Episode::open(Level::Small, Some(least)).unwrap();
    episode.begin(Some(1));
    let mut effects = Vec::new();
    while let Some(optimum) = episode.state().optimum() {
        effects.push(episode.act(optimum.moves.iter().next().unwrap().into()));
    }
    assert_eq!(effects.last(), Some(&Effect { reward: 1.0, terminated: true, truncated: true }));
    episode.begin(Some(1));
    let idle: Vec<Effect> = (0..least).map(|_| episode.act(Move::North.into())).collect();
    assert_eq!(idle.last(), Some(&Effect { reward: -0.01, terminated: false, truncated: true }));
    assert!(idle[..idle.len() - 1].iter().all(|effect| !effect.truncated));
}
