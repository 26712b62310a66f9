//! `counsel world bench`: steps per second on one core, with observations and resets.

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use counsel_decision::{Action, Seed};
use rand::RngExt;
use serde_json::json;

use super::registry;

/// Measure steps per second on one core.
///
/// A random policy plays for a few seconds; every step makes an observation, and every end of an episode a reset.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world bench BabyAI-GoToObj-v0
  counsel world bench BabyAI-Pickup-v0 --json
  counsel world bench alfworld")]
pub(crate) struct Bench {
    /// The level, as `counsel world list` shows it, or a game file of ALFWorld (`game.tw-pddl`)
    id: String,
    /// Seconds to play
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        let limit = Duration::try_from_secs_f64(self.seconds).ok().filter(|limit| !limit.is_zero());
        let limit = limit.with_context(|| format!("--seconds is {}; pass a few seconds", self.seconds))?;
        let mut world = registry::open(&self.id, None)?;
        let mut random = Seed::root(1).rng();
        // Drawn beforehand, so that the time of a step is the world's own; an odd number, so that no block repeats another.
        let policy: Vec<usize> = (0..65_537).map(|_| random.random_range(0..1_000_000)).collect();
        let mut draws = policy.iter().cycle();
        let (mut steps, mut resets) = (0_u64, 0_u64);
        let start = Instant::now();
        while steps == 0 || start.elapsed() < limit {
            for &draw in draws.by_ref().take(1024) {
                let action = Action::new(draw % world.actions().max(1));
                let effect = black_box(&mut world).act(action);
                if effect.terminated || effect.truncated {
                    world.begin(Some(resets));
                    resets += 1;
                }
            }
            steps += 1024;
        }
        let seconds = start.elapsed().as_secs_f64();
        let rate = steps as f64 / seconds;
        let mut out = std::io::stdout().lock();
        if self.json {
            let id = &self.id;
            let line =
                json!({ "id": id, "steps_per_second": rate, "steps": steps, "resets": resets, "seconds": seconds });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}: {rate:.0} steps/s ({steps} steps, {resets} resets, {seconds:.2} s)", self.id)?;
        }
        Ok(())
    }
}
