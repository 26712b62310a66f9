//! Worlds as a person meets them: levels to choose from, pictures, and keys to play with.
//!
//! The `counsel world` verbs know worlds by these two traits alone. They stand here so that a world can implement them
//! without knowing the command line.

use counsel_decision::Action;

use crate::{End, Sight, Transition};

/// What one action did, as Gymnasium reports it. Both flags can be set at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The reward.
    pub reward: f64,
    /// Whether the task has been carried out, or failed.
    pub terminated: bool,
    /// Whether the clock has run out.
    pub truncated: bool,
}

impl From<Effect> for Transition {
    /// An end of the task counts before the end of the clock: no value follows it.
    fn from(effect: Effect) -> Self {
        let end = match (effect.terminated, effect.truncated) {
            (true, _) => Some(End::Terminated),
            (false, true) => Some(End::Truncated),
            (false, false) => None,
        };
        Self { reward: effect.reward, end }
    }
}

/// How a player asks for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// The letter to type; not `n` or `q`, which are for the next episode and for leaving, and not `?`, which asks.
    pub key: char,
    /// The action's name.
    pub name: &'static str,
}

impl Control {
    /// The control of each action, by number: its key, and its name.
    pub fn each(keys: &str, names: impl IntoIterator<Item = &'static str>) -> Vec<Self> {
        keys.chars().zip(names).map(|(key, name)| Self { key, name }).collect()
    }
}

/// An episode that a person can watch and play.
pub trait Shown {
    /// The actions, by number; none in a world that is spoken to.
    fn controls(&self) -> Vec<Control> {
        Vec::new()
    }

    /// How many actions there are now.
    fn actions(&self) -> usize {
        self.controls().len()
    }

    /// The episode as one that is spoken to, where a player says in words what to do.
    fn spoken(&mut self) -> Option<&mut dyn Spoken> {
        None
    }

    /// Starts the episode of this seed, or the next one.
    fn begin(&mut self, seed: Option<u64>);

    /// Performs an action, and makes the observation that follows it.
    fn act(&mut self, action: Action) -> Effect;

    /// What a player is shown: the task, the clock and a picture, as lines of text.
    fn picture(&self) -> String;

    /// The same as tiles with colours, where the world can be drawn so.
    fn tiles(&self) -> Option<Sight> {
        None
    }

    /// What somebody who knows the world would do now; nothing where nobody knows.
    fn advice(&self) -> Option<String> {
        None
    }

    /// What the agent is shown, as one JSON object.
    fn observation_json(&self) -> String;
}

/// An episode in which a player says in words what to do.
pub trait Spoken {
    /// Does what the words say; words that mean nothing do nothing, and take a step.
    fn say(&mut self, words: &str) -> Effect;
}

/// A level, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its id. No two levels of any worlds share one.
    pub id: &'static str,
    /// What it is, in a few words.
    pub about: String,
}

/// The levels of one world. There is one for each world, and it keeps no state.
pub trait Levels: Sync {
    /// All levels, by id.
    fn levels(&self) -> Vec<Listed>;

    /// A level with episodes of so many steps at most, or as many as it has itself. An error names what was refused, and
    /// the remedy.
    fn open(&self, id: &str, max_steps: Option<u32>) -> Result<Box<dyn Shown>, String>;

    /// How the names of this world's own level files end, where it has any.
    fn file_ending(&self) -> Option<&'static str> {
        None
    }

    /// The level in the text of such a file. An error names what was refused, and the remedy.
    fn read(&self, _text: &str, _max_steps: Option<u32>) -> Result<Box<dyn Shown>, String> {
        Err("this world has no level files; choose a level by its id".to_owned())
    }
}
