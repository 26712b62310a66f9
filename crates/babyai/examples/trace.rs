//! Plays given actions and writes down what the agent was shown, to be held against the original.
//!
//! `trace ID SEED [--max-steps N] --actions 0,2,1` writes one JSON line for the reset and one per action, up to the
//! one that ends the episode.
//!
//! `trace --batch` reads one JSON request per line, `{"id": .., "seed": .., "max_steps": .., "actions": "021..",
//! "again": "5.."}`, plays `actions` after a reset with the seed and, if given, `again` after a reset without one, and
//! answers `{"digest": .., "again": ..}`. Batch episodes are played to the last action, ended or not.

use std::error::Error;
use std::io::{BufRead, Write};

use counsel_babyai::{Act, Digest, Outcome, World};
use serde_json::{Value, json};

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--batch") { batch() } else { trace(&arguments) }
}

fn trace(arguments: &[String]) -> Result<(), Failure> {
    let usage = "trace ID SEED [--max-steps N] --actions 0,2,1";
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name);
        place.and_then(|place| arguments.get(place + 1))
    };
    let (Some(id), Some(seed)) = (arguments.first(), arguments.get(1)) else { return Err(usage.into()) };
    let max_steps = option("--max-steps").map(|steps| steps.parse()).transpose()?;
    let mut world = open(id, max_steps)?;
    world.reset(Some(seed.parse()?));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", shown(&world))?;
    for number in option("--actions").ok_or(usage)?.split(',').filter(|number| !number.is_empty()) {
        let Outcome { reward, terminated, truncated } = world.step(Act::try_from(number.parse::<usize>()?)?);
        let mut line = shown(&world);
        line["reward"] = json!(reward);
        line["terminated"] = json!(terminated);
        line["truncated"] = json!(truncated);
        writeln!(out, "{line}")?;
        if terminated || truncated {
            break;
        }
    }
    Ok(())
}

fn open(id: &str, max_steps: Option<u32>) -> Result<World, counsel_babyai::Error> {
    match max_steps {
        Some(max_steps) => World::with_max_steps(id, max_steps),
        None => World::new(id),
    }
}

fn shown(world: &World) -> Value {
    let observation = world.observation();
    json!({
        "image": observation.image,
        "direction": observation.direction,
        "mission": world.mission(),
        "max_steps": world.max_steps(),
    })
}

fn batch() -> Result<(), Failure> {
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
    let mut digest = Digest::default();
    digest.add_reset(world);
    for digit in actions.chars() {
        let number = digit.to_digit(10).ok_or_else(|| format!("`{digit}` is not a digit"))?;
        let outcome = world.step(Act::try_from(number as usize)?);
        digest.add_step(world, outcome);
    }
    digest.add_grid(world);
    Ok(digest.value())
}
