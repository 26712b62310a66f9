//! In how many episodes a context is met: what an answer that is kept there will be good for.

use std::collections::BTreeMap;

use counsel_decision::ContextKey;

/// The episodes of a run in which each context was met.
#[derive(Debug, Clone)]
pub struct Recurrence {
    /// The episodes in which a context was met, and the last of them.
    met: BTreeMap<ContextKey, (u64, u64)>,
    /// The episodes that were begun, and all of the run.
    begun: u64,
    episodes: u64,
}

impl Recurrence {
    /// A run of so many episodes, before the first.
    pub fn new(episodes: u64) -> Self {
        Self { met: BTreeMap::new(), begun: 0, episodes }
    }

    /// Begins the next episode.
    pub fn begin_episode(&mut self) {
        self.begun += 1;
    }

    /// Takes note that a context is met in this episode.
    pub fn meet(&mut self, context: ContextKey) {
        let (met, last) = self.met.entry(context).or_insert((0, 0));
        if *last != self.begun {
            (*met, *last) = (*met + 1, self.begun);
        }
    }

    /// N: in how many episodes a context that is met now is expected, this one included. Its rate is the share of episodes
    /// that met it; one more that did and one more that did not count as seen before the run (Laplace's rule).
    pub fn expected(&self, context: ContextKey) -> f64 {
        let met = match self.met.get(&context) {
            Some((met, last)) => met + u64::from(*last != self.begun),
            None => 1,
        };
        let to_go = self.episodes.saturating_sub(self.begun);
        1.0 + (met as f64 / (self.begun as f64 + 1.0)).min(1.0) * to_go as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_smoothed_share_of_episodes_that_met_the_context() {
        let mut run = Recurrence::new(10);
        run.begin_episode();
        assert_eq!(run.expected(ContextKey(1)), 1.0 + 0.5 * 9.0);
        run.meet(ContextKey(1));
        run.meet(ContextKey(1));
        assert_eq!(run.expected(ContextKey(1)), 1.0 + 0.5 * 9.0, "a second time in one episode counts for nothing");
        for _ in 1..10 {
            run.begin_episode();
        }
        assert_eq!(run.expected(ContextKey(1)), 1.0, "in the last episode there is no later use");
    }
}
