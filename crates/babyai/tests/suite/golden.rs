//! The episodes of the original, played again: the checksum of everything they showed must be the same.
//!
//! `fixtures/babyai/generate.py` writes the file; a failure here means that a level is no longer that of the original.

use std::path::Path;

use counsel_babyai::{Act, World, levels};
use serde::Deserialize;

use crate::checksum::Checksum;

#[derive(Deserialize)]
struct Episode {
    id: String,
    seed: u64,
    mission: String,
    max_steps: u32,
    actions: String,
    digest: u32,
    grid: Option<String>,
    again: Continuation,
}

/// The episode after a reset without a seed.
#[derive(Deserialize)]
struct Continuation {
    actions: String,
    digest: u32,
}

fn episodes() -> Vec<Episode> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/babyai/golden.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn played(world: &mut World, seed: Option<u64>, actions: &str) -> u32 {
    world.reset(seed);
    let mut digest = Checksum::default();
    digest.add_reset(world);
    for digit in actions.bytes() {
        let effect = world.step(Act::try_from(usize::from(digit - b'0')).unwrap());
        digest.add_step(world, effect);
    }
    digest.add_grid(world);
    digest.value()
}

#[test]
fn every_level_is_that_of_the_original() {
    for episode in episodes() {
        let Episode { id, seed, .. } = &episode;
        let mut world = World::new(id).unwrap();
        let digest = played(&mut world, Some(*seed), &episode.actions);
        assert_eq!(world.mission(), episode.mission, "{id} seed {seed}");
        assert_eq!(world.max_steps(), episode.max_steps, "{id} seed {seed}");
        assert_eq!(digest, episode.digest, "{id} seed {seed}");
        if let Some(grid) = &episode.grid {
            assert_eq!(&world.grid_text(), grid, "{id} seed {seed}");
        }
        let again = played(&mut world, None, &episode.again.actions);
        assert_eq!(again, episode.again.digest, "{id} seed {seed}, the reset without a seed");
    }
}

#[test]
fn every_registered_level_has_an_episode() {
    let episodes = episodes();
    assert_eq!(levels().len(), 96);
    for level in levels() {
        assert!(episodes.iter().any(|episode| episode.id == level.id), "{} is missing in golden.json", level.id);
    }
}
