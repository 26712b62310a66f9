//! `counsel world play`: a person plays, in the pictures that the world draws.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use clap::Args;
use counsel_decision::{Action, Control, Effect, Printable, Shown};

use super::registry;

/// Play a level yourself, in the terminal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world play BabyAI-GoToObj-v0
  counsel world play BabyAI-UnlockPickup-v0 --seed 5

Type letters and press Enter, several at once if you like. The level shows its keys;
n is for the next episode and q for leaving")]
pub(crate) struct Play {
    /// The level, as `counsel world list` shows it
    id: String,
    /// The seed of the first episode
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = super::seed)]
    seed: u64,
    /// Steps at most [default: the level's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::max_steps)]
    max_steps: Option<u32>,
}

impl Play {
    pub(crate) fn run(&self) -> Result<()> {
        let mut world = registry::open(&self.id, self.max_steps)?;
        world.begin(Some(self.seed));
        let mut out = std::io::stdout().lock();
        writeln!(out, "Type letters and press Enter, several at once if you like.")?;
        show(&mut out, world.as_ref(), "")?;
        for line in std::io::stdin().lock().lines() {
            let mut news = String::new();
            let line = line.context("cannot read the keyboard; type letters of plain text")?;
            for letter in line.trim().chars() {
                match letter {
                    'q' => return Ok(()),
                    'n' => {
                        world.begin(None);
                        news = "a new episode".into();
                        continue;
                    }
                    _ => {}
                }
                let Some(action) = world.controls().iter().position(|control| control.key == letter) else {
                    let keys: Vec<String> = world.controls().iter().map(|control| control.key.to_string()).collect();
                    news = format!("`{}` is no action; {}, n or q", Printable(letter), keys.join(" "));
                    break;
                };
                let Effect { reward, terminated, truncated } = world.act(Action::new(action));
                if terminated || truncated {
                    let end = match (reward > 0.0, terminated) {
                        (true, _) => format!("done, with reward {reward:.3}"),
                        (false, true) => "that was the wrong thing to do, and the episode is over".into(),
                        (false, false) => "the steps are used up, and the episode is over".into(),
                    };
                    show(&mut out, world.as_ref(), &end)?;
                    world.begin(None);
                    news = "here is the next one".into();
                    break;
                }
            }
            show(&mut out, world.as_ref(), &news)?;
        }
        Ok(())
    }
}

/// The picture, the keys, and what happened.
fn show(out: &mut impl Write, world: &dyn Shown, news: &str) -> Result<()> {
    write!(out, "\n{}", world.picture())?;
    let keys: Vec<String> = world.controls().iter().map(|Control { key, name }| format!("{key} {name}")).collect();
    writeln!(out, "keys: {}, n next episode, q quit", keys.join(", "))?;
    if !news.is_empty() {
        writeln!(out, "{news}")?;
    }
    write!(out, "> ")?;
    Ok(out.flush()?)
}
