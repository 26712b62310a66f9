//! Plays given actions and answers with checksums of what the agent was shown, to be held against the original.
//!
//! It reads one JSON request per line, `{"id": .., "seed": .., "max_steps": .., "actions": "021..", "again": "5.."}`, plays
//! `actions` after a reset with the seed and, if given, `again` after a reset without one, and answers
//! `{"digest": .., "again": ..}`. Episodes are played to the last action, ended or not. `counsel world trace` shows a single
//! episode in full.

use std::error::Error;
use std::io::{BufRead, Write};

use counsel_babyai::{Act, World};
use serde_json::{Value, json};

#[path = "../tests/suite/checksum.rs"]
mod checksum;

use checksum::Checksum;

type Failure = Box<dyn Error>;

fn open(id: &str, max_steps: Option<u32>) -> Result<World, counsel_babyai::Error> {
    match max_steps {
        Some(max_steps) => World::with_max_steps(id, max_steps),
        None => World::new(id),
    }
}

fn main() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let id = request["id"].as_str().ok_or("a request has an \"id\"")?;
        let max_steps = request["max_steps"].as_u64().map(u32::try_from).transpose()?;
        let mut world = open(id, max_steps)?;
        let seed = request["seed"].as_u64().ok_or("a request has a \"seed\" of 0 or more")?;
        let actions = request["actions"].as_str().ok_or("a request has \"actions\" as digits")?;
        let digest = play(&mut world, Some(seed), actions)?;
        let again = request["again"].as_str().map(|actions| play(&mut world, None, actions)).transpose()?;
        writeln!(out, "{}", json!({ "digest": digest, "again": again }))?;
        out.flush()?;
    }
    Ok(())
}

/// The checksum of an episode: the reset, every action, and the grid in the end.
fn play(world: &mut World, seed: Option<u64>, actions: &str) -> Result<u32, Failure> {
    world.reset(seed);
    let mut digest = Checksum::default();
    digest.add_reset(world);
    for digit in actions.chars() {
        let number = digit.to_digit(10).ok_or_else(|| format!("`{digit}` is not a digit"))?;
        let effect = world.step(Act::try_from(number as usize)?);
        digest.add_step(world, effect);
    }
    digest.add_grid(world);
    Ok(digest.value())
}
