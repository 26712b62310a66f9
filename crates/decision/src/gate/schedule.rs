//! Asks at the first decisions of the run: the early schedule, with a cap per episode; at all of them, or only at those
//! whose context is within the support, has no answer yet, or was not met too often.

use serde::{Deserialize, Serialize};

use super::policy::Progress;
use super::{Signals, Standing};
use crate::Monitored;

/// At which decisions a schedule may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    /// At every decision.
    #[default]
    Anywhere,
    /// Where the monitors find nothing remarkable.
    Supported,
    /// Where no answer is held already.
    Unheld,
    /// Where no answer is held or foretold.
    Unknown,
    /// Where the context was met fewer than n times before.
    VisitedLessThan(u64),
}

/// A number of calls, as early as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Calls to make in the run.
    pub calls: u64,
    /// Calls at most in one episode.
    pub per_episode: u64,
    /// At which decisions.
    #[serde(default)]
    pub at: Where,
}

impl Schedule {
    pub(super) fn weigh(self, signals: &Signals<'_>, progress: &Progress) -> Standing {
        let elsewhere = match self.at {
            Where::Anywhere => false,
            Where::Supported => signals.evidence.monitored != Monitored::Supported,
            Where::Unheld => signals.evidence.expected_uses < 1.0,
            Where::Unknown => signals.evidence.expected_uses < 1.0 || signals.evidence.foretold.is_some(),
            Where::VisitedLessThan(often) => signals.evidence.visits >= often,
        };
        if elsewhere {
            return Standing { score: 0.0, threshold: 1.0 };
        }
        let run = self.calls.saturating_sub(progress.asked);
        let episode = self.per_episode.saturating_sub(progress.asked_in_episode);
        Standing { score: run.min(episode) as f64, threshold: 1.0 }
    }
}
