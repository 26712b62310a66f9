//! The agents that a study can choose: by whose values advice is judged, and who acts where no advice does.

use counsel_controller::{ByContext, ExperienceSpec, LabelSpec, Values};
use serde::{Deserialize, Serialize};

use super::regression::RegressionSpec;

/// An agent, with what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Agent {
    /// Judges advice by its learner's posterior.
    #[default]
    Learner,
    /// Judges by labels of its own behaviour without a question, by context, from copies of the world.
    Labelled(ByContext<LabelSpec>),
    /// Judges by its own steps, by context; no copy of the world.
    Experienced(ByContext<ExperienceSpec>),
    /// Judges by a regression of labels on what it sees and on what its learner thinks.
    Regressed(RegressionSpec),
}

impl Agent {
    /// Where a controller's books get the values from.
    pub(crate) fn values(self) -> Values {
        match self {
            Self::Learner | Self::Regressed(_) => Values::HandedIn,
            Self::Labelled(table) => Values::Labels(table),
            Self::Experienced(table) => Values::Experience(table),
        }
    }

    /// The states of an episode that are labelled; none where it learns from no labels.
    pub(super) fn labelled_states(self) -> Option<usize> {
        match self {
            Self::Learner | Self::Experienced(_) => None,
            Self::Labelled(table) => Some(table.values.states),
            Self::Regressed(regression) => Some(regression.states),
        }
    }
}

/// Who acts where neither advice nor the agent's values do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// The learner.
    #[default]
    Learner,
    /// The rule that the world states, whatever the values say.
    Rule,
    /// One of the actions that an answer can name, each as likely as any other, whatever the values say.
    RandomMoves,
}
