//! `counsel world play`: a person plays, in the pictures that the world draws.
//!
//! At a terminal one key does one thing at once; from a pipe, and in worlds that are spoken to, lines are read. `?` asks somebody who knows
//! the world, and says what that has cost so far.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, Result};
use clap::Args;
use console::{Key, Term};
use counsel_decision::Action;
use counsel_file::Printable;
use counsel_world::{Control, Effect, Shown};

use super::registry;
use super::tiles::{Paint, picture};

/// Play a level yourself, in the terminal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel world play BabyAI-GoToObj-v0
  counsel world play BabyAI-UnlockPickup-v0 --seed 5
  counsel world play crafter --price 0.02
  counsel world play alfworld
  counsel world play DATA/game.tw-pddl

Press a key; the level shows its keys. ? asks somebody who knows the world, which costs --price,
n starts the next episode and q quits. In ALFWorld, type a command, such as `go to desk 1`, and press Enter.
A tile is a mark and the letter of its colour (E grey, G green); NO_COLOR turns colours off.
From a pipe, letters are read line by line.")]
pub(crate) struct Play {
    /// The level, as `counsel world list` shows it, or a game file of ALFWorld (`game.tw-pddl`)
    id: String,
    /// The seed of the first episode
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = super::seed)]
    seed: u64,
    /// Steps at most [default: the level's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::max_steps)]
    max_steps: Option<u32>,
    /// What it costs to ask, in units of return
    #[arg(long, value_name = "C", default_value_t = 0.005, value_parser = price)]
    price: f64,
}

/// A price as it is written.
fn price(text: &str) -> Result<f64, String> {
    let price = text.parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
    price.ok_or_else(|| "pass a price of 0 or more".to_owned())
}

impl Play {
    pub(crate) fn run(&self) -> Result<()> {
        let mut world = registry::open(&self.id, self.max_steps)?;
        world.begin(Some(self.seed));
        let is_spoken = world.spoken().is_some();
        let terminal = Term::stdout();
        let manner = match (is_spoken, std::io::stdin().is_terminal() && terminal.is_term()) {
            (true, _) => Manner::Words,
            (false, true) => Manner::Keys,
            (false, false) => Manner::Letters,
        };
        let mut game = Game { world, manner, price: self.price, paint: Paint::of_terminal(), calls: 0, gained: 0.0 };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", manner.how())?;
        game.show(&mut out, "")?;
        if manner == Manner::Keys {
            loop {
                let Some(typed) = pressed(&terminal)? else { return Ok(()) };
                match game.turn(&mut out, &typed)? {
                    Turned::Left => return Ok(()),
                    Turned::On(news) | Turned::Stopped(news) => game.show(&mut out, &news)?,
                }
            }
        }
        for line in std::io::stdin().lock().lines() {
            let mut news = String::new();
            let line = line.context("cannot read the keyboard; type plain text")?;
            for typed in manner.split(line.trim()) {
                match game.turn(&mut out, typed)? {
                    Turned::Left => return Ok(()),
                    Turned::On(told) => news = told,
                    Turned::Stopped(told) => {
                        news = told;
                        break;
                    }
                }
            }
            game.show(&mut out, &news)?;
        }
        Ok(())
    }
}

/// The next key that stands for something; nothing where the player is gone.
fn pressed(terminal: &Term) -> Result<Option<String>> {
    loop {
        match terminal.read_key() {
            Ok(Key::Char(letter)) => return Ok(Some(letter.to_string())),
            Ok(Key::Escape | Key::CtrlC) => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => return Ok(None),
            Err(error) => return Err(error).context("cannot read the keyboard"),
        }
    }
}

/// How a world is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// A key is an action, at once.
    Keys,
    /// A line is a row of letters.
    Letters,
    /// A line is a command.
    Words,
}

