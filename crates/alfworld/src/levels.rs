//! ALFWorld as the command line knows it: levels to choose from, game files, and episodes that are spoken to.

use std::fmt::Write;

use counsel_decision::refusal::find_named;
use counsel_decision::{Action, Seed};
use counsel_world::{Effect, End, Environment, Levels, Listed, Shown, Spoken, Transition};
use serde_json::json;

use crate::{AlfworldSpec, Error, Expert, Family, Game, Standing, Task, World};

/// The world of ALFWorld, where its types are not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alfworld;

const LEVELS: [(&str, &str, &[Task], Family); 4] = [
    ("alfworld", "both tasks, games to learn from", &Task::ALL, Family::Training),
    ("alfworld-evaluation", "both tasks, games to be judged on", &Task::ALL, Family::Evaluation),
    ("alfworld-look-at-object", "look at an object under a lamp", &[Task::LookAtObject], Family::Training),
    ("alfworld-pick-and-place", "put an object into a place", &[Task::PickAndPlace], Family::Training),
];

impl Levels for Alfworld {
    fn levels(&self) -> Vec<Listed> {
        LEVELS.map(|(id, about, ..)| Listed { id, about: about.to_owned() }).to_vec()
    }

    fn open(&self, id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        shown(Episode::open(id, max_steps))
    }

    fn file_ending(&self) -> Option<&'static str> {
        Some(".tw-pddl")
    }

    fn read(&self, text: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        shown(Game::from_json(text).and_then(|game| World::of(vec![game], with(max_steps))).map(Episode::of))
    }
}

fn with(max_steps: Option<u32>) -> AlfworldSpec {
    let spec = AlfworldSpec::default();
    AlfworldSpec { horizon: max_steps.unwrap_or(spec.horizon), ..spec }
}

fn shown(episode: Result<Episode, Error>) -> Result<Box<dyn Shown>, String> {
    episode.map(|episode| Box::new(episode) as Box<dyn Shown>).map_err(|error| error.to_string())
}

/// An episode to watch and to play. Each seed has a game of its own, but for those of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Episode {
    world: World,
    seed: u64,
}

impl Episode {
    /// The game of seed 0 of a level, with so many commands at most, or as many as games have.
    pub fn open(id: &str, max_steps: Option<u32>) -> Result<Self, Error> {
        let named = LEVELS.into_iter().map(|(known, _, tasks, family)| (known, (tasks, family)));
        let (tasks, family) = find_named(id, named).map_err(Error::UnknownLevel)?;
        let spec = AlfworldSpec { tasks: tasks.to_vec(), family, ..with(max_steps) };
        World::new(spec, Seed::root(0)).map(Self::of)
    }

    fn of(world: World) -> Self {
        Self { world, seed: 0 }
    }

    /// Where it stands.
    pub fn standing(&self) -> &Standing {
        self.world.standing()
    }

    fn effect(&self, transition: Transition) -> Effect {
        let standing = self.world.standing();
        let terminated = transition.end == Some(End::Terminated);
        // The last command can also be the one that carries out the task.
        let truncated = standing.steps() >= self.world.spec().horizon;
        Effect { reward: transition.reward, terminated, truncated }
    }
}

impl Shown for Episode {
    fn actions(&self) -> usize {
        self.world.actions()
    }

    fn spoken(&mut self) -> Option<&mut dyn Spoken> {
        Some(self)
    }

    /// The next episode is that of the next seed.
    fn begin(&mut self, seed: Option<u64>) {
        self.seed = seed.unwrap_or(self.seed.wrapping_add(1));
        self.world.reset(Seed::root(self.seed));
    }

    fn act(&mut self, action: Action) -> Effect {
        let transition = self.world.step(action);
        self.effect(transition)
    }

    fn picture(&self) -> String {
        let standing = self.world.standing();
        let mut text = format!("(step {} of {})\n{}\n\n", standing.steps(), self.world.spec().horizon, standing.told());
        for command in standing.commands() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {command}");
        }
        text
    }

    /// The first command of a shortest plan.
    fn advice(&self) -> Option<String> {
        let standing = self.world.standing();
        let state = standing.state();
        let best = *Expert::of(state.game())?.best(state).first()?;
        let place = state.admissible().into_iter().position(|command| command == best)?;
        standing.commands().nth(place).map(str::to_owned)
    }

    fn observation_json(&self) -> String {
        let standing = self.world.standing();
        let commands: Vec<&str> = standing.commands().collect();
        let (task, max_steps) = (standing.state().game().task(), self.world.spec().horizon);
        json!({ "text": standing.told(), "admissible": commands, "task": task, "max_steps": max_steps }).to_string()
    }
}

impl Spoken for Episode {
    fn say(&mut self, words: &str) -> Effect {
        let transition = self.world.say(words);
        self.effect(transition)
    }
}
