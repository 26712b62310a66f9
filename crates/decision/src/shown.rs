//! Worlds as a person meets them: levels to choose from, pictures, and keys to play with.
//!
//! The `counsel world` verbs know worlds by these two traits alone. They stand here so that a world can implement them
//! without knowing the command line.

use crate::{Action, End, Transition};

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
    /// The letter to type; not `n` or `q`, which are for the next episode and for leaving.
    pub key: char,
    /// The action's name.
    pub name: &'static str,
}

/// An episode that a person can watch and play.
pub trait Shown {
    /// The actions, by number.
    fn controls(&self) -> &'static [Control];

    /// Starts the episode of this seed, or the next one.
    fn begin(&mut self, seed: Option<u64>);

    /// Performs an action, and makes the observation that follows it.
    fn act(&mut self, action: Action) -> Effect;

    /// What a player is shown: the task, the clock and a picture, as lines of text.
    fn picture(&self) -> String;

    /// What the agent is shown, as one JSON object.
    fn observation_json(&self) -> String;
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
}
