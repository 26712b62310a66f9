//! `counsel world`: the worlds on their own.

mod bench;
mod list;
mod play;
pub(crate) mod registry;
mod tiles;
mod trace;

use anyhow::Result;
use clap::Args;

/// The worlds on their own. Those of BabyAI and Crafter are the same as the Python originals', seed for seed; the games of ALFWorld
/// are played word for word as there.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world list
  counsel world trace BabyAI-GoToObj-v0 --seed 7 --actions 2,2,1,2
  counsel world play BabyAI-GoToLocal-v0 --seed 3
  counsel world play alfworld --seed 1
  counsel world bench BabyAI-Pickup-v0 --json")]
pub(crate) struct World {
    #[command(subcommand)]
    verb: WorldVerb,
}

verbs! {
    WorldVerb:
    /// Show the registered levels
    List(list::List),
    /// Play given actions and write what the agent was shown
    Trace(trace::Trace),
    /// Play a level yourself, in the terminal
    Play(play::Play),
    /// Measure steps per second on one core
    Bench(bench::Bench),
}

impl World {
    pub(crate) fn run(&self) -> Result<()> {
        self.verb.run()
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