impl Manner {
    fn how(self) -> &'static str {
        match self {
            Self::Keys => "Press a key.",
            Self::Letters => "Type letters and press Enter, several at once if you like.",
            Self::Words => "Type a command and press Enter.",
        }
    }

    /// What is typed in one line, one after the other.
    fn split(self, line: &str) -> Vec<&str> {
        match self {
            Self::Keys | Self::Letters => line.split_inclusive(|_: char| true).collect(),
            Self::Words => vec![line],
        }
    }
}

/// An episode that is played, and what asking has cost in it.
struct Game {
    world: Box<dyn Shown>,
    manner: Manner,
    price: f64,
    paint: Paint,
    calls: u32,
    gained: f64,
}

/// What came of what was typed, with the news of it.
enum Turned {
    /// The player goes on.
    On(String),
    /// The rest of a line is not read.
    Stopped(String),
    /// The player leaves.
    Left,
}

impl Game {
    fn turn(&mut self, out: &mut impl Write, typed: &str) -> Result<Turned> {
        match typed {
            "q" => return Ok(Turned::Left),
            "?" => return Ok(Turned::On(self.ask())),
            "n" => {
                self.begin();
                return Ok(Turned::On("a new episode".into()));
            }
            _ => {}
        }
        let Some(Effect { reward, terminated, truncated }) = play(self.world.as_mut(), typed) else {
            let keys: Vec<String> = self.world.controls().iter().map(|control| control.key.to_string()).collect();
            return Ok(Turned::Stopped(format!("`{}` is no action; {}, ?, n or q", Printable(typed), keys.join(" "))));
        };
        self.gained += reward;
        if !terminated && !truncated {
            return Ok(Turned::On(String::new()));
        }
        let end = match (reward > 0.0, terminated) {
            (true, _) => format!("done, with reward {reward:.3}"),
            (false, true) => "that was the wrong thing to do, and the episode is over".into(),
            (false, false) => "the steps are used up, and the episode is over".into(),
        };
        let net = self.gained - f64::from(self.calls) * self.price;
        let asked = if self.calls == 0 { String::new() } else { format!("; {} after {}", round(net), self.spent()) };
        self.show(out, &format!("{end}{asked}"))?;
        self.begin();
        Ok(Turned::Stopped("here is the next one".into()))
    }

    fn begin(&mut self) {
        self.world.begin(None);
        (self.calls, self.gained) = (0, 0.0);
    }

    /// Asks whoever knows the world, and says what that costs.
    fn ask(&mut self) -> String {
        let Some(advice) = self.world.advice() else {
            return "nobody knows what to do here, and that costs nothing".into();
        };
        self.calls += 1;
        format!("the advisor says: {advice}. That costs {}; so far {}", self.price, self.spent())
    }

    fn spent(&self) -> String {
        let calls = if self.calls == 1 { "1 call".to_owned() } else { format!("{} calls", self.calls) };
        format!("{calls} for {}", round(f64::from(self.calls) * self.price))
    }

    /// The picture, the keys, and what happened.
    fn show(&self, out: &mut impl Write, news: &str) -> Result<()> {
        match self.world.tiles() {
            Some(sight) => write!(out, "\n{}", picture(&sight, self.paint))?,
            None => write!(out, "\n{}", self.world.picture())?,
        }
        let keys: Vec<String> =
            self.world.controls().iter().map(|Control { key, name }| format!("{key} {name}")).collect();
        match self.manner {
            Manner::Keys | Manner::Letters => {
                writeln!(out, "keys: {}, ? ask ({}), n next episode, q quit", keys.join(", "), self.price)?;
            }
            Manner::Words => writeln!(out, "say what to do; ? ask ({}), n next episode, q quit", self.price)?,
        }
        if !news.is_empty() {
            writeln!(out, "{news}")?;
        }
        write!(out, "> ")?;
        Ok(out.flush()?)
    }
}

/// At most four decimals, without zeros at the end.
fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Does what was typed; `None` if it is no action.
fn play(world: &mut dyn Shown, typed: &str) -> Option<Effect> {
    if let Some(spoken) = world.spoken() {
        return Some(spoken.say(typed));
    }
    let action = world.controls().iter().position(|control| control.key.to_string() == typed)?;
    Some(world.act(Action::new(action)))
}
