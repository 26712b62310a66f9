//! Controls that make as many calls as a controller did, and place them otherwise.

use counsel_decision::Gate;
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
    /// At the first steps of the run at which no answer is held or foretold.
    ScheduleUnknown,
    /// At the first steps of the run, in no context more often than is needed to make all the calls.
    ScheduleOnce,
}

/// Calls at most in one episode of a schedule that matches a controller without such a limit of its own.
const PER_EPISODE: u64 = 60;

/// Calls at most in one episode of a schedule that matches a controller with this gate: what binds the one binds the other.
pub(crate) fn most_per_episode(gate: &Gate) -> u64 {
    match gate {
        Gate::Learned(learned) => learned.per_episode.unwrap_or(PER_EPISODE),
        Gate::Schedule(schedule) => schedule.per_episode,
        _ => PER_EPISODE,
    }
}

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
    /// The policy with these calls, and at most `per_episode` in an episode. Of the rules that may fall short of them, `leeway` tells how
    /// far they give way.
    pub(crate) fn gate(self, calls_per_episode: &[u64], per_episode: u64, leeway: u64) -> Gate {
        let calls = calls_per_episode.iter().sum();
        let random = |deficit| {
            let calls_per_episode = calls_per_episode.to_vec();
            Gate::RandomExact(RandomExact { calls_per_episode, decisions_per_episode: leeway, deficit })
        };
        let schedule = |at| Gate::Schedule(Schedule { calls, per_episode, at });
        match self {
            Self::Random => random(Deficit::Dropped),
            Self::RandomExact => random(Deficit::Carried),
            Self::Schedule => schedule(Where::Anywhere),
            Self::ScheduleSupported => schedule(Where::Supported),
            Self::ScheduleUnheld => schedule(Where::Unheld),
            Self::ScheduleUnknown => schedule(Where::Unknown),
            Self::ScheduleOnce => schedule(Where::VisitedLessThan(leeway)),
        }
    }

    /// The leeway of the first try: the decisions that a random placement counts on in an episode, and the calls in a context.
    pub(crate) fn leeway(self, horizon: u64) -> u64 {
        match self {
            Self::Random | Self::RandomExact => horizon,
            _ => 1,
        }
    }

    /// The leeway of another try, after one with `leeway` that `made` fewer calls than are `wanted`.
    pub(crate) fn next_leeway(self, leeway: u64, made: u64, wanted: u64) -> Option<u64> {
        match self {
            // Where the last episodes end too early for what is left, fewer decisions are counted on.
            Self::RandomExact => Some(leeway / 2).filter(|half| *half > 0),
            // Calls grow no faster than the leeway. As much leeway as calls is no limit at all: a plain schedule.
            Self::ScheduleOnce if leeway < wanted => {
                Some((leeway * wanted).div_ceil(made.max(1)).clamp(leeway + 1, wanted))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use counsel_decision::gate::learned::Learned;

    use super::*;

    #[test]
    fn contexts_are_asked_about_as_rarely_as_the_calls_allow() {
        let next = |leeway, made| Matched::ScheduleOnce.next_leeway(leeway, made, 90);
        assert_eq!(Matched::ScheduleOnce.leeway(64), 1);
        assert_eq!(next(1, 40), Some(3), "two in each context would make 80 at most");
        assert_eq!(next(3, 89), Some(4));
        assert_eq!((next(1, 0), next(80, 1)), (Some(90), Some(90)));
        assert_eq!(next(90, 60), None, "a plain schedule made 60, so no other makes more");
    }

    #[test]
    fn random_placement_counts_on_ever_fewer_decisions() {
        let matched = Matched::RandomExact;
        let tried = std::iter::successors(Some(matched.leeway(20)), |last| matched.next_leeway(*last, 0, 1));
        assert_eq!(tried.collect::<Vec<_>>(), [20, 10, 5, 2, 1]);
    }

    #[test]
    fn a_schedule_keeps_to_the_limit_of_an_episode_of_the_gate_that_it_matches() {
        let learned = |per_episode| Gate::Learned(Learned { per_episode, ..Learned::default() });
        let most = [learned(Some(8)), learned(None), Gate::Always].map(|gate| most_per_episode(&gate));
        assert_eq!(most, [8, PER_EPISODE, PER_EPISODE]);
        let Gate::Schedule(schedule) = Matched::ScheduleSupported.gate(&[5, 0, 7], most[0], 1) else { panic!() };
        assert_eq!((schedule.calls, schedule.per_episode, schedule.at), (12, 8, Where::Supported));
    }

    #[test]
    fn other_placements_are_tried_once() {
        for matched in [Matched::Random, Matched::Schedule, Matched::ScheduleSupported, Matched::ScheduleUnheld] {
            assert_eq!(matched.next_leeway(matched.leeway(64), 3, 9), None);
        }
    }
}
