//! In how many episodes a context is met: the number of uses that an answer kept there will have.

use std::collections::BTreeMap;

use counsel_decision::ContextKey;
use serde::{Deserialize, Serialize};

/// The episodes of a run in which each context was met.
///
/// ```
/// use counsel_controller::{ContextKey, Recurrence};
///
/// let mut met = Recurrence::new(60);
/// for _ in 0..10 {
///     let episode = met.begin_episode();
///     met.meet(ContextKey(1), episode);
/// }
/// // A context of every episode so far will return in most of the 50 that are left.
/// assert!(met.expected(ContextKey(1), 9) > 40.0);
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recurrence {
    /// The number of episodes in which a context was met, and the last of them.
    met: BTreeMap<ContextKey, (u64, u64)>,
    begun: u64,
    /// All episodes of the run, where their number is known.
    episodes: Option<u64>,
}

impl Recurrence {
    /// A run of this many episodes, before the first.
    pub fn new(episodes: u64) -> Self {
        Self { met: BTreeMap::new(), begun: 0, episodes: Some(episodes) }
    }

    /// A run whose length nobody knows. It is expected to go on as long as it has lasted.
    pub fn open_ended() -> Self {
        Self { met: BTreeMap::new(), begun: 0, episodes: None }
    }

    /// The number of episodes that were begun.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// Begins the next episode and returns its number, from 1.
    pub fn begin_episode(&mut self) -> u64 {
        self.begun += 1;
        self.begun
    }

    /// Notes that a context is met in an episode.
    pub fn meet(&mut self, context: ContextKey, episode: u64) {
        let (met, last) = self.met.entry(context).or_insert((0, 0));
        if *last != episode {
            (*met, *last) = (*met + 1, episode);
        }
    }

    /// N: the number of episodes in which a context that is met in this episode is expected, this one included. Its rate is
    /// the share of episodes that met it; one more that did and one more that did not count as seen before the run
    /// (Laplace's rule).
    pub fn expected(&self, context: ContextKey, episode: u64) -> f64 {
        let met = match self.met.get(&context) {
            Some((met, last)) => met + u64::from(*last != episode),
            None => 1,
        };
        let to_go = self.episodes.map_or(self.begun, |episodes| episodes.saturating_sub(self.begun));
        1.0 + (met as f64 / (self.begun as f64 + 1.0)).min(1.0) * to_go as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_smoothed_share_of_episodes_that_met_the_context() {
        let mut run = Recurrence::new(10);
        let mut episode = run.begin_episode();
        assert_eq!(run.expected(ContextKey(1), episode), 1.0 + 0.5 * 9.0);
        run.meet(ContextKey(1), episode);
        run.meet(ContextKey(1), episode);
        let again = run.expected(ContextKey(1), episode);
        assert_eq!(again, 1.0 + 0.5 * 9.0, "a second time in one episode counts for nothing");
        for _ in 1..10 {
            episode = run.begin_episode();
        }
        assert_eq!(run.expected(ContextKey(1), episode), 1.0, "in the last episode there is no later use");
    }

    #[test]
    fn a_run_of_unknown_length_goes_on_as_long_as_it_has_lasted() {
        let mut run = Recurrence::open_ended();
        for _ in 0..4 {
            let episode = run.begin_episode();
            run.meet(ContextKey(1), episode);
        }
        assert_eq!(run.expected(ContextKey(1), 4), 1.0 + 4.0 / 5.0 * 4.0);
    }
}
