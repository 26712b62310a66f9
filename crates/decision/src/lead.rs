//! Who leads: whether the controller's values and advice act, or the agent's own proposals.

use serde::{Deserialize, Serialize};

/// Who leads at a decision. Where the agent leads, its proposal acts, nothing is asked, and kept or foretold answers are passed
/// over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lead {
    /// The controller leads, as it does where nothing guards it.
    #[default]
    Controller,
    /// The agent leads, since it returned more.
    Agent,
    /// The controller leads in a trial: the agent leads otherwise.
    ControllerTried,
    /// The agent leads in a trial: the controller leads otherwise.
    AgentTried,
}

impl Lead {
    /// Whether the agent's proposals act.
    pub fn is_agent(self) -> bool {
        matches!(self, Self::Agent | Self::AgentTried)
    }

    /// Whether the decision belongs to a trial.
    pub fn is_trial(self) -> bool {
        matches!(self, Self::ControllerTried | Self::AgentTried)
    }
}
