//! `counsel world play`: a person plays, in the pictures that the world draws.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use clap::Args;
use counsel_decision::Action;
use counsel_file::Printable;
use counsel_world::{Control, Effect, Shown};

use super::registry;

/// Play a level yourself, in the terminal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world play BabyAI-GoToObj-v0
  counsel world play BabyAI-UnlockPickup-v0 --seed 5
  counsel world play alfworld
  counsel world play DATA/game.tw-pddl

Type letters and press Enter, several at once if you like. The level shows its keys;
n starts the next episode and q quits. In ALFWorld, type a command, such as `go to desk 1`")]
pub(crate) struct Play {
    /// The level, as `counsel world list` shows it, or a game file of ALFWorld (`game.tw-pddl`)
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
        let manner = if world.spoken().is_some() { Manner::Words } else { Manner::Letters };
        writeln!(out, "{}", manner.how())?;
        show(&mut out, world.as_ref(), manner, "")?;
        for line in std::io::stdin().lock().lines() {
            let mut news = String::new();
            let line = line.context("cannot read the keyboard; type plain text")?;
            for typed in manner.split(line.trim()) {
                match typed {
                    "q" => return Ok(()),
                    "n" => {
                        world.begin(None);
                        news = "a new episode".into();
                        continue;
                    }
                    _ => {}
                }
                let Some(Effect { reward, terminated, truncated }) = play(world.as_mut(), typed) else {
                    let keys: Vec<String> = world.controls().iter().map(|control| control.key.to_string()).collect();
                    news = format!("`{}` is no action; {}, n or q", Printable(typed), keys.join(" "));
                    break;
                };
                if terminated || truncated {
                    let end = match (reward > 0.0, terminated) {
                        (true, _) => format!("done, with reward {reward:.3}"),
                        (false, true) => "that was the wrong thing to do, and the episode is over".into(),
                        (false, false) => "the steps are used up, and the episode is over".into(),
                    };
                    show(&mut out, world.as_ref(), manner, &end)?;
                    world.begin(None);
                    news = "here is the next one".into();
                    break;
                }
            }
            show(&mut out, world.as_ref(), manner, &news)?;
        }
        Ok(())
    }
}

/// How a world is played.
#[derive(Clone, Copy)]
enum Manner {
    /// A line is a row of letters.
    Letters,
    /// A line is a command.
    Words,
}

impl Manner {
    fn how(self) -> &'static str {
        match self {
            Self::Letters => "Type letters and press Enter, several at once if you like.",
            Self::Words => "Type a command and press Enter.",
        }
    }

    /// What is typed in one line, one after the other.
    fn split(self, line: &str) -> Vec<&str> {
        match self {
            Self::Letters => line.split_inclusive(|_: char| true).collect(),
            Self::Words => vec![line],
        }
    }
}

/// Does what was typed; `None` if it is no action.
fn play(world: &mut dyn Shown, typed: &str) -> Option<Effect> {
    if let Some(spoken) = world.spoken() {
        return Some(spoken.say(typed));
    }
    let action = world.controls().iter().position(|control| control.key.to_string() == typed)?;
    Some(world.act(Action::new(action)))
}

/// The picture, the keys, and what happened.
fn show(out: &mut impl Write, world: &dyn Shown, manner: Manner, news: &str) -> Result<()> {
    write!(out, "\n{}", world.picture())?;
    let keys: Vec<String> = world.controls().iter().map(|Control { key, name }| format!("{key} {name}")).collect();
    match manner {
        Manner::Letters => writeln!(out, "keys: {}, n next episode, q quit", keys.join(", "))?,
        Manner::Words => writeln!(out, "say what to do; n next episode, q quit")?,
    }
    if !news.is_empty() {
        writeln!(out, "{news}")?;
    }
    write!(out, "> ")?;
    Ok(out.flush()?)
}
