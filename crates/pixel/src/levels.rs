//! The pixel world as the command line knows it: levels to choose from, pictures and keys.

use std::fmt::Write;

use counsel_decision::{Action, Seed};
use counsel_world::{Control, Effect, End, Environment, Levels, Listed, Shown, Sight};
use serde_json::json;

use crate::{Error, Level, Move, PixelSpec, State, World};

/// The pixel world, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pixel;

impl Levels for Pixel {
    fn levels(&self) -> Vec<Listed> {
        let about = |spec: PixelSpec| format!("{0} x {0} cells", spec.size);
        Level::ALL.map(|level| Listed { id: level.id(), about: about(level.spec()) }).to_vec()
    }

    fn open(&self, id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        let episode = Level::find(id).and_then(|level| Episode::open(level, max_steps));
        episode.map(|episode| Box::new(episode) as Box<dyn Shown>).map_err(|error| error.to_string())
    }
}

/// An episode of a level, to watch and to play. Each seed has a grid of its own: that of the world with this seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    world: World,
    spec: PixelSpec,
    seed: u64,
}

impl Episode {
    /// The episode of seed 0, with so many steps at most, or as many as the level has.
    pub fn open(level: Level, max_steps: Option<u32>) -> Result<Self, Error> {
        let spec = level.spec();
        let spec = PixelSpec { horizon: max_steps.unwrap_or(spec.horizon), ..spec };
        Ok(Self { world: World::new(&spec, Seed::root(0))?, spec, seed: 0 })
    }

    /// Where it stands.
    pub fn state(&self) -> &State {
        self.world.state()
    }
}

impl Shown for Episode {
    /// North cannot have its first letter, which is for the next episode, so the keys are the four that lie like the winds.
    fn controls(&self) -> Vec<Control> {
        Control::each("wdsa", Move::ALL.map(Move::name))
    }

    /// The next episode is that of the next seed.
    fn begin(&mut self, seed: Option<u64>) {
        self.seed = seed.unwrap_or(self.seed.wrapping_add(1));
        self.world = World::drawn(&self.spec, Seed::root(self.seed));
    }

    fn act(&mut self, action: Action) -> Effect {
        let transition = self.world.step(action);
        let terminated = transition.end == Some(End::Terminated);
        // The last step can also be the one that reaches the goal.
        let truncated = self.state().steps() >= self.spec.horizon;
        Effect { reward: transition.reward, terminated, truncated }
    }

    /// The agent's window beside the whole grid.
    fn picture(&self) -> String {
        let state = self.state();
        let mut text = format!("find the goal (step {} of {})\n", state.steps(), self.spec.horizon);
        let (seen, grid) = (state.observation().text(), state.text());
        // A window is never larger than its grid.
        let mut seen = seen.lines();
        for row in grid.lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:<1$}    {row}", seen.next().unwrap_or(""), self.spec.window);
        }
        text
    }

    fn tiles(&self) -> Option<Sight> {
        Some(self.state().sight())
    }

    /// A step of a shortest way.
    fn advice(&self) -> Option<String> {
        self.state().optimum()?.moves.iter().next().map(|way| way.name().to_owned())
    }

    /// The looks of the window by number, row by row from the north-west.
    fn observation_json(&self) -> String {
        let seen = self.state().observation();
        let numbers: Vec<u8> = seen.looks().iter().map(|&look| look as u8).collect();
        let rows: Vec<&[u8]> = numbers.chunks(seen.window()).collect();
        json!({ "window": rows, "max_steps": self.spec.horizon }).to_string()
    }
}
