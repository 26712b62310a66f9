//! Spreads the calls of an episode over its steps: a call goes to a decision only if its score is among the highest that the
//! calls left can serve.
//!
//! The share that can be served is calls left / steps to come. The steps to come are those of the mean episode so far, and the
//! scores to compare with are the latest ones. Nothing is rationed before an episode has ended, or where the calls last.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::refusal::at_least;

/// How calls are rationed.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `window` | 256 | latest scores that a score is compared with, 16 or more |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rationing {
    /// The number of latest scores that a score is compared with.
    pub window: usize,
}

impl Default for Rationing {
    fn default() -> Self {
        Self { window: 256 }
    }
}

/// The latest scores and the lengths of episodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rations {
    window: usize,
    scores: VecDeque<f64>,
    /// The episodes that have ended, and their steps.
    episodes: u64,
    steps: u64,
}

impl Rations {
    pub(crate) fn new(spec: Rationing) -> Result<Self, Error> {
        at_least("pacing.rationing.window", spec.window, 16, "the default is 256")?;
        Ok(Self { window: spec.window, scores: VecDeque::new(), episodes: 0, steps: 0 })
    }

    pub(crate) fn end_episode(&mut self, steps: u64) {
        if steps > 0 {
            self.episodes += 1;
            self.steps += steps;
        }
    }

    pub(crate) fn note(&mut self, score: f64) {
        if self.scores.len() == self.window {
            self.scores.pop_front();
        }
        self.scores.push_back(score);
    }

    /// The lowest score that the calls left can serve, after these steps of the episode.
    pub(crate) fn least_score(&self, calls_left: u64, steps: u64) -> f64 {
        if self.episodes == 0 || self.scores.is_empty() {
            return f64::NEG_INFINITY;
        }
        let to_come = (self.steps as f64 / self.episodes as f64 - steps as f64).max(1.0);
        let share = calls_left as f64 / to_come;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let served = (share * self.scores.len() as f64) as usize;
        if served >= self.scores.len() {
            return f64::NEG_INFINITY;
        }
        let mut scores: Vec<f64> = self.scores.iter().copied().collect();
        *scores.select_nth_unstable_by(served, |one, other| other.total_cmp(one)).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_go_to_the_highest_scores_that_they_can_serve() {
        let mut rations = Rations::new(Rationing { window: 100 }).unwrap();
        (0..150).for_each(|score| rations.note(f64::from(score)));
        assert_eq!(rations.least_score(10, 0), f64::NEG_INFINITY, "no episode has ended");
        rations.end_episode(80);
        rations.end_episode(120);
        assert_eq!(rations.least_score(10, 0), 139.0, "10 of 100 steps to come, of the scores 50 to 149");
        assert_eq!(rations.least_score(10, 60), 124.0, "10 of 40");
        assert_eq!(rations.least_score(10, 90), f64::NEG_INFINITY, "the calls last");
        assert_eq!(rations.least_score(1, 500), f64::NEG_INFINITY, "an episode that is longer than the others");
        assert!(Rations::new(Rationing { window: 3 }).is_err());
    }
}
