//! Controls that make as many calls as a controller did, and place them otherwise.

use counsel_decision::GateSpec;
use counsel_decision::gate::random_exact::{Deficit, RandomExact};
use counsel_decision::gate::schedule::{Schedule, Where};
use counsel_log::Decision;
use serde::{Deserialize, Serialize};

/// How the controller's calls are placed instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matched {
    /// At random steps of the same episode; an episode that ends early drops what is left.
    Random,
    /// At random steps; what an episode had no room for is carried forward.
    RandomExact,
    /// At the first steps of the run.
    Schedule,
    /// At the first steps of the run at which the context is supported.
    ScheduleSupported,
    /// At the first steps of the run at which no answer is held.
    ScheduleUnheld,
}

/// Calls at most in one episode of a schedule.
const PER_EPISODE: u64 = 60;

impl Matched {
    /// The policy with the calls of these decisions.
    pub(crate) fn gate(self, played: &[Decision], episodes: u64, horizon: u64) -> GateSpec {
        let mut calls_per_episode = vec![0; usize::try_from(episodes).unwrap_or(usize::MAX)];
        for decision in played.iter().filter(|decision| decision.record.asked()) {
            if let Some(calls) =
                usize::try_from(decision.record.episode).ok().and_then(|e| calls_per_episode.get_mut(e))
            {
                *calls += 1;
            }
        }
        let calls = calls_per_episode.iter().sum();
        let random = |deficit| {
            GateSpec::RandomExact(RandomExact {
                calls_per_episode: calls_per_episode.clone(),
                decisions_per_episode: horizon,
                deficit,
            })
        };
        let schedule = |at| GateSpec::Schedule(Schedule { calls, per_episode: PER_EPISODE, at });
        match self {
            Self::Random => random(Deficit::Dropped),
            Self::RandomExact => random(Deficit::Carried),
            Self::Schedule => schedule(Where::Anywhere),
            Self::ScheduleSupported => schedule(Where::Supported),
            Self::ScheduleUnheld => schedule(Where::Unheld),
        }
    }
}
