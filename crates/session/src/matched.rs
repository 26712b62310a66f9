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
        let calls: u64 = calls_per_episode.iter().sum();
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
            // As often as there are calls is no limit at all, so the last of these makes as many as the plain schedule.
            Self::ScheduleOnce => {
                let rounds = successors(Some(1), |rounds: &u64| Some(rounds + (rounds / 2).max(1)));
                let rounds = rounds.take_while(|rounds| *rounds < calls).chain([calls]);
                rounds.map(|rounds| schedule(Where::VisitedLessThan(rounds))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_are_asked_about_as_rarely_as_the_calls_allow() {
        let rounds = |calls: &[u64]| -> Vec<u64> {
            let gates = Matched::ScheduleOnce.gates(calls, 64);
            let of = |gate| match gate {
                GateSpec::Schedule(Schedule { at: Where::VisitedLessThan(rounds), .. }) => rounds,
                other => panic!("{other:?}"),
            };
            gates.into_iter().map(of).collect()
        };
        assert_eq!(rounds(&[4, 0, 5]), [1, 2, 3, 4, 6, 9]);
        assert_eq!(rounds(&[0]), [0], "there is one policy at least");
    }

    #[test]
    fn random_placement_counts_on_ever_fewer_decisions() {
        let decisions = |gate| match gate {
            GateSpec::RandomExact(RandomExact { decisions_per_episode, .. }) => decisions_per_episode,
            other => panic!("{other:?}"),
        };
        let found: Vec<u64> = Matched::RandomExact.gates(&[1], 20).into_iter().map(decisions).collect();
        assert_eq!(found, [20, 10, 5, 2, 1]);
    }
}
