//! The parameters of a world, as written in a study.

use counsel_decision::refusal::{at_least, in_range};
use serde::{Deserialize, Serialize};

use crate::{Error, Family, Task};

/// The parameters of a world of text games.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `tasks` | both | one or more of `pick-and-place`, `look-at-object`, each equally often |
/// | `family` | `training` | `training`, `evaluation` |
/// | `horizon` | 50 | 1 or more |
/// | `step_cost` | 0 | [0, 1] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlfworldSpec {
    /// The tasks of the games that are drawn.
    pub tasks: Vec<Task>,
    /// The goals of the games that are drawn.
    pub family: Family,
    /// How many commands an episode has at most.
    pub horizon: u32,
    /// What a command costs; carrying out the task pays 1.
    pub step_cost: f64,
}

impl Default for AlfworldSpec {
    fn default() -> Self {
        Self { tasks: Task::ALL.to_vec(), family: Family::Training, horizon: 50, step_cost: 0.0 }
    }
}

impl AlfworldSpec {
    /// Refuses what cannot be played.
    pub fn check(&self) -> Result<(), Error> {
        at_least("the number of tasks", self.tasks.len(), 1, "name one")?;
        at_least("the horizon", self.horizon as usize, 1, "allow a command")?;
        in_range((0.0..=1.0).contains(&self.step_cost), "step_cost", self.step_cost, "[0, 1]", "pass a small cost")?;
        Ok(())
    }
}
