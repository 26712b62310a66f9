//! `counsel world trace`: what the agent is shown after each of the given actions.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use counsel_decision::Action;
use counsel_world::{Effect, Shown};
use serde_json::{Value, json};

use super::registry;

/// Play given actions and write what the agent was shown.
///
/// The first line is the reset; each action adds a line with reward, terminated, truncated and done (one of the two). The trace stops
/// after the step that ends the episode. BabyAI shows image (indexed by x, y and channel), direction and mission; Crafter the
/// SHA-256 of its picture and of its semantic map, inventory, achievements and position; ALFWorld text, admissible commands and
/// task; all of them max_steps.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world trace BabyAI-GoToObj-v0 --seed 7 --actions 2,2,1,2
  counsel world trace BabyAI-Open-v0 --seed 0 --max-steps 64 --actions 2,5,2 --format jsonl
  counsel world trace crafter --seed 1 --actions 1,5,5
  counsel world trace alfworld --seed 3 --actions 'look,go to desk 1'

Actions:
  BabyAI    0 left, 1 right, 2 forward, 3 pickup, 4 drop, 5 toggle, 6 done
  Crafter   0 noop, 1 to 4 move left, right, up, down, 5 do, 6 sleep, 7 to 10 place a stone, table, furnace, plant, \
11 to 13 make a pickaxe of wood, stone, iron, 14 to 16 make a sword of wood, stone, iron
  ALFWorld  commands, in words")]
pub(crate) struct Trace {
    /// The level, as `counsel world list` shows it, or a game file of ALFWorld (`game.tw-pddl`)
    id: String,
    /// The seed of the episode
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = super::seed)]
    seed: u64,
    /// Steps at most [default: the level's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::max_steps)]
    max_steps: Option<u32>,
    /// The actions, by number or in words
    #[arg(long, value_name = "0,2,1,...", value_delimiter = ',', required = true, allow_hyphen_values = true)]
    actions: Vec<String>,
    /// One JSON object per line
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: String,
}

impl Trace {
    pub(crate) fn run(&self) -> Result<()> {
        if self.format != "jsonl" {
            bail!("unknown format `{}`; write --format jsonl", self.format);
        }
        let mut world = registry::open(&self.id, self.max_steps)?;
        let count = world.controls().len();
        if world.spoken().is_none() {
            // Before the first line is written, so that what is refused leaves no half of a trace.
            self.actions.iter().try_for_each(|text| action(text, count).map(drop))?;
        }
        world.begin(Some(self.seed));
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", shown(world.as_ref())?)?;
        for text in &self.actions {
            let effect = match world.spoken() {
                Some(spoken) => spoken.say(text),
                None => world.act(action(text, count)?),
            };
            let Effect { reward, terminated, truncated } = effect;
            let mut line = shown(world.as_ref())?;
            line["reward"] = json!(reward);
            line["terminated"] = json!(terminated);
            line["truncated"] = json!(truncated);
            line["done"] = json!(terminated || truncated);
            writeln!(out, "{line}")?;
            if terminated || truncated {
                break;
            }
        }
        Ok(())
    }
}

/// An action by its number, out of `count`.
fn action(text: &str, count: usize) -> Result<Action> {
    let number = text.trim().parse().ok().filter(|&number: &usize| number < count);
    let Some(number) = number else {
        bail!("`{text}` is no action; actions are numbers from 0 to {}", count.saturating_sub(1));
    };
    Ok(Action::new(number))
}

fn shown(world: &dyn Shown) -> Result<Value> {
    Ok(serde_json::from_str(&world.observation_json())?)
}
