//! `counsel env trace`: what the agent is shown after each of the given actions.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use counsel_babyai::{Act, Outcome, World};
use serde_json::{Value, json};

/// Play given actions and write what the agent was shown.
///
/// The first line is the reset: image (indexed by x, y and channel), direction, mission, max_steps. Each action adds a line with
/// reward, terminated and truncated. The trace stops after the step that ends the episode.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel env trace BabyAI-GoToObj-v0 --seed 7 --actions 2,2,1,2
  counsel env trace BabyAI-Open-v0 --seed 0 --max-steps 64 --actions 2,5,2 --format jsonl

Actions: 0 left, 1 right, 2 forward, 3 pickup, 4 drop, 5 toggle, 6 done")]
pub(crate) struct Trace {
    /// The level, as `counsel env list` shows it
    id: String,
    /// The seed of the episode
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = super::seed)]
    seed: u64,
    /// Steps at most [default: the level's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::max_steps)]
    max_steps: Option<u32>,
    /// The actions, by number
    #[arg(long, value_name = "0,2,1,...", value_delimiter = ',', required = true, allow_hyphen_values = true, value_parser = act)]
    actions: Vec<Act>,
    /// One JSON object per line
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: String,
}

impl Trace {
    pub(crate) fn run(&self) -> Result<()> {
        if self.format != "jsonl" {
            bail!("unknown format `{}`; write --format jsonl", self.format);
        }
        let mut world = super::open(&self.id, self.max_steps)?;
        world.reset(Some(self.seed));
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", shown(&world))?;
        for &act in &self.actions {
            let Outcome { reward, terminated, truncated } = world.step(act);
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
}

/// An action by its number.
fn act(text: &str) -> Result<Act, String> {
    let number: Option<usize> = text.trim().parse().ok();
    number.and_then(|number| Act::try_from(number).ok()).ok_or_else(|| "actions are numbers from 0 to 6".to_owned())
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
