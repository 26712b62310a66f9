//! Where the values come from by which advice is judged, and what acts where no advice does.

use counsel_experience::{ExperienceTable, LabelTable};
use serde::{Deserialize, Serialize};

use super::regression::RegressionSpec;
use crate::Error;

/// Where values and bounds come from.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ValuesFrom {
    /// The learner's posterior.
    #[default]
    Learner,
    /// Labels of the agent's own no-query behaviour, by context, from copies of the world.
    Labels(LabelTable),
    /// A regression of such labels on what the agent sees and on what its learner thinks.
    Regression(RegressionSpec),
    /// What the agent experienced itself, by context; no copy of the world.
    Experience(ExperienceTable),
}

impl ValuesFrom {
    /// Refuses a table that cannot be kept.
    pub(super) fn check(self) -> Result<(), Error> {
        match self {
            Self::Learner => Ok(()),
            Self::Labels(table) => Ok(table.check()?),
            Self::Regression(spec) => Ok(spec.check()?),
            Self::Experience(table) => Ok(table.check()?),
        }
    }
}

/// By what a bankroll is credited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Credit {
    /// What the agent experienced itself, where its values come from there; nothing elsewhere.
    #[default]
    Experience,
    /// The labels of the questions it asked, from copies of the world.
    Labels,
}

/// What acts where no advice does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// The learner.
    #[default]
    Learner,
    /// The best action by the values, where they tell actions apart; the learner elsewhere.
    Values,
    /// The same where no answer is held, and everywhere once advice was given up; where one is held, the learner.
    ValuesUnadvised,
    /// The rule that the world states.
    Rule,
    /// One of the actions that an answer can name, each as likely as any other.
    RandomMoves,
}
