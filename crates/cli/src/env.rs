//! `counsel env`: the BabyAI worlds on their own.

mod bench;
mod list;
mod play;
mod trace;

use anyhow::Result;
use clap::{Args, Subcommand};
use counsel_babyai::World;

/// The BabyAI worlds, the same as the Python original's, seed for seed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel env list
  counsel env trace BabyAI-GoToObj-v0 --seed 7 --actions 2,2,1,2
  counsel env play BabyAI-GoToLocal-v0 --seed 3
  counsel env bench BabyAI-Pickup-v0 --json")]
pub(crate) struct Env {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Show the registered levels
    List(list::List),
    /// Play given actions and write what the agent was shown
    Trace(trace::Trace),
    /// Play a level yourself, in the terminal
    Play(play::Play),
    /// Measure steps per second on one core
    Bench(bench::Bench),
}

impl Env {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.kind {
            Kind::List(list) => list.run(),
            Kind::Trace(trace) => trace.run(),
            Kind::Play(play) => play.run(),
            Kind::Bench(bench) => bench.run(),
        }
    }
}

/// A seed as it is written.
fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a number from 0 to {}", u64::MAX))
}

/// A step limit as it is written.
fn max_steps(text: &str) -> Result<u32, String> {
    let steps = text.parse().ok().filter(|&steps| steps > 0);
    steps.ok_or_else(|| format!("pass a number of steps from 1 to {}", u32::MAX))
}

/// A world with its own step limit, or the level's.
fn open(id: &str, max_steps: Option<u32>) -> Result<World> {
    Ok(match max_steps {
        Some(max_steps) => World::with_max_steps(id, max_steps)?,
        None => World::new(id)?,
    })
}
