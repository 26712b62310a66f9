//! A Crafter world as written in a study.

use serde::{Deserialize, Serialize};

use crate::{Error, MAX_STEPS, World};

/// The parameters of a world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `horizon` | 200 | 1 to 10,000, the original's |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrafterSpec {
    /// After how many steps an episode is cut.
    pub horizon: u32,
}

impl Default for CrafterSpec {
    fn default() -> Self {
        Self { horizon: 200 }
    }
}

impl CrafterSpec {
    /// A world in the first episode of seed 0; [`reset`](counsel_world::Environment::reset) draws others.
    pub fn world(&self) -> Result<World, Error> {
        if !(1..=MAX_STEPS).contains(&self.horizon) {
            return Err(Error::Horizon { horizon: self.horizon });
        }
        World::with_max_steps(0, self.horizon)
    }
}
