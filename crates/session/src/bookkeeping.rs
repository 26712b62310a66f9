//! The settings of the books that every study of a learner has, whatever the learner and its world.

use counsel_controller::{BooksSpec, ForetellingSpec, GuardSpec, Learning, ShiftSpec, States, Values};
use counsel_decision::{CacheSpec, Invalidation};
use serde::{Deserialize, Serialize};

use crate::deep::Agent;
use crate::deployment::Deployment;
use crate::{Error, refuse};

/// By whose values advice is judged, and what the controller keeps books of.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `agent` | `learner` | see [`Agent`] |
/// | `states` | `contexts` | `contexts`, `features`: what the agent's own values and foretold answers tell apart |
/// | `foretelling` | none | see [`ForetellingSpec`]; needs answers that are kept |
/// | `shift_detector` | none | see [`ShiftSpec`]; needs answers that are kept until `shift` |
/// | `guard` | none | see [`GuardSpec`] |
/// | `patience` | 4 | visits to a context in one episode after which the choice made there gives way, 1 or more |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bookkeeping {
    /// What it knows of actions besides its learner, and what it makes of that.
    #[serde(default)]
    pub agent: Agent,
    /// What the agent's own values and foretold answers tell apart: contexts, or what surrounds the agent.
    #[serde(default)]
    pub states: States,
    /// When an answer is known before it is bought; never where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foretelling: Option<ForetellingSpec>,
    /// How answers are found out that stopped delivering; not at all where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift_detector: Option<ShiftSpec>,
    /// How the learner is guarded against values that are worse than its own; not at all where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<GuardSpec>,
    /// How often an episode may be in a context before the choice made there is taken to lead nowhere: a kept answer gives way to the
    /// values, and they to the learner.
    #[serde(default = "patience")]
    pub patience: u64,
}

fn patience() -> u64 {
    4
}

impl Bookkeeping {
    /// What the controller keeps books of.
    pub fn spec(&self) -> BooksSpec {
        let Self { agent, states, foretelling, shift_detector, guard, patience } = *self;
        BooksSpec { values: agent.values(), states, foretelling, shift_detector, guard, patience: Some(patience) }
    }

    /// Refuses books that this deployment cannot keep.
    pub fn check(&self, deployment: &Deployment) -> Result<(), Error> {
        let Deployment { settings, learning, .. } = deployment;
        refuse(
            *learning == Learning::Frozen && self.agent.values() != Values::HandedIn,
            "a frozen agent remembers nothing of its deployment; choose agent = { regressed = {} }, or the learner",
        )?;
        refuse(
            self.foretelling.is_some() && settings.cache == CacheSpec::Off,
            "a foretold answer acts as a kept one; set cache = { keep = [\"no-effect\"] }, or remove `foretelling`",
        )?;
        if self.shift_detector.is_some() {
            let drops = matches!(&settings.cache, CacheSpec::Keep(reasons) if reasons.contains(&Invalidation::Shift));
            refuse(
                !drops,
                "a shift detector flags kept answers; set cache = { keep = [\"shift\"] }, or remove `shift_detector`",
            )?;
            refuse(
                *learning != Learning::Continues,
                "a shift detector learns what answers deliver; set learning = \"continues\", or remove `shift_detector`",
            )?;
        }
        Ok(())
    }
}
