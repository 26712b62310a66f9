//! Controls that make as many calls as a controller did, and place them otherwise.

use std::iter::successors;

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
    /// At the first steps of the run, in no context more often than is needed to make all the calls.
    ScheduleOnce,
}

/// Calls at most in one episode of a schedule.
const PER_EPISODE: u64 = 60;

/// How often a context is asked about at most, where contexts are few.
const ROUNDS: u64 = 32;

/// The calls of each episode.
pub(crate) fn calls_per_episode(played: &[Decision], episodes: u64) -> Vec<u64> {
    let mut calls_per_episode = vec![0; usize::try_from(episodes).unwrap_or(usize::MAX)];
    for decision in played.iter().filter(|decision| decision.record.asked()) {
        if let Some(calls) = usize::try_from(decision.record.episode).ok().and_then(|e| calls_per_episode.get_mut(e)) {
            *calls += 1;
        }
    }
    calls_per_episode
}

impl Matched {
    /// Policies with these calls, the best match first; the first that makes all of them is the one to play.
    pub(crate) fn gates(self, calls_per_episode: &[u64], horizon: u64) -> Vec<GateSpec> {
        let calls = calls_per_episode.iter().sum();
        let random = |decisions_per_episode, deficit| {
            let calls_per_episode = calls_per_episode.to_vec();
            GateSpec::RandomExact(RandomExact { calls_per_episode, decisions_per_episode, deficit })
        };
        let schedule = |at| GateSpec::Schedule(Schedule { calls, per_episode: PER_EPISODE, at });
        match self {
            Self::Random => vec![random(horizon, Deficit::Dropped)],
            // Where the last episodes end too early for what is left, fewer decisions are counted on.
            Self::RandomExact => {
                let fewer = successors(Some(horizon), |decisions| Some(decisions / 2).filter(|half| *half > 0));
                fewer.map(|decisions| random(decisions, Deficit::Carried)).collect()
            }
            Self::Schedule => vec![schedule(Where::Anywhere)],
            Self::ScheduleSupported => vec![schedule(Where::Supported)],
            Self::ScheduleUnheld => vec![schedule(Where::Unheld)],
            Self::ScheduleOnce => (1..=ROUNDS).map(|rounds| schedule(Where::VisitedLessThan(rounds))).collect(),
        }
    }
}
