//! A world in words, whatever its types: its tasks, its templates, and what an appraisal of an advisor needs.

use counsel_decision::{Action, Response, Seed};

use super::{Edition, Phrasing};
use crate::{Error, Prompt};

/// Which time a question is put, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// For the first time, or again in the same words.
    First,
    /// In this wording of a template that has several. Counted round.
    Worded(usize),
    /// After this answer did not help.
    After(Response),
}

/// One moment of an episode: what may be told there, and what would be right.
pub trait Moment {
    /// What a template of the world says there.
    fn prompt(&self, template: &str, asking: Asking) -> Result<Prompt, Error>;

    /// Whether the agent sees what it looks for.
    fn is_goal_in_view(&self) -> bool;

    /// All optimal actions, by number. There is at least one.
    fn right(&self) -> &[Action];
}

/// Who answers the prompts of an episode.
pub type Answering<'a> = dyn FnMut(Prompt) -> Result<Response, Error> + 'a;

/// A world that can be told in words. There is one for each world, and it keeps no state.
pub trait Narrator: Sync {
    /// The world's name, as `BabyAI`.
    fn world(&self) -> &'static str;

    /// The names of its tasks.
    fn tasks(&self) -> Vec<&'static str>;

    /// The full name of a task, given one that means it; the names that a world takes are its own affair.
    fn task(&self, name: &str) -> Result<&'static str, Error>;

    /// Its templates.
    fn templates(&self) -> Vec<Edition>;

    /// A template, bound to a task.
    fn phrasing(&self, task: &str, template: &str) -> Result<Box<dyn Phrasing>, Error>;

    /// How many steps an episode of an appraisal has at most.
    fn horizon(&self) -> u32;

    /// One moment of each of so many episodes of a task, so that they are independent.
    fn moments(&self, task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error>;

    /// Plays one episode of a task in which every answer is obeyed; an answer that is not understood passes the turn.
    /// Says whether the episode succeeded.
    fn obey(&self, task: &str, template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error>;
}
