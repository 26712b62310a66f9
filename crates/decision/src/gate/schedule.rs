//! Asks at the first decisions of the run: the early schedule, with a cap per episode.

use serde::{Deserialize, Serialize};

use super::Standing;
use super::policy::Progress;

/// So many calls, as early as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Calls to make in the run.
    pub calls: u64,
    /// Calls at most in one episode.
    pub per_episode: u64,
}

impl Schedule {
    pub(super) fn weigh(self, progress: &Progress) -> Standing {
        let run = self.calls.saturating_sub(progress.asked);
        let episode = self.per_episode.saturating_sub(progress.asked_in_episode);
        Standing { score: run.min(episode) as f64, threshold: 1.0 }
    }
}
