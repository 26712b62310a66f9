//! Asks as often as declared for each episode, at random steps of it. Calls that an episode had no room for are carried
//! forward, so cumulative calls agree with the declared ones as soon as there is room; or they are dropped.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::Standing;
use super::policy::Progress;
use super::random::select;
use crate::refusal::{Refusal, in_range};

/// What becomes of calls that an episode had no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deficit {
    /// They are made up for as soon as there is room.
    #[default]
    Carried,
    /// They are not made.
    Dropped,
}

/// Calls matched episode by episode, for instance to another controller's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomExact {
    /// Calls to make in each episode.
    pub calls_per_episode: Vec<u64>,
    /// The decisions an episode is expected to have; a longer one still spends what is due.
    pub decisions_per_episode: u64,
    /// What becomes of calls that an episode had no room for.
    #[serde(default)]
    pub deficit: Deficit,
}

impl RandomExact {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let n = self.decisions_per_episode;
        in_range(n > 0, "decisions_per_episode", n as f64, "[1, infinity)", "pass the episode's horizon")
    }

    pub(super) fn weigh(&self, progress: &Progress, rng: &mut ChaCha8Rng) -> Standing {
        let episodes = usize::try_from(progress.episodes_begun).unwrap_or(usize::MAX).min(self.calls_per_episode.len());
        let calls_to_go = match self.deficit {
            Deficit::Carried => {
                let due: u64 = self.calls_per_episode[..episodes].iter().sum();
                due.saturating_sub(progress.asked)
            }
            Deficit::Dropped => {
                let now = progress.episodes_begun.checked_sub(1).and_then(|now| usize::try_from(now).ok());
                let due = now.and_then(|now| self.calls_per_episode.get(now)).copied().unwrap_or(0);
                due.saturating_sub(progress.asked_in_episode)
            }
        };
        let decisions_to_go = self.decisions_per_episode.saturating_sub(progress.decisions_in_episode).max(1);
        select(calls_to_go, decisions_to_go, rng)
    }
}
