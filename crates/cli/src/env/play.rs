//! `counsel env play`: a person plays, with the agent's view beside the full grid.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use clap::Args;
use counsel_babyai::{Act, Outcome, World};

/// Play a level yourself, in the terminal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel env play BabyAI-GoToObj-v0
  counsel env play BabyAI-UnlockPickup-v0 --seed 5

Type letters and press Enter, several at once if you like:
  l left, r right, f forward, p pickup, d drop, t toggle, x done, n next episode, q quit")]
pub(crate) struct Play {
    /// The level, as `counsel env list` shows it
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
        let mut world = super::open(&self.id, self.max_steps)?;
        world.reset(Some(self.seed));
        let mut out = std::io::stdout().lock();
        show(&mut out, &world, "")?;
        for line in std::io::stdin().lock().lines() {
            let mut news = String::new();
            let line = line.context("cannot read the keyboard; type letters of plain text")?;
            for letter in line.trim().chars() {
                let act = match letter {
                    'q' => return Ok(()),
                    'n' => {
                        world.reset(None);
                        news = "a new episode".into();
                        continue;
                    }
                    letter => act_of(letter),
                };
                let Some(act) = act else {
                    news = format!("`{letter}` is no action; l r f p d t x, n or q");
                    break;
                };
                let Outcome { reward, terminated, truncated } = world.step(act);
                if terminated || truncated {
                    let end = match (reward > 0.0, terminated) {
                        (true, _) => format!("done, with reward {reward:.3}"),
                        (false, true) => "that was the wrong thing to do, and the episode is over".into(),
                        (false, false) => "the steps are used up, and the episode is over".into(),
                    };
                    show(&mut out, &world, &end)?;
                    world.reset(None);
                    news = "here is the next one".into();
                    break;
                }
            }
            show(&mut out, &world, &news)?;
        }
        Ok(())
    }
}

fn act_of(letter: char) -> Option<Act> {
    Some(match letter {
        'l' => Act::Left,
        'r' => Act::Right,
        'f' => Act::Forward,
        'p' => Act::Pickup,
        'd' => Act::Drop,
        't' => Act::Toggle,
        'x' => Act::Done,
        _ => return None,
    })
}

/// The mission, the agent's view beside the grid, and what happened.
fn show(out: &mut impl Write, world: &World, news: &str) -> Result<()> {
    writeln!(out, "\n{} (step {} of {})", world.mission(), world.state().steps(), world.max_steps())?;
    let (view, grid) = (world.view_text(), world.grid_text());
    let (view, grid): (Vec<&str>, Vec<&str>) = (view.lines().collect(), grid.lines().collect());
    for row in 0..view.len().max(grid.len()) {
        let line = |lines: &[&str]| lines.get(row).map_or_else(String::new, ToString::to_string);
        writeln!(out, "  {:<14}    {}", line(&view), line(&grid))?;
    }
    if let Some(carried) = world.carried_text() {
        writeln!(out, "you carry a {carried}")?;
    }
    if !news.is_empty() {
        writeln!(out, "{news}")?;
    }
    write!(out, "> ")?;
    Ok(out.flush()?)
}
